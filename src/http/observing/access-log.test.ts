import assert from 'node:assert/strict'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import Fastify from 'fastify'
import pino from 'pino'
import { Histogram, Registry } from 'prom-client'
import { apiOf, customer, deliveryBody, quoteBody, testApi, usedBy } from '../../../test/api.ts'
import { until } from '../../../test/wait-until.ts'
import { allEndpoints } from '../api/endpoints.ts'
import type { HttpDeps } from '../contract/deps.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { accessLog, histogram } from './access-log.ts'

test('logs and metrics show requests and results, and no personal data', async (t) => {
  const { fixture } = await testApi(t, { work: false })
  const lines: string[] = []
  const app = apiOf(fixture, pino({ level: 'debug' }, { write: (line: string) => lines.push(line) }))
  t.after(() => app.close())
  const { call, tokenOf } = await usedBy(app, fixture)
  const token = await tokenOf('demo-client', 'demo-secret')
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

  const body = deliveryBody({ reference: 'CANARY-1', special_instructions: 'canary under the mat' })
  const newDelivery = await call('POST /demo/deliveries', {
    body,
    headers: { traceparent, 'idempotency-key': 'canary-key' },
  })
  assert.equal(newDelivery.status, 201)
  assert.match(String(newDelivery.headers.traceparent), /^00-4bf92f3577b34da6a3ce929d0e0e4736-/)
  await call('GET /demo/deliveries?q=Nguyen')
  await call('GET /demo/deliveries/CANARY-1')
  await call('GET /demo/canary-of-an-address')
  await call('POST /demo/deliveries', {
    payload: '{"canary',
    headers: { 'content-type': 'application/json' },
  })
  await call('POST /demo/deliveries', { body: { ...body, phone: customer.phone } })
  await call('POST /demo/deliveries/quote-next-available', { body: quoteBody, token: 'drt_canary.canary' })

  const text = `${lines.join('')}\n${(await call('GET /metrics')).text}`
  for (const secret of [
    token,
    'demo-secret',
    'anary',
    'CANARY',
    'Nguyen',
    'Drummond',
    '491570156',
    '0491 570',
    'ada@',
  ]) {
    assert.ok(!text.includes(secret), `${secret} was written down`)
  }
  const entries = lines.map((line) => JSON.parse(line))
  const created = entries.find(({ status }) => status === 201)
  assert.equal(created.route, '/:tenant_id/deliveries')
  assert.equal(created.account, 'demo')
  assert.equal(created.trace_id, '4bf92f3577b34da6a3ce929d0e0e4736')
  assert.equal(created.request_id, newDelivery.headers['x-request-id'])
  assert.match(
    text,
    /drover_http_request_duration_seconds_count\{method="POST",route="\/:tenant_id\/deliveries",status="201"\} 1/,
  )
})

test('the count of requests in flight returns to zero, however they end', async (t) => {
  const { call } = await testApi(t, { work: false })
  await call('GET /demo/deliveries/%ff')
  await call('GET /demo/nothing')
  await call('POST /demo/deliveries', { payload: '{', headers: { 'content-type': 'application/json' } })
  await call('GET /demo/stores', { token: null })
  assert.match((await call('GET /metrics')).text, /^drover_http_in_flight 1$/m)
})

test('callers without credentials add a fixed number of series, whatever they request', async (t) => {
  const { fixture } = await testApi(t, { work: false })
  const app = apiOf(fixture)
  t.after(() => app.close())
  const ways: [method: string, path: string][] = allEndpoints().flatMap(({ method, url }) =>
    [method, 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND'].map((one): [string, string] => [
      one,
      url.replaceAll(/:\w+/g, 'demo'),
    ]),
  )
  for (const [method, path] of ways) {
    await app.inject({
      method: method as 'GET',
      url: path,
      headers: { 'content-type': 'application/json' },
      payload: '{',
    })
  }
  for (let n = 0; n < 50; n++) await app.inject({ method: 'GET', url: `/nobody-${n}/x` })
  const { body } = await app.inject({ method: 'GET', url: '/metrics' })
  const series = [...body.matchAll(/^drover_http_request_duration_seconds_count\{(.+)\} \d+$/gm)].map(
    ([, one]) => one,
  )
  const refused = series.filter((labels) => /status="4/.test(labels ?? ''))
  assert.ok(refused.length > 0)
  for (const labels of refused)
    assert.match(labels ?? '', /^method="unknown",route="unknown",status="4\d\d"$/)
})

test('a caller that closes the connection before the response is no longer in flight', async (t) => {
  const { fixture } = await testApi(t, { work: false })
  const app = apiOf(fixture)
  t.after(() => app.close())
  const { call, tokenOf } = await usedBy(app, fixture)
  const token = await tokenOf('demo-client', 'demo-secret')
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  // The metrics request itself is in flight.
  const figure = async (name: string) =>
    Number(new RegExp(`^drover_http_${name} (\\d+)$`, 'm').exec((await call('GET /metrics')).text)?.[1])

  const holder = await fixture.deps.db.connect()
  await holder.query('begin')
  await holder.query('lock table deliveries in access exclusive mode')
  try {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const pending = request({ port, path: '/demo/deliveries', method: 'POST', headers })
    pending.on('error', () => {})
    pending.end(JSON.stringify(deliveryBody({ reference: 'ABORTED-1' })))
    await until(async () => (await figure('in_flight')) === 2)
    pending.destroy()
    await until(async () => (await figure('in_flight')) === 1)
    assert.equal(await figure('aborted_total'), 1)
  } finally {
    await holder.query('rollback')
    holder.release()
  }
})

test('shed requests share one duration series and are counted by route, before and after the framework', async (t) => {
  const registry = new Registry()
  const app = Fastify()
  t.after(() => app.close())
  app.decorateRequest('wasShed', false)
  const { countShed } = accessLog(app, { log: pino({ level: 'silent' }), registry } as HttpDeps)
  const endpoints = allEndpoints()
  app.addHook('onRequest', async (request) => {
    request.endpoint = endpoints.find(({ url }) => url === request.routeOptions.url) as Endpoint
  })
  const gets = endpoints.filter(({ method }) => method === 'GET')
  for (const { url } of gets) {
    app.get(url, async (request, reply) => {
      request.wasShed = true
      return reply.code(503).send()
    })
  }
  for (const { url } of gets) await app.inject({ method: 'GET', url: url.replaceAll(/:\w+/g, 'demo') })
  for (const endpoint of endpoints) countShed(endpoint.method, endpoint, 1)
  const counts = [
    ...(await registry.metrics()).matchAll(/^drover_http_request_duration_seconds_count\{(.+)\} (\d+)$/gm),
  ]
  assert.deepEqual(
    counts.map(([, labels, number]) => [labels, Number(number)]),
    [['method="unknown",route="unknown",status="503"', gets.length + endpoints.length]],
  )
  const shed = [...(await registry.metrics()).matchAll(/^drover_http_shed_total\{route="(.+)"\} (\d+)$/gm)]
  const routes = new Set(endpoints.map(({ url }) => url))
  assert.deepEqual(new Set(shed.map(([, route]) => route)), routes)
  assert.equal(
    shed.reduce((sum, [, , count]) => sum + Number(count), 0),
    gets.length + endpoints.length,
  )
})

const shape = { name: 'drover_seconds', help: 'Time.' }
const bounds = [0.001, 0.5, 10]

test('our histogram renders the same text as prom-client', async () => {
  const value = fc.oneof(fc.constantFrom(0, ...bounds), fc.double({ min: 0, max: 20, noNaN: true }))
  const measured = fc.array(
    fc.record({ route: fc.constantFrom('/a', '/b"\n'), status: fc.constantFrom(200, 500), value }),
  )
  await fc.assert(
    fc.asyncProperty(measured, async (all) => {
      const [ourRegistry, libraryRegistry] = [new Registry(), new Registry()]
      const library = new Histogram({
        ...shape,
        labelNames: ['route', 'status'],
        buckets: bounds,
        registers: [libraryRegistry],
      })
      const of = histogram(ourRegistry, { ...shape, bounds })
      const known = new Map<string, (value: number) => void>()
      for (const { value: seconds, ...labels } of all) {
        const key = JSON.stringify(labels)
        if (!known.has(key)) known.set(key, of(labels))
        known.get(key)?.(seconds)
        library.observe(labels, seconds)
      }
      assert.equal(inOrder(await ourRegistry.metrics()), inOrder(await libraryRegistry.metrics()))
    }),
    { numRuns: 50 },
  )
})

/** Sorts lines and labels, whose order does not matter. */
function inOrder(text: string): string {
  const line = (one: string) =>
    one.replace(/\{(.*)\}/, (_, labels: string) => `{${labels.split(',').sort().join(',')}}`)
  return text.split('\n').map(line).sort().join('\n')
}
