import assert from 'node:assert/strict'
import test from 'node:test'
import type { CarrierRequest, CarrierResponse } from './send.ts'
import { withToken } from './with-token.ts'

const request: CarrierRequest = { method: 'GET', path: '/x', headers: {}, body: undefined }

/** A wire whose tokens live `livesS`; it takes those in `good`. */
function wire({ livesS = 1_000, status = 200 } = {}) {
  const clock = { nowMs: 0 }
  const asked: string[] = []
  const refused = new Set<string>()
  let made = 0
  const call = withToken(
    async ({ at, headers, body }): Promise<CarrierResponse> => {
      if (at === 'login') {
        assert.ok(body instanceof URLSearchParams)
        made += 1
        const token = `t${made}`
        asked.push(`sign in ${token}`)
        await Promise.resolve()
        return { kind: 'answered', status, body: { access_token: token, expires_in: livesS } }
      }
      const token = headers.authorization?.replace('Bearer ', '') ?? ''
      asked.push(token)
      return { kind: 'answered', status: refused.has(token) ? 401 : 200, body: {} }
    },
    { clientId: 'id', clientSecret: 'secret', scope: 'all', path: '/token' },
    () => clock.nowMs,
  )
  return { clock, asked, refused, call }
}

test('many calls at once share one sign-in', async () => {
  const { call, asked } = wire()
  await Promise.all([call(request), call(request), call(request)])
  await call(request)
  assert.deepEqual(asked, ['sign in t1', 't1', 't1', 't1', 't1'])
})

test('a token near its end still serves while one other is fetched', async () => {
  const { call, asked, clock } = wire({ livesS: 1_000 })
  await call(request)
  clock.nowMs = 950_000
  await Promise.all([call(request), call(request)])
  await call(request)
  assert.deepEqual(asked, ['sign in t1', 't1', 'sign in t2', 't1', 't1', 't2'])
})

test('a token past its end is not used', async () => {
  const { call, asked, clock } = wire({ livesS: 1_000 })
  await call(request)
  clock.nowMs = 1_000_000
  await call(request)
  assert.deepEqual(asked, ['sign in t1', 't1', 'sign in t2', 't2'])
})

test('a refused token is replaced once, for the same request', async () => {
  const { call, asked, refused } = wire()
  refused.add('t1')
  assert.deepEqual(await call(request), { kind: 'answered', status: 200, body: {} })
  refused.add('t2')
  refused.add('t3')
  assert.deepEqual(await call(request), { kind: 'answered', status: 401, body: {} })
  assert.deepEqual(asked, ['sign in t1', 't1', 'sign in t2', 't2', 't2', 'sign in t3', 't3'])
})

test('without a sign-in nothing is sent, and the secret is not repeated', async () => {
  const { call, asked } = wire({ status: 401 })
  const response = await call(request)
  assert.equal(response.kind, 'not_sent')
  assert.doesNotMatch(JSON.stringify(response), /secret|t1/)
  assert.deepEqual(asked, ['sign in t1'])
})
