import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DELIVERY_EXAMPLE } from '../src/http/api/fields/examples.ts'
import type { TraceSettings } from '../src/observability/tracing/settings.ts'
import { apiOf, customer, deliveryBody, quoteBody, testApi, usedBy } from './api.ts'
import { testFixture, WORLD_SECRET_KEY } from './fixture.ts'
import { mailServer } from './mail-server.ts'
import { shipped } from './packaged-process.ts'
import { smsGateway } from './sms-gateway.ts'
import { traceCollector, treeOf } from './trace-collector.ts'
import { webhookReceiver } from './webhook-receiver.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const CALLER = '00f067aa0ba902b7'
const traceparent = `00-${TRACE}-${CALLER}-01`
/** Due at once: the demo books an hour ahead, and it is ten. */
const DUE = { ready_for_pickup_at: '2026-11-24T10:30:00+11:00' }

const tracesTo = (url: string): TraceSettings => ({
  url: `${url}/v1/traces`,
  headers: {},
  sampler: 'parentbased_always_on',
  ratio: 1,
  resource: { 'service.name': 'test' },
  queue: { delayMs: 20, maxWaiting: 2_048, maxTogether: 512, timeoutMs: 10_000 },
})

test('one trace spans a request, the work of another process and the carrier’s call', async (t) => {
  const { databaseUrl, parts } = await testFixture(t, { work: false })
  const collector = await traceCollector(t)
  const env = {
    DATABASE_URL: databaseUrl,
    DROVER_SECRET_KEY: WORLD_SECRET_KEY,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-collector',
    OTEL_SERVICE_NAME: 'deliveries-of-a-shop',
    OTEL_BSP_SCHEDULE_DELAY: '50',
  }
  const [api, worker] = await Promise.all([
    shipped(t, 'api', env, /"address":"([^"]+)"/),
    shipped(t, 'worker', env, /(started)/),
  ])
  const post = async (path: string, body: object, headers = {}) => {
    const answer = await fetch(`${api.message}/demo${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    // biome-ignore lint/suspicious/noExplicitAny: a test parses any response.
    return { headers: answer.headers, json: (await answer.json()) as any }
  }
  const client = { client_id: 'demo-client', client_secret: 'demo-secret' }
  const { json: token } = await post('/auth/token', { grant_type: 'client_credentials', ...client })
  const authorization = `Bearer ${token.access_token}`
  const made = await post('/deliveries', { ...DELIVERY_EXAMPLE, ...DUE }, { authorization, traceparent })
  const id: string = made.json.data.id
  // At shutdown pending spans are sent for one second, which may be too short: these have arrived before.
  for (const spanName of ['POST /:tenant_id/deliveries', 'work deliveries', 'carrier book', 'POST'])
    await collector.span(spanName, ({ name, traceId }) => name === spanName && traceId === TRACE)
  for (const { signal } of [api, worker]) signal('SIGTERM')
  for (const { ended } of [api, worker]) assert.deepEqual(await ended, { code: 0, signal: null })
  const tree = treeOf(collector.spans(), TRACE)
  assert.deepEqual(tree.slice(0, 4), [
    'POST /:tenant_id/deliveries',
    '  work deliveries',
    '    carrier book',
    '      POST',
  ])
  const named = (name: string) => collector.spans().find((one) => one.name === name && one.traceId === TRACE)
  const [request, work, question, call] = tree.slice(0, 4).map((line) => named(line.trim()))
  assert.equal(request?.parentSpanId, CALLER)
  assert.equal(made.headers.get('traceparent'), `00-${TRACE}-${request?.spanId}-01`)
  assert.deepEqual([request?.kind, work?.kind, call?.kind], [2, 5, 3])
  assert.deepEqual([request?.resource['drover.role'], work?.resource['drover.role']], ['api', 'worker'])
  assert.equal(work?.resource['service.name'], 'deliveries-of-a-shop')
  assert.deepEqual(
    { ...request?.attributes, 'drover.request.id': made.headers.get('x-request-id') },
    {
      ...request?.attributes,
      'http.request.method': 'POST',
      'http.route': '/:tenant_id/deliveries',
      'http.response.status_code': '201',
      'drover.account.id': 'demo',
      'drover.delivery.id': id,
    },
  )
  assert.equal(work?.attributes['drover.delivery.id'], id)
  assert.deepEqual(question?.attributes, {
    'drover.carrier': 'southern_parcels',
    'drover.adapter': 'southern_parcels',
    'drover.operation': 'book',
    'drover.outcome': 'yes',
  })
  assert.deepEqual(call?.attributes, {
    ...question?.attributes,
    'http.request.method': 'POST',
    'http.response.status_code': '201',
    'server.address': 'sandbox',
    'drover.outcome': 'answered',
  })
  assert.equal(collector.headers[0]?.authorization, 'Bearer of-the-collector')
  assert.match(api.output(), new RegExp(`"route":"/:tenant_id/deliveries".*"trace_id":"${TRACE}"`))
  const { rows } = await parts.deps.db.query('select distinct traceparent from events where stream = $1', [
    id,
  ])
  assert.deepEqual(
    rows,
    [{ traceparent: made.headers.get('traceparent') }],
    'each event says what brought it about',
  )
})

test('spans hold outcomes and no personal data', async (t) => {
  const collector = await traceCollector(t)
  const sms = await smsGateway(t)
  const mail = await mailServer(t)
  const receiver = await webhookReceiver(t, () => 500)
  const { call, operator, fixture } = await testApi(t, {
    traces: tracesTo(collector.url),
    smsUrl: sms.url,
    smtpUrl: mail.url,
  })
  const hook = { url: `${receiver.url}/canary?token=canary` }
  assert.equal((await call('POST /demo/webhook-endpoints', { body: hook })).status, 201)
  const body = deliveryBody({ ...DUE, reference: 'CANARY-1', special_instructions: 'canary under the mat' })
  const made = await call('POST /demo/deliveries', {
    body,
    headers: { traceparent, 'idempotency-key': 'canary' },
  })
  assert.equal(made.status, 201)
  await call('GET /demo/deliveries?q=Nguyen')
  await call('GET /demo/deliveries/CANARY-1')
  await call('GET /demo/canary-of-an-address')
  await call('POST /demo/deliveries', {
    payload: '{"canary',
    headers: { 'content-type': 'application/json' },
  })
  await call('POST /demo/deliveries/quote-next-available', { body: quoteBody, token: 'drt_canary.canary' })
  await operator('GET /admin/audit-log?object=canary')

  const sent = await Promise.all([
    collector.span('the SMS', ({ name }) => name === 'send sms'),
    collector.span('the mail', ({ name }) => name === 'send email'),
  ])
  const hooked = await collector.span(
    'the webhook',
    ({ name, links }) => name === 'post webhook' && links.some(({ traceId }) => traceId === TRACE),
  )
  for (const span of sent) {
    assert.deepEqual(
      [span.traceId, span.attributes['drover.outcome'], span.kind],
      [TRACE, 'yes', 3],
      span.name,
    )
    assert.equal(span.attributes['server.address'], '127.0.0.1')
  }
  assert.deepEqual(hooked.attributes, {
    'http.request.method': 'POST',
    'http.response.status_code': '500',
    'server.address': '127.0.0.1',
    'error.type': '500',
  })
  assert.deepEqual(hooked.status, { code: 2 })
  for (const spanName of ['GET /:tenant_id/deliveries/:delivery_id_or_reference', 'GET'])
    await collector.span(spanName, ({ name }) => name === spanName)
  assert.deepEqual(
    [...receiver.received, ...sms.asked].filter((one) => JSON.stringify(one).includes(TRACE)),
    [],
  )

  const token = await (await usedBy(apiOf(fixture), fixture)).tokenOf('demo-client', 'demo-secret')
  const exported = collector.bodies.join('\n')
  const secrets = 'demo-secret anary CANARY Nguyen Drummond 491570156 +61 ada@ drt_ whsec_ Bearer'
  for (const secret of [token, customer.phone, new URL(sms.url).password, ...secrets.split(' ')]) {
    assert.ok(!exported.includes(secret), `${secret} was exported`)
  }
})

test('a silent or absent collector slows nothing and fails nothing', async (t) => {
  const collector = await traceCollector(t)
  collector.fate = 'silent'
  const traces = tracesTo(collector.url)
  const api = await testApi(t, { traces: { ...traces, queue: { ...traces.queue, maxWaiting: 8 } } })
  const { parts } = api.fixture
  for (let n = 0; n < 20; n++) {
    const { status } = await api.call('POST /demo/deliveries', { body: deliveryBody({ ...DUE }) })
    assert.equal(status, 201)
  }
  const { values = [] } = (await parts.registry.getSingleMetric('drover_trace_spans_total')?.get()) ?? {}
  const dropped = values.find(({ labels }) => labels.result === 'dropped')?.value ?? 0
  assert.ok(dropped > 0, 'what is left untold is counted')
})

test('a request without a trace starts one, and an unsampled trace is stored nowhere', async (t) => {
  const collector = await traceCollector(t)
  const { call, fixture } = await testApi(t, { traces: tracesTo(collector.url), work: false })
  const reported = await call('POST /demo/deliveries', { body: deliveryBody() })
  assert.match(String(reported.headers.traceparent), /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
  const headers = { traceparent: traceparent.replace(/01$/, '00') }
  const unreported = await call('POST /demo/deliveries', { body: deliveryBody(), headers })
  assert.match(String(unreported.headers.traceparent), new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`))
  const stored = async (id: string) =>
    (await fixture.deps.db.query('select traceparent from deliveries where delivery_id = $1', [id])).rows[0]
      .traceparent
  assert.equal(await stored(reported.json.data.id), reported.headers.traceparent)
  assert.equal(await stored(unreported.json.data.id), null)
  await call('GET /health/live', { token: null })
  const refused = await call('GET /demo/nothing', { token: null })
  await collector.span('the refusal', ({ attributes }) => attributes['http.response.status_code'] === '401')
  assert.equal(refused.json.request_id, refused.headers['x-request-id'])
  assert.deepEqual(
    collector.spans().filter(({ name, traceId }) => name.includes('health') || traceId === TRACE),
    [],
  )
})
