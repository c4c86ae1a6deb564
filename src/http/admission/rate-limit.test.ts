import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import pino from 'pino'
import { apiOf, OPERATOR, quoteBody, type Reply, testApi, usedBy } from '../../../test/api.ts'
import type { HttpDeps } from '../contract/deps.ts'
import { makeAuthenticator } from './admission.ts'
import { allowanceHeaders, makeBuckets, rateLimitKey, take } from './rate-limit.ts'

test('a token bucket allows its burst at once, then its rate', () => {
  const limit = { perSecond: 2, burst: 3 }
  const bucket = makeBuckets(10)('one', limit, 0)
  const waits = [0, 0, 0, 0, 100, 500, 500, 10_000].map((atMs) => take(bucket, limit, atMs))
  assert.deepEqual(waits, [0, 0, 0, 1, 1, 0, 1, 0])
  const headers = ['ratelimit-policy', '"default";q=3;w=2', 'ratelimit', '"default";r=2;t=1']
  assert.deepEqual(allowanceHeaders(bucket, limit), headers)
})

test('a dearer request takes more tokens, and never more than the bucket holds', () => {
  const limit = { perSecond: 2, burst: 6 }
  const bucket = makeBuckets(10)('one', limit, 0)
  assert.deepEqual([take(bucket, limit, 0, 5), take(bucket, limit, 0, 5), take(bucket, limit, 0)], [0, 2, 0])
  assert.equal(take(bucket, limit, 60_000, 50), 0)
})

test('a clock that goes back adds no tokens', () => {
  const limit = { perSecond: 1, burst: 1 }
  const bucket = makeBuckets(10)('one', limit, 5_000)
  assert.equal(take(bucket, limit, 5_000), 0)
  assert.equal(take(bucket, limit, 1_000), 1)
})

test('each client has its own limits, set by the account and sent in headers before they are reached', async (t) => {
  const { call, operator, tokenOf } = await testApi(t, { work: false })
  const document = (await operator('GET /admin/accounts/demo')).json
  const applied = await operator('PUT /admin/accounts/demo', {
    body: { ...document, limits: { requests_per_second: 1, burst: 5 } },
  })
  assert.equal(applied.status, 200, applied.text)
  const created = await operator('POST /admin/accounts/demo/clients', {
    body: { name: 'Other', scopes: ['quotes'] },
  })
  const other = await tokenOf(created.json.data.client_id, created.json.data.client_secret)
  // The clock is stopped, so buckets do not refill.
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const QUOTE = 'POST /demo/deliveries/quote-next-available'

  const replies = []
  for (let i = 0; i < 8; i++) replies.push(await call(QUOTE, { body: quoteBody }))
  const refused = replies.filter(({ status }) => status === 429)
  assert.equal(refused.length, 3, replies.map(({ status }) => status).join())
  assert.equal(replies[0]?.headers['ratelimit-policy'], '"default";q=5;w=5')
  assert.equal(replies[0]?.headers.ratelimit, '"default";r=4;t=1')
  assert.equal(refused[0]?.headers['retry-after'], '1')
  assert.match(String(refused[0]?.headers.ratelimit), /^"default";r=0;t=5$/)
  assert.equal(refused[0]?.headers['ratelimit-policy'], '"default";q=5;w=5')
  assert.equal(refused[0]?.json.code, 'rate_limited')
  const forged = await call(QUOTE, { body: quoteBody, headers: { 'x-forwarded-for': '203.0.113.9' } })
  assert.equal(forged.status, 429, 'a forged address resets no limit')
  assert.equal((await call(QUOTE, { body: quoteBody, token: other })).status, 200)
  const wide = { address: { latitude: -37.8, longitude: 144.9 } }
  const allocated = await call('POST /demo/deliveries/quote/allocation', { body: wide, token: other })
  assert.equal(allocated.status, 429, 'an allocation counts as five')
  assert.ok(Number(allocated.headers['retry-after']) >= 1)
  assert.equal((await call('GET /admin/accounts', { token: OPERATOR })).status, 200)
})

test('an account over its limit is rejected and logged, while other accounts are served', async (t) => {
  const { fixture } = await testApi(t, { work: false })
  const lines: string[] = []
  const app = apiOf(fixture, pino({ level: 'info' }, { write: (line) => void lines.push(line) }))
  t.after(() => app.close())
  const { call, operator, tokenOf } = await usedBy(app, fixture)
  const document = (await operator('GET /admin/accounts/demo')).json
  const limits = { requests_per_second: 1, burst: 5 }
  const applied = await operator('PUT /admin/accounts/demo', { body: { ...document, limits } })
  assert.equal(applied.status, 200, applied.text)
  const token = await tokenOf('acme-client', 'acme-secret', undefined, 'acme-byoc')
  const ask = async (line: string, options = {}) => (await call(line, options)).status

  const noisy: number[] = []
  const quiet: number[] = []
  const beganMs = Date.now()
  for (let turn = 0; turn < 20; turn++) {
    const [own, ...theirs] = await Promise.all([
      ask('GET /acme-byoc/stores', { token }),
      ...Array.from({ length: 10 }, () => ask('GET /demo/stores')),
    ])
    quiet.push(own)
    noisy.push(...theirs)
  }
  const max = limits.burst + (limits.requests_per_second * (Date.now() - beganMs)) / 1_000
  assert.deepEqual(new Set(quiet), new Set([200]))
  assert.deepEqual(new Set(noisy), new Set([200, 429]))
  assert.ok(noisy.filter((status) => status === 200).length <= max)
  const refused = lines.map((line) => JSON.parse(line)).filter(({ status }) => status === 429)
  assert.deepEqual(new Set(refused.map(({ account }) => account)), new Set(['demo']))
})

test('a rejected request counts towards its client’s limit, and gets 429 beyond it', async (t) => {
  const { call, operator, tokenOf } = await testApi(t, { work: false })
  const document = (await operator('GET /admin/accounts/demo')).json
  const limits = { requests_per_second: 1, burst: 5 }
  await operator('PUT /admin/accounts/demo', { body: { ...document, limits } })
  for (const [line, status] of [
    ['GET /acme-byoc/stores', 404],
    ['GET /nobody/stores', 404],
    ['GET /demo/deliveries', 403],
  ] as const) {
    const body = { name: 'Reader', scopes: ['quotes'] }
    const { client_id, client_secret } = (await operator('POST /admin/accounts/demo/clients', { body })).json
      .data
    const token = await tokenOf(client_id, client_secret)
    const first = await call(line, { token })
    assert.deepEqual([first.status, first.headers.ratelimit], [status, '"default";r=4;t=1'], line)
    const more = await Promise.all(Array.from({ length: 20 }, () => call(line, { token })))
    const beyond = more.find((reply) => reply.status === 429)
    assert.equal(beyond?.headers['ratelimit-policy'], '"default";q=5;w=5', line)
  }
})

test('an address over its limit gets the limit in the response', () => {
  const { admitAnybody } = makeAuthenticator({} as HttpDeps)
  const request = { ip: '203.0.113.9', allowance: null } as FastifyRequest
  const ask = () => admitAnybody(request)
  ask()
  assert.equal(request.allowance, null, 'not before')
  assert.throws(() => {
    for (let i = 0; i < 20_000; i++) ask()
  }, /Too many requests from this address/)
  assert.match(
    String(request.allowance),
    /^ratelimit-policy,"default";q=5000;w=10,ratelimit,"default";r=0;t=10$/,
  )
})

test('a rejected request with a token gets the remaining limit in its headers', async (t) => {
  const { call, tokenOf } = await testApi(t, { work: false })
  const reader = await tokenOf('demo-client', 'demo-secret', 'quotes')
  const leftOf = ({ headers }: Reply) => Number(/r=(\d+)/.exec(String(headers.ratelimit))?.[1])
  for (const [line, status, token] of [
    ['DELETE /demo/deliveries/x', 405, undefined],
    ['GET /demo/nothing', 404, undefined],
    ['GET /acme-byoc/stores', 404, undefined],
    ['GET /demo/deliveries', 403, reader],
    ['POST /demo/deliveries', 415, undefined],
  ] as const) {
    const headers = status === 415 ? { 'content-type': 'text/plain' } : {}
    const payload = status === 415 ? { payload: 'x' } : {}
    const refused = await call(line, { headers, ...payload, ...(token && { token }) })
    assert.equal(refused.status, status, line)
    assert.match(String(refused.headers['ratelimit-policy']), /^"default";q=\d+;w=\d+$/, line)
    assert.ok(leftOf(refused) >= 0, line)
  }
})

test('a validation error costs one more request for each 25 mistakes, and is always sent', async (t) => {
  const { call, operator, tokenOf } = await testApi(t, { work: false })
  const document = (await operator('GET /admin/accounts/demo')).json
  const limits = { requests_per_second: 1, burst: 12 }
  assert.equal((await operator('PUT /admin/accounts/demo', { body: { ...document, limits } })).status, 200)
  const created = await operator('POST /admin/accounts/demo/clients', {
    body: { name: 'Counted', scopes: ['quotes'] },
  })
  const token = await tokenOf(created.json.data.client_id, created.json.data.client_secret)
  // The clock is stopped, so buckets do not refill.
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const parcels = (count: number) => Array.from({ length: count }, () => ({ reference: 1 }))
  const quote = (count: number) =>
    call('POST /demo/deliveries/quote-next-available', {
      token,
      body: { ...quoteBody, parcels: parcels(count) },
    })
  const [few, many] = [await quote(1), await quote(60)]
  assert.deepEqual([few.status, many.status, many.json.errors.length], [422, 422, 100])
  assert.ok(leftOf(few) - leftOf(many) >= 4, `${leftOf(few)} and ${leftOf(many)} left`)
  const more = [await quote(60), await quote(60), await quote(60)]
  assert.deepEqual(more.at(-1)?.status, 429)
})

function leftOf({ headers }: Reply): number {
  return Number(/r=(\d+)/.exec(`${headers.ratelimit}`)?.[1])
}

test('tries are counted per IPv4 address and per IPv6 network', () => {
  const networks: [ip: string, network: string][] = [
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['64:ff9b::203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:0002:0:0:0:1', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['nobody:at:all', 'nobody:at:all'],
    ['', ''],
  ]
  for (const [ip, network] of networks) assert.equal(rateLimitKey(ip), network, ip)
})
