import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Agent, request } from 'undici'
import { apiOf, deliveryBody, quoteBody, testApi } from '../../../test/api.ts'
import { until } from '../../../test/wait-until.ts'
import { closeServer } from './stop.ts'

test('a stop under load, behind a balancer that checks readiness, fails no request', async (t) => {
  const api = await testApi(t, { work: false })
  const token = await api.tokenOf('demo-client', 'demo-secret')
  const leaving = apiOf(api.fixture)
  const staying = api.app
  const origins = {
    leaving: await leaving.listen({ port: 0, host: '127.0.0.1' }),
    staying: await staying.listen({ port: 0, host: '127.0.0.1' }),
  }
  const agent = new Agent({ connections: 16, pipelining: 1 })
  t.after(() => agent.destroy())

  const statuses: number[] = []
  const failures: unknown[] = []
  let running = true
  const caller = async (line: string, body: () => object) => {
    while (running) {
      try {
        const reply = await request(`${leaving.stopping ? origins.staying : origins.leaving}${line}`, {
          method: 'POST',
          dispatcher: agent,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(body()),
        })
        await reply.body.text()
        statuses.push(reply.statusCode)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  const callers = [
    ...Array.from({ length: 8 }, () => caller('/demo/deliveries/quote-next-available', () => quoteBody)),
    ...Array.from({ length: 8 }, () => caller('/demo/deliveries', () => deliveryBody())),
  ]
  const waitForAnswers = (count: number) =>
    until(() => statuses.length + failures.length >= count, `${count} answers`)
  await waitForAnswers(100)
  const from = performance.now()
  await closeServer(leaving)
  const tookMs = performance.now() - from
  await waitForAnswers(statuses.length + 100)
  running = false
  await Promise.all(callers)

  assert.ok(tookMs < 30_000, `took ${tookMs} ms`)
  assert.deepEqual(failures, [])
  assert.deepEqual(
    statuses.filter((status) => status !== 200 && status !== 201),
    [],
  )
  const { rows } = await api.fixture.deps.db.query<{ n: number }>('select count(*)::int as n from deliveries')
  assert.equal(
    rows[0]?.n,
    statuses.filter((status) => status === 201).length,
    'every delivery made was answered',
  )
})

test('while stopping, the server reports not ready and closes each connection after its response', async (t) => {
  const { app, call } = await testApi(t, { work: false })
  assert.equal((await call('GET /health/ready')).status, 200)
  app.stopping = true
  const reply = await call('GET /health/ready')
  assert.equal(reply.status, 503)
  assert.equal(reply.headers.connection, 'close')
})
