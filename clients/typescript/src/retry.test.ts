import assert from 'node:assert/strict'
import test from 'node:test'
import { deliveryBody } from '../../../test/api.ts'
import { toDroverError } from './errors.ts'
import { type DeliveryRequest, Drover, type DroverError } from './index.ts'
import { toDelayMs } from './retry.ts'
import { type FakeFetch, fakeFetch, json, problem } from './test/fake-fetch.ts'
import { listeningApi } from './test/listening-api.ts'

const order = deliveryBody() as unknown as DeliveryRequest
const created = json(201, { data: { id: 'dlv_1' } })
const wait = { 'retry-after': '0' }
const cut = new TypeError('fetch failed')

/** With a token at hand, so that `fetch` sees only the request. */
function clientOf(fetch: FakeFetch, options: { maxRetries?: number; timeoutMs?: number } = {}): Drover {
  return new Drover({
    baseUrl: 'http://drover.test/',
    account: 'demo',
    token: async () => 'token',
    fetch,
    ...options,
  })
}

const CASES = [
  { name: 'a connection error', answers: [cut, created], sent: 2 },
  { name: '408', answers: [problem(408, 'request_timeout', wait), created], sent: 2 },
  { name: '429', answers: [problem(429, 'rate_limited', wait), created], sent: 2 },
  { name: '503', answers: [problem(503, 'service_unavailable', wait), created], sent: 2 },
  { name: 'a proxy’s 502', answers: [new Response('<h1>', { status: 502 }), created], sent: 2 },
  {
    name: 'the same key in progress',
    answers: [problem(409, 'idempotency_in_progress', wait), created],
    sent: 2,
  },
  { name: 'a booking in progress', answers: [problem(409, 'booking_in_progress', wait), created], sent: 2 },
  { name: 'three connection errors', answers: [cut], sent: 3, code: 'connection_failed' },
  { name: '500', answers: [problem(500, 'internal_error')], sent: 1, code: 'internal_error' },
  { name: '422', answers: [problem(422, 'invalid_request')], sent: 1, code: 'invalid_request' },
  {
    name: 'a reused key',
    answers: [problem(422, 'idempotency_key_reused')],
    sent: 1,
    code: 'idempotency_key_reused',
  },
  {
    name: 'an hour’s wait',
    answers: [problem(429, 'rate_limited', { 'retry-after': '3600' })],
    sent: 1,
    code: 'rate_limited',
  },
  { name: 'a redirect', answers: [new Response(null, { status: 301 })], sent: 1, code: 'unexpected_answer' },
] as const

for (const { name, answers, sent, ...rest } of CASES) {
  const code = 'code' in rest ? rest.code : null
  test(`after ${name}, a create ${code ? `fails as ${code}` : 'succeeds'} at request ${sent}, under one key`, async () => {
    const fetch = fakeFetch(...answers)
    const result = await clientOf(fetch)
      .deliveries.create(order)
      .catch((error: unknown) => error)
    if (code) assert.equal((result as DroverError).code, code)
    else assert.equal((result as { id: string }).id, 'dlv_1')
    assert.equal(fetch.sent.length, sent)
    const keys = new Set(fetch.sent.map(({ headers }) => headers['idempotency-key']))
    assert.equal(keys.size, 1)
    assert.match([...keys][0] as string, /^[\da-f]{8}-[\da-f-]{27}$/)
  })
}

test('a caller’s own key goes along, and a GET has no key', async () => {
  const fetch = fakeFetch(created)
  const drover = clientOf(fetch)
  await drover.deliveries.create(order, { idempotencyKey: 'order-1001' })
  await drover.deliveries.get('dlv_1', { store_reference: 'melbourne-cbd' })
  assert.deepEqual(
    fetch.sent.map(({ headers }) => headers['idempotency-key']),
    ['order-1001', undefined],
  )
  assert.equal(fetch.sent[1]?.url, 'http://drover.test/demo/deliveries/dlv_1?store_reference=melbourne-cbd')
})

test('a deletion whose answer was lost has succeeded if the thing is gone; otherwise 404 is an error', async () => {
  const gone = problem(404, 'not_found')
  await clientOf(fakeFetch(cut, gone)).links.revoke('lnk_1')
  await assert.rejects(clientOf(fakeFetch(gone)).links.revoke('lnk_1'), { code: 'not_found' })
  const limited = fakeFetch(problem(429, 'rate_limited', wait), gone)
  await assert.rejects(clientOf(limited).links.revoke('lnk_1'), { code: 'not_found' })
})

/** With an id and a secret, so that `fetch` sees the token's request first. */
function clientWithSecret(fetch: FakeFetch): Drover {
  return new Drover({
    baseUrl: 'http://drover.test',
    account: 'demo',
    clientId: 'c',
    clientSecret: 's',
    fetch,
  })
}

test('a deletion that was not sent, because its token request was lost, fails if the thing is gone', async () => {
  const token = json(200, { access_token: 'token', token_type: 'Bearer', expires_in: 3600, scope: '' })
  const fetch = fakeFetch(cut, token, problem(404, 'not_found'))
  await assert.rejects(clientWithSecret(fetch).links.revoke('lnk_1'), { code: 'not_found' })
  assert.equal(fetch.sent.length, 3)
})

test('a rejected secret is an error with the code and the description of RFC 6749', async () => {
  const refused = json(401, { error: 'invalid_client', error_description: 'The secret is wrong.' })
  const fetch = fakeFetch(refused)
  await assert.rejects(clientWithSecret(fetch).links.revoke('lnk_1'), {
    code: 'invalid_client',
    status: 401,
    message: 'The secret is wrong.',
  })
  assert.equal(fetch.sent.length, 1)
})

test('backoff is random up to 0.5 s, doubled to 8 s; Retry-After is the least', () => {
  for (let attempt = 0; attempt < 12; attempt++) {
    const delayMs = toDelayMs(attempt, null)
    assert.ok(delayMs >= 0 && delayMs <= Math.min(8_000, 500 * 2 ** attempt))
    const afterMs = toDelayMs(attempt, 3_000)
    assert.ok(afterMs >= 3_000 && afterMs <= 3_500)
  }
})

test('Retry-After may be a date', () => {
  const waitMs = (date: string) =>
    toDroverError(problem(429, 'rate_limited', { 'retry-after': date }), '').retryAfterMs ?? -1
  const inTen = waitMs(new Date(Date.now() + 10_000).toUTCString())
  assert.ok(inTen > 7_000 && inTen <= 10_000)
  assert.equal(waitMs('Sun, 06 Nov 1994 08:49:37 GMT'), 0)
  assert.equal(waitMs('soon'), -1)
})

test('a late answer is a timeout, and the caller’s signal ends a request and a wait at once', async () => {
  const never = ((_: string, { signal }: RequestInit) =>
    new Promise((_done, fail) =>
      signal?.addEventListener('abort', () => fail(new Error('aborted'))),
    )) as typeof fetch
  const hanging = clientOf(Object.assign(never, { sent: [] }), { timeoutMs: 20, maxRetries: 0 })
  await assert.rejects(hanging.deliveries.get('dlv_1'), { code: 'timeout', status: null })

  const waits = [never, fakeFetch(problem(429, 'rate_limited', { 'retry-after': '30' }))]
  for (const fetch of waits) {
    const stop = new AbortController()
    const got = clientOf(fetch as FakeFetch).deliveries.get('dlv_1', { signal: stop.signal })
    setTimeout(() => stop.abort(new Error('closing')), 20)
    await assert.rejects(got, { message: 'closing' })
  }
})

test('fifty first requests make one token request; a rejected token makes one more', async () => {
  let tokens = 0
  const fetch = (async (url: string, { headers }: RequestInit) => {
    if (url.endsWith('/auth/token')) {
      await new Promise((done) => setTimeout(done, 10))
      return json(200, {
        access_token: `token-${++tokens}`,
        token_type: 'Bearer',
        expires_in: 3600,
        scope: '',
      })
    }
    const isRevoked = (headers as Record<string, string>).authorization === 'Bearer token-1'
    return isRevoked ? problem(401, 'unauthorized') : json(200, { data: { id: 'dlv_1' } })
  }) as typeof globalThis.fetch
  const drover = new Drover({
    baseUrl: 'http://drover.test',
    account: 'demo',
    clientId: 'c',
    clientSecret: 's',
    fetch,
  })
  await Promise.all(Array.from({ length: 50 }, () => drover.deliveries.get('dlv_1')))
  assert.equal(tokens, 2)
})

test('a token that ends within a minute is renewed before it ends', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 0 })
  let tokens = 0
  const fetch = (async (url: string) =>
    url.endsWith('/auth/token')
      ? json(200, { access_token: `token-${++tokens}`, token_type: 'Bearer', expires_in: 600, scope: '' })
      : json(200, { data: {} })) as typeof globalThis.fetch
  const drover = new Drover({
    baseUrl: 'http://drover.test',
    account: 'demo',
    clientId: 'c',
    clientSecret: 's',
    fetch,
  })
  for (const [nowMs, expected] of [
    [0, 1],
    [539_000, 1],
    [541_000, 2],
  ] as const) {
    t.mock.timers.setTime(nowMs)
    await drover.deliveries.get('dlv_1')
    assert.equal(tokens, expected)
  }
})

const LIMITS = { requestsPerSecond: 20, burst: 20 }

test('a storm of 429: the API serves its limit, and every request succeeds in the end', async (t) => {
  const { drover: client, api } = await listeningApi(t)
  const { requestsPerSecond, burst } = LIMITS
  Object.assign(api.fixture.demo().account, { limits: LIMITS })
  const total = burst + requestsPerSecond * 5
  let answers = 0
  let limited = 0
  const counted: typeof fetch = async (...args) => {
    const response = await fetch(...args)
    answers++
    if (response.status === 429) limited++
    return response
  }
  const drover = client({ fetch: counted, maxRetries: 20 })
  const startedMs = performance.now()
  await Promise.all(Array.from({ length: total }, () => drover.stores.get('melbourne-cbd')))
  const seconds = (performance.now() - startedMs) / 1000
  t.diagnostic(
    `${total} requests at ${requestsPerSecond}/s, burst ${burst}: ${limited} of ${answers} were 429, ${seconds.toFixed(1)} s`,
  )
  assert.ok(limited > 0)
  // The token bucket: what it held, and what it got since. One for the token's own request.
  assert.ok(answers - limited <= burst + requestsPerSecond * (seconds + 1) + 1)
})
