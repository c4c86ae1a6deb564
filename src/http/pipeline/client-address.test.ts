import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { Registry } from 'prom-client'
import { OPERATOR } from '../../../test/api.ts'
import { type Fixture, testFixture } from '../../../test/fixture.ts'
import { buildServer } from '../server/server.ts'

/** Wrong secrets allowed for one client and address, per minute. */
const WRONG_SECRETS = 20

test('a forged X-Forwarded-For resets no limit', async (t) => {
  const fixture = await testFixture(t, { work: false })
  noTimeGoesBy(t)
  const cases: [string, readonly string[], (i: number) => ForgedAddress][] = [
    ['no proxy is trusted', [], (i) => ({ from: '203.0.113.1', forwarded: `198.51.100.${i}` })],
    [
      'the caller bypasses the proxy',
      PROXIES,
      (i) => ({ from: '203.0.113.2', forwarded: `198.51.100.${i}` }),
    ],
    [
      'the proxy adds whom it saw',
      PROXIES,
      (i) => ({ from: '10.1.2.3', forwarded: `198.51.100.${i}, 203.0.113.3` }),
    ],
  ]
  for (const [what, trusted, sent] of cases) {
    const app = apiBehind(fixture, trusted)
    t.after(() => app.close())
    const statuses: number[] = []
    for (let i = 0; i <= WRONG_SECRETS; i++) statuses.push(await wrongSecret(app, sent(i)))
    assert.deepEqual(statuses, [...Array(WRONG_SECRETS).fill(401), 429], what)
  }
})

test('each caller behind a trusted proxy has its own limit', async (t) => {
  const fixture = await testFixture(t, { work: false })
  noTimeGoesBy(t)
  const app = apiBehind(fixture, PROXIES)
  t.after(() => app.close())
  const through = (caller: string) => ({ from: '10.1.2.3', forwarded: `${caller}, 10.9.9.9` })
  for (let i = 0; i <= WRONG_SECRETS; i++) await wrongSecret(app, through('203.0.113.4'))
  assert.equal(await wrongSecret(app, through('203.0.113.4')), 429)
  assert.equal(await wrongSecret(app, through('203.0.113.5')), 401)
})

test('every limit counts an IPv6 /64 network as one caller, and an IPv4-mapped address as IPv4', async (t) => {
  const fixture = await testFixture(t, { work: false })
  noTimeGoesBy(t)
  const phone = (n: number) => `+6149157${2000 + n}`
  const apis: [line: string, max: number, wrong: number, body?: (n: number) => object][] = [
    ['POST /demo/auth/token', WRONG_SECRETS, 401, () => WRONG],
    ['POST /driver/login', 100, 202, (n) => ({ phone: phone(n) })],
    ['POST /driver/verify', 50, 401, (n) => ({ phone: phone(n), code: '000000' })],
    ['POST /session/forgotten', 50, 202, (n) => ({ email: `nobody-${n}@shop.example` })],
    ['POST /session', 0, 401, () => ({ email: 'nobody@shop.example', password: 'not this one' })],
    ['GET /track/nobody', 100, 404],
    ['GET /demo/stores', 5_000, 401],
  ]
  for (const [line, max, wrong, body] of apis) {
    const app = apiBehind(fixture, PROXIES)
    const [method, url] = line.split(' ') as ['POST', string]
    const from = async (caller: string, n: number) => {
      const headers = { 'x-forwarded-for': caller }
      const options = {
        method,
        url,
        remoteAddress: '10.1.2.3',
        headers,
        ...(body ? { payload: body(n) } : {}),
      }
      return (await app.inject(options)).statusCode
    }
    const each = Array.from({ length: max }, (_, n) => from(`2001:db8:1:2::${n.toString(16)}`, n))
    assert.deepEqual(new Set(await Promise.all(each)), new Set(max > 0 ? [wrong] : []), line)
    assert.equal(await from('2001:db8:1:2:ffff::1', max), 429, line)
    assert.equal(await from('2001:db8:1:3::1', max + 1), wrong, `${line}, another network`)
    await app.close()
  }
  const app = apiBehind(fixture, PROXIES)
  t.after(() => app.close())
  const through = (caller: string) => wrongSecret(app, { from: '10.1.2.3', forwarded: caller })
  for (let i = 0; i < WRONG_SECRETS; i++) await through('203.0.113.6')
  assert.equal(await through('::ffff:203.0.113.6'), 429)
  assert.equal(await through('::ffff:203.0.113.7'), 401)
})

const WRONG = { grant_type: 'client_credentials', client_id: 'demo-client', client_secret: 'wrong' }
const PROXIES = ['10.0.0.0/8']

type ForgedAddress = { from: string; forwarded: string }

/** Stops the clock, so that buckets do not refill. */
function noTimeGoesBy(t: TestContext): void {
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
}

function apiBehind(fixture: Fixture, trustedProxies: readonly string[]): FastifyInstance {
  return buildServer({
    ...fixture.deps,
    operatorToken: OPERATOR,
    version: '0.0.0-test',
    trustedProxies,
    registry: new Registry(),
    notReady: () => null,
  })
}

async function wrongSecret(app: FastifyInstance, { from, forwarded }: ForgedAddress): Promise<number> {
  const { statusCode } = await app.inject({
    method: 'POST',
    url: '/demo/auth/token',
    remoteAddress: from,
    headers: { 'x-forwarded-for': forwarded },
    payload: WRONG,
  })
  return statusCode
}
