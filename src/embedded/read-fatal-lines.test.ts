import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readFatalLines } from './server.ts'

const EARLIER = '2026-11-23 10:00:00 UTC [1] PANIC:  could not write: No space left on device\n'

test('the log line that says why PostgreSQL ended is found, for this start only', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'drover-words-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const cases: [log: string[], words: string][] = [
    [
      ['LOG:  starting', 'FATAL:  could not write lock file', 'HINT:  Free it.', 'LOG:  shut down'],
      'FATAL:  could not write lock file | HINT:  Free it.',
    ],
    [
      [
        'FATAL:  terminating connection due to administrator command',
        'PANIC:  could not write WAL',
        'LOG:  aborted',
      ],
      'PANIC:  could not write WAL',
    ],
    [
      ['FATAL:  the database system is starting up', 'LOG:  a', 'LOG:  b', 'LOG:  c'],
      'LOG:  a | LOG:  b | LOG:  c',
    ],
    [[], 'it wrote nothing to its log, as it does when the disk of the log is full.'],
  ]
  const file = join(folder, 'postgres.log')
  for (const [log, words] of cases) {
    writeFileSync(file, `${EARLIER}${log.map((line) => `${line}\n`).join('')}`)
    assert.equal(readFatalLines(file, EARLIER.length), words)
  }
  const routine = 'LOG:  a client left\n'.repeat(10_000)
  writeFileSync(file, `${EARLIER}${routine}PANIC:  could not write WAL\n`)
  assert.equal(readFatalLines(file, EARLIER.length), 'PANIC:  could not write WAL')
  assert.match(readFatalLines(join(folder, 'none'), 0), /wrote nothing/)
})
