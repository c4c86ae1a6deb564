import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isGivenUp, nextAttemptMs, silentUntilMs } from './retry.ts'

const HOUR_MS = 3_600_000

test('an event is attempted ten times in three days, with growing pauses', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 9, maxLength: 9 }),
      (chances) => {
        const attemptsMs = [0]
        for (const chance of [...chances, 0.5]) {
          const nowMs = attemptsMs.at(-1) as number
          const next = nextAttemptMs({
            attempts: attemptsMs.length,
            firstMs: 0,
            nowMs,
            chance,
            silentUntilMs: null,
          })
          if (next === null) break
          attemptsMs.push(next)
        }
        assert.equal(attemptsMs.length, 10)
        const lastMs = attemptsMs.at(-1) as number
        assert.ok(lastMs >= 68 * HOUR_MS && lastMs <= 72 * HOUR_MS)
        const pauses = attemptsMs.slice(1, -1).map((at, index) => at - (attemptsMs[index] as number))
        assert.deepEqual(
          pauses,
          pauses.toSorted((a, b) => a - b),
        )
        assert.ok((pauses[0] as number) >= 4_500 && (pauses[0] as number) <= 5_500)
      },
    ),
  )
})

test('retries end after the third day even if the clock jumps, and respect Retry-After', () => {
  const failed = { attempts: 2, firstMs: 0, chance: 0.5, silentUntilMs: null }
  assert.equal(nextAttemptMs({ ...failed, nowMs: 80 * HOUR_MS }), null)
  const silentUntil = silentUntilMs(0, 7_200)
  assert.equal(nextAttemptMs({ ...failed, nowMs: 0, silentUntilMs: silentUntil }), 2 * HOUR_MS)
  assert.equal(silentUntilMs(0, 10 ** 9), 24 * HOUR_MS, 'a receiver can pause us for at most a day')
  assert.equal(silentUntilMs(5, -1), 5)
})

test('an endpoint is disabled after five days without a success', () => {
  assert.equal(isGivenUp(0, 120 * HOUR_MS - 1), false)
  assert.equal(isGivenUp(0, 120 * HOUR_MS), true)
})
