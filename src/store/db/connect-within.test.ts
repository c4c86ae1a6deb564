import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { testDatabase } from '../../../test/database.ts'
import { startTcpProxy } from '../../../test/harness/tcp-proxy.ts'
import { makePool } from './pool.ts'
import { isUnavailable } from './unavailable.ts'

const CONNECT_MS = 2_000
/** Longer than connecting may take: a timer of `CONNECT_MS` is overdue when the loop continues. */
const STALL_MS = 2_500

test('a connection that was opened while the event loop stood still is used', async (t) => {
  const { pool } = await onePool(t)
  const asked = pool.query('select 7 as seven')
  stall(STALL_MS)
  assert.deepEqual((await asked).rows, [{ seven: 7 }])
})

test('a connection that became free while the event loop stood still is used', async (t) => {
  const { pool } = await onePool(t)
  const holder = await pool.connect()
  const held = holder.query('select pg_sleep(0.1)').then(() => holder.release())
  const asked = pool.query('select 7 as seven')
  stall(STALL_MS)
  assert.deepEqual((await asked).rows, [{ seven: 7 }])
  await held
})

test('a caller that waits too long for a connection gets an error and leaves the queue', async (t) => {
  const { pool } = await onePool(t)
  const holder = await pool.connect()
  for (const asked of [pool.connect(), pool.query('select 1')]) await assert.rejects(asked, isUnavailable)
  assert.equal(pool.waitingCount, 0)
  holder.release()
  assert.equal((await pool.query('select 1')).rowCount, 1)
  assert.equal(pool.totalCount, 1)
})

test('a silent server is given up, and its connection slot is free again', async (t) => {
  const { pool, proxy } = await onePool(t)
  proxy.set({ kind: 'black_hole' })
  await assert.rejects(pool.query('select 1'), isUnavailable)
  proxy.set({ kind: 'none' })
  let rows = 0
  while (rows === 0)
    rows = await pool.query('select 1').then(
      ({ rowCount }) => rowCount ?? 0,
      () => 0,
    )
  assert.equal(pool.totalCount, 1)
})

/** A pool of one connection to its own database, through a proxy. */
async function onePool(t: TestContext) {
  const { url } = await testDatabase(t)
  const through = new URL(url)
  const { port } = through
  const proxy = await startTcpProxy(() => Number(port))
  through.port = String(proxy.port)
  const pool = makePool(through.href, { max: 1, applicationName: 'deadline', connectMs: CONNECT_MS })
  t.after(async () => {
    await pool.end()
    await proxy.stop()
  })
  return { pool, proxy }
}

/** Blocks this process. */
function stall(ms: number): void {
  const untilMs = performance.now() + ms
  while (performance.now() < untilMs) {}
}
