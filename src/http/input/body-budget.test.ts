import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import pino from 'pino'
import { Registry } from 'prom-client'
import { OPERATOR } from '../../../test/api.ts'
import { testFixture } from '../../../test/fixture.ts'
import { until } from '../../../test/wait-until.ts'
import { ACCOUNT_BODY, PROOF_BODY, SMALL_BODY } from '../contract/body-limit.ts'
import type { IntakeLimits } from '../contract/intake-limits.ts'
import { buildServer } from '../server/server.ts'
import { closeServer } from '../server/stop.ts'
import { makeBodyBudget } from './body-budget.ts'
import { bodyDeadlineMs } from './read-body.ts'

const MIB = 1024 * 1024
const LIMITS: IntakeLimits = { bodyBytes: 8 * MIB, bodyMs: 60_000, perAddress: 100 }
const never = () => assert.fail('it was late')

test('all bodies share one budget, and an address has at most a quarter of it', () => {
  const budget = makeBodyBudget(LIMITS)
  const one = budget.begin('one', 60_000, never)
  one.take(2 * MIB)
  assert.throws(() => one.take(1), { code: 'service_unavailable' })
  const others = ['two', 'three', 'four'].map((address) => budget.begin(address, 60_000, never))
  for (const other of others) other.take(2 * MIB)
  const last = budget.begin('five', 60_000, never)
  assert.throws(() => last.take(1), { code: 'service_unavailable' })
  assert.equal(budget.bytesHeld(), 8 * MIB)
  one.release()
  one.release()
  last.take(2 * MIB)
  for (const lease of [...others, last]) lease.release()
  assert.equal(budget.bytesHeld(), 0)
})

test('an address may send a limited number of bodies at once, whatever their size', () => {
  const budget = makeBodyBudget(LIMITS)
  const leases = Array.from({ length: 100 }, () => budget.begin('one', 60_000, never))
  assert.throws(() => budget.begin('one', 60_000, never), { code: 'service_unavailable' })
  budget.begin('two', 60_000, never).release()
  leases[0]?.arrived()
  budget.begin('one', 60_000, never).release()
  for (const lease of leases) lease.release()
  assert.equal(budget.bytesHeld(), 0)
})

test('connections that stall before the last 10 bytes hold no more than the budget, and are closed when late', async (t) => {
  const { port, metric, token } = await listening(t, { ...LIMITS, bodyMs: 3_000, perAddress: 1_000 })
  const head = headOf('POST /demo/deliveries', MIB, `authorization: Bearer ${token}\r\n`)
  const body = Buffer.alloc(MIB - 10, 'x')
  const callers = Array.from({ length: 40 }, () => caller(port, head, body))
  let max = 0
  while (!callers.every(({ received }) => received().includes('\r\n\r\n'))) {
    max = Math.max(max, await metric())
    await new Promise((done) => setTimeout(done, 10)) // Samples the metric.
  }
  assert.ok(max > 0 && max <= 2 * MIB, `${max} bytes of one address were held`)
  const statuses = Map.groupBy(callers, ({ received }) => received().slice(9, 12))
  // On a fast machine some exceed the client's rate limit, which counts bytes too.
  assert.deepEqual([...statuses.keys()].filter((status) => status !== '429').sort(), ['408', '503'])
  for (const { received } of statuses.get('503') ?? []) assert.match(received(), /\r\nretry-after: 1\r\n/i)
  for (const { received } of statuses.get('408') ?? []) {
    assert.match(received(), /\r\nconnection: close\r\n/i)
    assert.match(received(), /"code":"request_timeout"/)
  }
  for (const { socket } of callers) socket.destroy()
  await until(async () => (await metric()) === 0, 'the budget is free')
})

test('a photo has 1 s more for each 10 kB, as the driver’s app gives it; no other body has more time', () => {
  assert.equal(bodyDeadlineMs(PROOF_BODY, 10_000, 600_000), 80_000)
  assert.equal(bodyDeadlineMs(PROOF_BODY, 10_000, null), 20_000)
  assert.equal(bodyDeadlineMs(ACCOUNT_BODY, 10_000, 600_000), 20_000)
  assert.equal(bodyDeadlineMs(SMALL_BODY, 10_000, 16_000), 10_000)
})

test('a body that never begins, or that nobody reads, is late all the same', async (t) => {
  const { port } = await listening(t, { ...LIMITS, bodyMs: 500 })
  const callers = [
    caller(port, headOf('POST /driver/login', 100), Buffer.alloc(0)),
    caller(port, headOf('POST /driver/jobs/dlv_1/deliver', MIB), Buffer.from('{')),
    caller(port, headOf('GET /health/live', 100), Buffer.from('{')),
  ]
  await until(() => callers.every(({ socket }) => socket.closed), 'all are closed')
  assert.deepEqual(
    callers.map(({ received }) => received().slice(9, 12)),
    ['408', '401', '200'],
  )
})

test('a client that hangs up while its large body is parsed leaves the budget free', async (t) => {
  const { port, metric } = await listening(t, LIMITS)
  const body = Buffer.from(JSON.stringify({ stores: Array(300_000).fill(1) }))
  const head = headOf('PUT /admin/accounts/demo', body.length, `authorization: Bearer ${OPERATOR}\r\n`)
  for (let left = 3; left > 0; left--) {
    const { socket } = caller(port, head, body)
    await until(async () => (await metric()) >= body.length, 'the body has arrived')
    socket.resetAndDestroy()
    await until(async () => (await metric()) === 0, 'the budget is free')
  }
})

test('900 such connections without a token are rejected by their Content-Length and use no budget', async (t) => {
  const { port, metric } = await listening(t, LIMITS)
  const head = headOf('POST /driver/login', MIB)
  const callers = Array.from({ length: 900 }, () => caller(port, head, Buffer.alloc(1_000, 'x')))
  await until(() => callers.every(({ received }) => received().includes('\r\n\r\n')))
  assert.deepEqual(new Set(callers.map(({ received }) => received().slice(9, 12))), new Set(['413']))
  assert.equal(await metric(), 0)
  for (const { socket } of callers) socket.destroy()
})

test('each caller behind a trusted proxy has its own share', async (t) => {
  const limits = { ...LIMITS, perAddress: 2 }
  const { port, metric } = await listening(t, limits, ['127.0.0.1'])
  const half = (address: string) =>
    caller(port, headOf('POST /driver/login', 100, `x-forwarded-for: ${address}\r\n`), Buffer.from('{'))
  const held = [half('203.0.113.1'), half('203.0.113.1'), half('203.0.113.2')]
  await until(async () => (await metric()) >= 3, 'three are held')
  const third = half('203.0.113.1')
  await until(() => third.received().includes('\r\n\r\n'))
  assert.match(third.received(), / 503 [\s\S]*This address is sending too many request bodies/)
  const other = half('203.0.113.2')
  await until(async () => (await metric()) >= 4, 'four are held')
  assert.equal(other.received(), '')
  for (const { socket } of [...held, third, other]) socket.destroy()
})

async function listening(t: TestContext, limits: IntakeLimits, trustedProxies: readonly string[] = []) {
  const fixture = await testFixture(t, { work: false })
  const registry = new Registry()
  const app = buildServer({
    ...fixture.deps,
    log: pino({ level: 'silent' }),
    operatorToken: OPERATOR,
    version: '0.0.0-test',
    limits,
    trustedProxies,
    registry,
    notReady: () => null,
  })
  t.after(() => closeServer(app, { drainMs: 0, withinMs: 500 }))
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  const grant = { grant_type: 'client_credentials', client_id: 'demo-client', client_secret: 'demo-secret' }
  const { access_token: token } = (
    await app.inject({ method: 'POST', url: '/demo/auth/token', payload: grant })
  ).json()
  const metric = async () => Number(/^drover_http_body_bytes (\d+)/m.exec(await registry.metrics())?.[1])
  return { port, metric, token }
}

function headOf(line: string, length: number, more = ''): string {
  return `${line} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${more}content-length: ${length}\r\n\r\n`
}

function caller(port: number, head: string, body: Buffer): { received(): string; socket: Socket } {
  let received = ''
  const socket = connect(port, '127.0.0.1', () => {
    socket.write(head)
    socket.write(body)
  })
  socket.on('data', (data) => {
    received += data.toString('latin1')
  })
  socket.on('error', () => {})
  return { received: () => received, socket }
}
