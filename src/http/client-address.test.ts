import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { Registry } from 'prom-client'
import { OPERATOR } from '../../test/door.ts'
import { testWorld, type World } from '../../test/world.ts'
import { buildServer } from './server.ts'

/** Of one client and address, in a minute. */
const WRONG_SECRETS = 20

test('a forged X-Forwarded-For resets no limit', async (t) => {
  const world = await testWorld(t, { work: false })
  const cases: [string, readonly string[], (i: number) => Sent][] = [
    ['no proxy is trusted', [], (i) => ({ from: '203.0.113.1', forwarded: `198.51.100.${i}` })],
    ['he came past the proxy', PROXIES, (i) => ({ from: '203.0.113.2', forwarded: `198.51.100.${i}` })],
    [
      'the proxy adds whom it saw',
      PROXIES,
      (i) => ({ from: '10.1.2.3', forwarded: `198.51.100.${i}, 203.0.113.3` }),
    ],
  ]
  for (const [what, trusted, sent] of cases) {
    const app = doorBehind(world, trusted)
    t.after(() => app.close())
    const statuses: number[] = []
    for (let i = 0; i <= WRONG_SECRETS; i++) statuses.push(await wrongSecret(app, sent(i)))
    assert.deepEqual(statuses, [...Array(WRONG_SECRETS).fill(401), 429], what)
  }
})

test('behind a trusted proxy each caller has a limit of his own', async (t) => {
  const world = await testWorld(t, { work: false })
  const app = doorBehind(world, PROXIES)
  t.after(() => app.close())
  const through = (caller: string) => ({ from: '10.1.2.3', forwarded: `${caller}, 10.9.9.9` })
  for (let i = 0; i <= WRONG_SECRETS; i++) await wrongSecret(app, through('203.0.113.4'))
  assert.equal(await wrongSecret(app, through('203.0.113.4')), 429)
  assert.equal(await wrongSecret(app, through('203.0.113.5')), 401)
})

const PROXIES = ['10.0.0.0/8']

type Sent = { from: string; forwarded: string }

function doorBehind(world: World, trustedProxies: readonly string[]): FastifyInstance {
  return buildServer({
    ...world.deps,
    operatorToken: OPERATOR,
    version: '0.0.0-test',
    trustedProxies,
    registry: new Registry(),
    notReady: () => null,
  })
}

async function wrongSecret(app: FastifyInstance, { from, forwarded }: Sent): Promise<number> {
  const { statusCode } = await app.inject({
    method: 'POST',
    url: '/demo/auth/token',
    remoteAddress: from,
    headers: { 'x-forwarded-for': forwarded },
    payload: { grant_type: 'client_credentials', client_id: 'demo-client', client_secret: 'wrong' },
  })
  return statusCode
}
