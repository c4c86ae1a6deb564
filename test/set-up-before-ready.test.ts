import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { DEMO_USERS } from '../src/operations/secrets/demo-clients.ts'
import { testDatabase } from './database.ts'
import { freePort, shipped } from './packaged-process.ts'
import { PROGRAM } from './program.ts'

const DROVER_SECRET_KEY = 'the key of a start under test, long enough'

test('a service that reports ready has finished its set-up: the demo users exist', async (t) => {
  const { url: DATABASE_URL, pool } = await testDatabase()
  const PORT = await freePort()
  const people = firstReady(`http://127.0.0.1:${PORT}/health/ready`).then(() =>
    pool.query('select 1 from users'),
  )
  await shipped(t, 'start', { DATABASE_URL, PORT, DROVER_SECRET_KEY }, /(Ctrl-C stops it)/)
  assert.equal((await people).rowCount, DEMO_USERS.length)
})

for (const command of ['start', 'api', 'worker'] as const) {
  test(`drover ${command} waits for a database that is briefly unavailable, and exits with the reason if it stays unavailable`, async () => {
    const env = {
      ...process.env,
      DATABASE_URL: `postgres://drover:secret@127.0.0.1:${await freePort()}/drover`,
      PORT: '0',
      DROVER_SECRET_KEY,
      LOG_LEVEL: 'warn',
    }
    const child = spawn(process.execPath, [PROGRAM, command], { env })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
    const [code] = await once(child, 'close')
    assert.equal(code, 2)
    assert.equal(output.match(/the start tries again/g)?.length, 1)
    assert.match(
      output,
      /connect ECONNREFUSED 127\.0\.0\.1:\d+\nNo PostgreSQL listens at that address: start it, or correct .*DATABASE_URL/,
    )
    assert.doesNotMatch(output, /secret/)
  })
}

async function firstReady(url: string): Promise<void> {
  for (;;) {
    const isReady = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    await sleep(5)
  }
}
