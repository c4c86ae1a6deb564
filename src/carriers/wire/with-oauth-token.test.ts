import assert from 'node:assert/strict'
import test from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { CarrierRequest, CarrierResponse } from '../port/send.ts'
import type { CachedToken, TokenCache } from '../port/token-cache.ts'
import { withOAuthToken } from './with-oauth-token.ts'

const request: CarrierRequest = { method: 'GET', path: '/x', headers: {}, body: undefined }

/** A `Send` whose tokens live `livesS`; it accepts those that are not `refused`. */
function wire({ name = 't', livesS = 1_000, status = 200, cache }: Partial<WireOf> = {}) {
  const clock = { nowMs: 0, setBackMs: 0, signInTakesMs: 0 }
  const requests: string[] = []
  const refused = new Set<string>()
  let issued = 0
  const send = async ({ at, headers, body }: CarrierRequest): Promise<CarrierResponse> => {
    if (at === 'login') {
      assert.ok(body instanceof URLSearchParams)
      issued += 1
      const token = `${name}${issued}`
      requests.push(`sign in ${token}`)
      await Promise.resolve()
      clock.nowMs += clock.signInTakesMs
      return { kind: 'answered', status, body: { access_token: token, expires_in: livesS } }
    }
    const token = headers.authorization?.replace('Bearer ', '') ?? ''
    requests.push(token)
    return { kind: 'answered', status: refused.has(token) ? 401 : 200, body: {} }
  }
  const call = withOAuthToken(
    { send, wallMs: () => clock.nowMs - clock.setBackMs, monotonicMs: () => clock.nowMs, tokens: cache },
    { clientId: 'id', clientSecret: 'secret', scope: 'all', path: '/token' },
  )
  return { clock, requests, refused, call }
}

type WireOf = { name: string; livesS: number; status: number; cache: TokenCache }

function tokenCache(): TokenCache {
  let cached: CachedToken | null = null
  return {
    get: async () => cached,
    put: async (signIn) => {
      cached = signIn
    },
  }
}

test('concurrent calls share one sign-in', async () => {
  const { call, requests } = wire()
  await Promise.all([call(request), call(request), call(request)])
  await call(request)
  assert.deepEqual(requests, ['sign in t1', 't1', 't1', 't1', 't1'])
})

test('a token near its expiry is used while one request renews it', async () => {
  const { call, requests, clock } = wire({ livesS: 1_000 })
  await call(request)
  clock.nowMs = 950_000
  await Promise.all([call(request), call(request)])
  await setImmediate()
  await call(request)
  assert.deepEqual(requests, ['sign in t1', 't1', 'sign in t2', 't1', 't1', 't2'])
})

test('an expired token is not used', async () => {
  const { call, requests, clock } = wire({ livesS: 1_000 })
  await call(request)
  clock.nowMs = 1_000_000
  await call(request)
  assert.deepEqual(requests, ['sign in t1', 't1', 'sign in t2', 't2'])
})

test('a rejected token is renewed once and the request repeated', async () => {
  const { call, requests, refused } = wire()
  refused.add('t1')
  assert.deepEqual(await call(request), { kind: 'answered', status: 200, body: {} })
  refused.add('t2')
  refused.add('t3')
  assert.deepEqual(await call(request), { kind: 'answered', status: 401, body: {} })
  assert.deepEqual(requests, ['sign in t1', 't1', 'sign in t2', 't2', 't2', 'sign in t3', 't3'])
})

test('a failed sign-in sends nothing and does not repeat the secret', async () => {
  const { call, requests } = wire({ status: 401 })
  const response = await call(request)
  assert.equal(response.kind, 'not_sent')
  assert.doesNotMatch(JSON.stringify(response), /secret|t1/)
  assert.deepEqual(requests, ['sign in t1'])
})

test('processes with a shared token cache reuse each other’s token while it is valid', async () => {
  const shared = { cache: tokenCache(), livesS: 1_000 }
  const [one, other] = [wire(shared), wire({ ...shared, name: 'u' })]
  await one.call(request)
  await other.call(request)
  assert.deepEqual(other.requests, ['t1'])
  one.clock.nowMs = 950_000
  other.clock.nowMs = 950_000
  for (const { call } of [one, one, other, other]) {
    await call(request)
    await setImmediate()
  }
  assert.deepEqual(one.requests, ['sign in t1', 't1', 'sign in t2', 't1', 't2'])
  assert.deepEqual(other.requests, ['t1', 't1', 't2'])
})

test('a rejected token is not read from the cache again', async () => {
  const shared = { cache: tokenCache() }
  const [one, other] = [wire(shared), wire({ ...shared, name: 'u' })]
  await one.call(request)
  other.refused.add('t1')
  assert.equal((await other.call(request)).kind, 'answered')
  assert.deepEqual(other.requests, ['t1', 'sign in u1', 'u1'])
})

test('a rate-limited sign-in is not retried for 30 seconds, but a cached token is used', async () => {
  const shared = { cache: tokenCache() }
  const { call, requests, clock } = wire({ ...shared, status: 429 })
  for (const nowMs of [0, 10_000, 29_999]) {
    clock.nowMs = nowMs
    assert.equal((await call(request)).kind, 'not_sent')
  }
  assert.deepEqual(requests, ['sign in t1'])
  clock.nowMs = 30_000
  clock.setBackMs = 3_600_000
  await call(request)
  assert.deepEqual(requests, ['sign in t1', 'sign in t2'], 'also after the wall clock was set back')
  await shared.cache.put({ token: 'of another', renewFromMs: 900_000, endsMs: 1_000_000 })
  assert.equal((await call(request)).kind, 'answered')
  assert.deepEqual(requests, ['sign in t1', 'sign in t2', 'of another'])
})

test('after a slow sign-in the request is not sent, and the next call uses the token', async () => {
  const { call, requests, clock } = wire()
  clock.signInTakesMs = 10_001
  assert.deepEqual(await call(request), {
    kind: 'not_sent',
    message: 'sign-in failed: it took too long',
    tooMany: false,
  })
  await call(request)
  assert.deepEqual(requests, ['sign in t1', 't1'])
})
