import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { PeerChannel } from '../contract/deps.ts'
import { type Limit, makeBuckets, take, takeElsewhere } from './rate-limit.ts'
import { usageGossip } from './usage-gossip.ts'

const STEP_MS = 10
const LATENCY_MS = 20

/** Processes that hear each other after some latency, and a clock that `advance` moves on. */
function processes(t: TestContext, count: number, limit: Limit) {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: 0 })
  const listeners: ((message: string) => void)[] = []
  const sent: string[] = []
  let broken = false
  const channel: PeerChannel = {
    send: async (message) => {
      if (broken) throw new Error('the database is away')
      assert.ok(Buffer.byteLength(message) <= 8_000)
      sent.push(message)
      for (const heard of listeners) setTimeout(() => heard(message), LATENCY_MS)
    },
    listen: (heard) => {
      listeners.push(heard)
      setTimeout(() => heard(''), 1)
    },
  }
  const takers = Array.from({ length: count }, (_, n) => {
    const taken = usageGossip(
      channel,
      (name, tokens) => takeElsewhere(buckets(name, limit, Date.now()), limit, Date.now(), tokens),
      { id: `process ${n}`, nowMs: () => Date.now() },
    )
    const buckets = makeBuckets(10_000, taken)
    return (name: string, cost = 1) => take(buckets(name, limit, Date.now()), limit, Date.now(), cost) === 0
  })
  const advance = async (ms: number) => {
    for (let at = 0; at < ms; at += STEP_MS) {
      t.mock.timers.tick(STEP_MS)
      await Promise.resolve()
    }
  }
  return { takers, sent, advance, breaks: () => (broken = true) }
}

const SECONDS = 20
/** Which of the processes gets the request. */
const BALANCERS: Record<string, (request: number, count: number) => number> = {
  'round robin': (request, count) => request % count,
  'one connection that moves on each second': (request, count) => Math.floor(request / 300) % count,
  'always the first': () => 0,
}

for (const [balancer, choose] of Object.entries(BALANCERS)) {
  for (const limit of [
    { perSecond: 100, burst: 200 },
    { perSecond: 5, burst: 20 },
  ]) {
    for (const count of [1, 2, 6]) {
      test(`${count} processes admit what one would: ${balancer}, ${limit.perSecond} a second`, async (t) => {
        const { takers, advance } = processes(t, count, limit)
        await advance(500)
        let admitted = 0
        let request = 0
        for (let at = 0; at < SECONDS * 1_000; at += STEP_MS) {
          for (let n = 0; n < 3; n++) if (takers[choose(request++, count)]?.('demo key')) admitted++
          await advance(STEP_MS)
        }
        const one = limit.perSecond * SECONDS + limit.burst
        assert.ok(Math.abs(admitted / one - 1) <= 0.1, `${admitted} instead of ${one}`)
      })
    }
  }
}

test('a process without peers reports nothing', async (t) => {
  const { takers, sent, advance } = processes(t, 1, { perSecond: 10, burst: 10 })
  await advance(500)
  for (let n = 0; n < 5; n++) takers[0]?.('demo key')
  await advance(30_000)
  assert.ok(sent.every((message) => !message.includes('used')))
  assert.ok(sent.length <= 5, `${sent.length} messages in half a minute`)
})

test('of thousands of callers the busiest are reported first, and all in the end', async (t) => {
  const limit = { perSecond: 0.001, burst: 10 }
  const { takers, advance } = processes(t, 2, limit)
  await advance(500)
  const names = Array.from(
    { length: 2_000 },
    (_, n) => `account-${n} client_of_the_account_with_a_long_id_${n}`,
  )
  for (const name of names) takers[0]?.(name, 4)
  takers[0]?.('busy client', 10)
  await advance(200)
  assert.equal(takers[1]?.('busy client'), false)
  await advance(10_000)
  assert.deepEqual(
    names.filter((name) => takers[1]?.(name, 7)),
    [],
  )
})

test('what could not be sent is reported later, and each process still limits for itself', async (t) => {
  const limit = { perSecond: 10, burst: 10 }
  const { takers, advance, breaks } = processes(t, 2, limit)
  await advance(500)
  breaks()
  let admitted = 0
  for (let at = 0; at < 10_000; at += STEP_MS) {
    if (takers[0]?.('demo key')) admitted++
    await advance(STEP_MS)
  }
  assert.ok(admitted >= 100 && admitted <= 115, String(admitted))
})
