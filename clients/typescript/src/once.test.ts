import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { deliveryBody } from '../../../test/api.ts'
import { testDatabase } from '../../../test/database.ts'
import { startTcpProxy } from '../../../test/harness/tcp-proxy.ts'
import { freePort, shipped } from '../../../test/packaged-process.ts'
import { type DeliveryRequest, Drover } from './index.ts'
import { CREDENTIALS, listeningApi } from './test/listening-api.ts'

const CUTS = 200
const CONCURRENT_CALLERS = 20
const KILLS = 3

test('200 connections are cut between request and answer, and there is one delivery for each key', async (t) => {
  const { api, port, drover: client } = await listeningApi(t)
  const proxy = await startTcpProxy(() => port)
  t.after(() => proxy.stop())
  const drover = client({ baseUrl: `http://127.0.0.1:${proxy.port}`, maxRetries: 30 })
  await drover.stores.list().page()

  // A repeat without its key would be refused as duplicate_reference, and this test would fail.
  const made = new Map<string, string>()
  let cut = 0
  let isOver = false
  let orders = 0
  const callers = Array.from({ length: CONCURRENT_CALLERS }, async () => {
    while (!isOver && (cut < CUTS || orders < CUTS)) {
      const reference = `order-${++orders}`
      const body = deliveryBody({ reference }) as unknown as DeliveryRequest
      made.set(reference, (await drover.deliveries.create(body)).id)
    }
  })
  const cutting = (async () => {
    while (cut < CUTS && !isOver) {
      // At any moment of a request: before it is read, while it is worked on, while the answer is sent.
      await sleep(Math.random() * 60)
      if (proxy.waiting() > 0) cut += proxy.cut(Math.random() < 0.5 ? 'reset' : 'close')
    }
  })()
  await Promise.all(callers).finally(() => {
    isOver = true
  })
  await cutting

  const { rows } = await api.fixture.deps.db.query('select count(*)::int as deliveries from deliveries')
  t.diagnostic(
    `${cut} requests lost their connection; ${rows[0].deliveries} deliveries for ${made.size} keys`,
  )
  assert.ok(cut >= CUTS, `only ${cut} requests lost their connection`)
  assert.equal(new Set(made.values()).size, made.size)
  assert.equal(rows[0].deliveries, made.size)
})

test('the server is killed while it answers, and there is one delivery for each key', async (t) => {
  const { url: DATABASE_URL, pool } = await testDatabase()
  const env = {
    DATABASE_URL,
    PORT: await freePort(),
    DROVER_SECRET_KEY: 'the key of a killed server in a test, long enough',
  }
  const start = () => shipped(t, 'start', env, /Drover runs at\s+(\S+)/)
  let server = await start()
  let inFlight = 0
  const counted: typeof fetch = async (...args) => {
    inFlight++
    return fetch(...args).finally(() => inFlight--)
  }
  const drover = new Drover({ baseUrl: server.message, ...CREDENTIALS, maxRetries: 30, fetch: counted })
  await drover.stores.list().page()

  const made = new Map<string, string>()
  let isOver = false
  const callers = Array.from({ length: CONCURRENT_CALLERS }, async (_, caller) => {
    for (let number = 0; !isOver; number++) {
      const reference = `order-${caller}-${number}`
      const body = deliveryBody({ reference }) as unknown as DeliveryRequest
      made.set(reference, (await drover.deliveries.create(body)).id)
    }
  })
  let lost = 0
  const killing = (async () => {
    for (let kill = 0; kill < KILLS; kill++) {
      const enough = made.size + CONCURRENT_CALLERS
      while (!isOver && (made.size < enough || inFlight < CONCURRENT_CALLERS / 2)) await sleep(5)
      if (isOver) return
      lost += inFlight
      server.signal('SIGKILL')
      await server.ended
      server = await start()
    }
    isOver = true
  })()
  await Promise.all([...callers, killing]).finally(() => {
    isOver = true
  })

  const { rows } = await pool.query(
    "select count(*)::int as deliveries from deliveries where reference like 'order-%'",
  )
  t.diagnostic(
    `${lost} requests were in flight at ${KILLS} kills; ${rows[0].deliveries} deliveries for ${made.size} keys`,
  )
  assert.equal(new Set(made.values()).size, made.size)
  assert.equal(rows[0].deliveries, made.size)
})
