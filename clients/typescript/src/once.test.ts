import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { deliveryBody } from '../../../test/api.ts'
import { startTcpProxy } from '../../../test/harness/tcp-proxy.ts'
import type { DeliveryRequest } from './index.ts'
import { listeningApi } from './test/listening-api.ts'

const CUTS = 200
const LANES = 20

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
  const lanes = Array.from({ length: LANES }, async () => {
    while (cut < CUTS || orders < CUTS) {
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
  await Promise.all(lanes).finally(() => {
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
