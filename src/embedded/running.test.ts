import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { runningPostgres } from './running.ts'

test('a home’s database is found while it runs, and not after it was stopped', async () => {
  const home = mkdtempSync(join(tmpdir(), 'drover-running-'))
  try {
    assert.equal(runningPostgres(home), null)
    const postgres = await startEmbeddedPostgres({ home, log: () => {} })
    assert.equal(runningPostgres(home), postgres.url)
    await postgres.stop()
    assert.equal(runningPostgres(home), null)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
})
