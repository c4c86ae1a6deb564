import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loginRateLimit } from './driver-login-rate-limit.ts'

const NOW_MS = Date.UTC(2026, 10, 24)
const HOUR_MS = 3_600_000
const homes = [{ accountId: 'demo', storeId: 'carlton' }]
const live = (phone: string) => ({ phone, codesAnHour: 5, homes, isTexted: true })
const sandbox = (phone: string) => ({ phone, codesAnHour: 60, homes, isTexted: false })
const unknown = (phone: string) => ({ ...live(phone), homes: [] })

/** How many calls succeed before one is rejected. */
function countOf(spend: (number: number) => unknown): number {
  for (let number = 0; ; number++) {
    try {
      spend(number)
    } catch {
      return number
    }
  }
}

test('all callers together get no more guesses when there are more addresses and phones than entries', () => {
  const { consumeForIp, consumeForPhone } = loginRateLimit(NOW_MS, 20)
  let admitted = 0
  const guessFrom = (first: number, count: number, nowMs: number) => {
    for (let number = first; number < first + count; number++) {
      try {
        consumeForIp('guesses', `10.0.0.${number}`, nowMs)
        consumeForPhone('guesses', live(`+6149157${number}`), nowMs)
        admitted++
      } catch {}
    }
  }
  guessFrom(0, 5_000, NOW_MS)
  assert.equal(admitted, 500)
  guessFrom(5_000, 5_000, NOW_MS + HOUR_MS)
  assert.equal(admitted, 1_000)
})

test('phones that no courier has, and those of sandboxes, leave the couriers their guesses and codes', () => {
  const { consumeForIp, consumeForPhone } = loginRateLimit(NOW_MS)
  for (const counted of ['codes', 'guesses'] as const) {
    for (let number = 0; number < 2_000; number++) {
      consumeForIp(counted, `10.0.0.${number}`, NOW_MS)
      consumeForPhone(counted, (number % 2 ? unknown : sandbox)(`${number}`), NOW_MS)
    }
    const max = { codes: 1_000, guesses: 500 }[counted]
    assert.equal(
      countOf((number) => consumeForPhone(counted, live(`${number}`), NOW_MS)),
      max,
    )
    for (const phone of [live, sandbox, unknown])
      assert.throws(() => consumeForPhone(counted, phone('new'), NOW_MS), { code: 'rate_limited' })
  }
})

test('a refusal by the overall limit takes nothing from the address and the phone', () => {
  const { consumeForIp, consumeForPhone } = loginRateLimit(NOW_MS)
  countOf((number) => consumeForPhone('codes', live(`${number}`), NOW_MS))
  for (let tries = 0; tries < 200; tries++) {
    assert.throws(() => consumeForIp('codes', 'one', NOW_MS))
    assert.throws(() => consumeForPhone('codes', live('one'), NOW_MS))
  }
  const laterMs = NOW_MS + HOUR_MS / 2
  assert.equal(
    countOf(() => consumeForIp('codes', 'one', laterMs)),
    100,
  )
  assert.equal(
    countOf(() => consumeForPhone('codes', live('one'), laterMs)),
    5,
  )
})

test('an address and a phone have separate limits; every try of every code is a guess', () => {
  const { consumeForIp, consumeForPhone } = loginRateLimit(NOW_MS)
  const ceilings: [name: string, spend: () => unknown, max: number][] = [
    ['codes of an address', () => consumeForIp('codes', 'one', NOW_MS), 100],
    ['wrong codes of an address', () => consumeForIp('guesses', 'one', NOW_MS), 50],
    ['codes of a phone', () => consumeForPhone('codes', live('one'), NOW_MS), 5],
    ['wrong codes of a phone', () => consumeForPhone('guesses', live('one'), NOW_MS), 25],
    ['codes of a phone of sandboxes', () => consumeForPhone('codes', sandbox('two'), NOW_MS), 60],
    ['wrong codes of a phone of sandboxes', () => consumeForPhone('guesses', sandbox('two'), NOW_MS), 300],
  ]
  for (const [name, spend, max] of ceilings) assert.equal(countOf(spend), max, name)
})

test('a phone’s hour starts with its first code, and its whole limit returns when the hour ends', () => {
  const { consumeForPhone } = loginRateLimit(NOW_MS)
  const codes = (nowMs: number) => countOf(() => consumeForPhone('codes', live('one'), nowMs))
  assert.equal(codes(NOW_MS), 5)
  assert.equal(codes(NOW_MS + HOUR_MS - 1), 0)
  assert.throws(() => consumeForPhone('codes', live('one'), NOW_MS + HOUR_MS - 60_000), {
    message: 'This number has asked for 5 codes in an hour, so we won’t send another yet. Try again in 60 s.',
  })
  assert.equal(codes(NOW_MS + HOUR_MS), 5)
})

test('a refunded try does not count', () => {
  const { consumeForIp, consumeForPhone } = loginRateLimit(NOW_MS)
  for (let number = 0; number < 2_000; number++) {
    const refunds = [consumeForIp('guesses', 'one', NOW_MS), consumeForPhone('guesses', live('one'), NOW_MS)]
    for (const refund of refunds) refund()
  }
})
