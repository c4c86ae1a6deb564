import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { deliveryBody } from '../../test/api.ts'
import { testDatabase } from '../../test/database.ts'
import { startTcpProxy } from '../../test/harness/tcp-proxy.ts'
import { freePort, shipped } from '../../test/packaged-process.ts'
import { listeningApi } from '../typescript/src/test/listening-api.ts'
import { skip, startPython } from './test-python.ts'

const CUTS = 200
const THREADS = 20
const KILLS = 3

/** Threads in Python that create deliveries until they are stopped; `made`: the id of each reference. */
function startOrders(t: TestContext, port: number, env: Record<string, string> = {}) {
  const args = [
    'tests.create_orders',
    `http://127.0.0.1:${port}`,
    `${THREADS}`,
    JSON.stringify(deliveryBody()),
  ]
  const { child, lines, ended } = startPython(t, args, env)
  const made = new Map<string, string>()
  lines.on('line', (line) => {
    const { reference, id } = JSON.parse(line)
    made.set(reference, id)
  })
  let isOver = false
  ended.finally(() => (isOver = true)).catch(() => {})
  return {
    made,
    isOver: () => isOver,
    async stop() {
      child.stdin.end()
      await ended
    },
  }
}

const CLIENTS = { Drover: {}, AsyncDrover: { DROVER_ASYNC: '1' } }
for (const [client, env] of Object.entries(CLIENTS))
  test(`200 connections of ${client} are cut between request and answer, and there is one delivery for each key`, {
    skip,
  }, async (t) => {
    const { api, port } = await listeningApi(t)
    const proxy = await startTcpProxy(() => port)
    t.after(() => proxy.stop())
    const orders = startOrders(t, proxy.port, env)
    let cut = 0
    while ((cut < CUTS || orders.made.size < CUTS) && !orders.isOver()) {
      // At any moment of a request: before it is read, while it is worked on, while the answer is sent.
      await sleep(Math.random() * 60)
      if (cut < CUTS && proxy.waiting() > 0) cut += proxy.cut(Math.random() < 0.5 ? 'reset' : 'close')
    }
    await orders.stop()

    // A repeat without its key would be refused as duplicate_reference, and the threads would fail.
    const { rows } = await api.fixture.deps.db.query('select count(*)::int as deliveries from deliveries')
    t.diagnostic(
      `${cut} requests lost their connection; ${rows[0].deliveries} deliveries for ${orders.made.size} keys`,
    )
    assert.ok(cut >= CUTS)
    assert.equal(new Set(orders.made.values()).size, orders.made.size)
    assert.equal(rows[0].deliveries, orders.made.size)
  })

test('the server is killed while it answers, and there is one delivery for each key', { skip }, async (t) => {
  const { url: DATABASE_URL, pool } = await testDatabase()
  const PORT = await freePort()
  const DROVER_SECRET_KEY = 'the key of a killed server in a test, long enough'
  const start = () => shipped(t, 'start', { DATABASE_URL, PORT, DROVER_SECRET_KEY }, /Drover runs at\s+(\S+)/)
  let server = await start()
  const proxy = await startTcpProxy(() => Number(PORT))
  t.after(() => proxy.stop())
  const orders = startOrders(t, proxy.port)
  let lost = 0
  for (let kill = 0; kill < KILLS; kill++) {
    const enough = orders.made.size + THREADS
    while (!orders.isOver() && (orders.made.size < enough || proxy.waiting() < THREADS / 2)) await sleep(5)
    if (orders.isOver()) break
    lost += proxy.waiting()
    server.signal('SIGKILL')
    await server.ended
    server = await start()
  }
  await orders.stop()

  const { rows } = await pool.query(
    "select count(*)::int as deliveries from deliveries where reference like 'order-%'",
  )
  t.diagnostic(
    `${lost} requests were in flight at ${KILLS} kills; ${rows[0].deliveries} deliveries for ${orders.made.size} keys`,
  )
  assert.ok(lost > 0)
  assert.equal(new Set(orders.made.values()).size, orders.made.size)
  assert.equal(rows[0].deliveries, orders.made.size)
})
