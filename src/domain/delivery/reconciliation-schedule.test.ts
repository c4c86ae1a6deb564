import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countRetriesWithin, retryBackoffMs, unknownOutcomeBackoffMs } from './backoff.ts'
import {
  firstLookMs,
  nextLookMs,
  nextOrphanCancelMs,
  nextRecheckMs,
  retryLookMs,
} from './reconciliation-schedule.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** The middle of the jitter range. */
const EVEN = 0.5

test('an abandoned booking is looked up after ten minutes, an hour and a day', () => {
  assert.equal(firstLookMs(0), 10 * MINUTE_MS)
  const cases = [
    [10 * MINUTE_MS, HOUR_MS],
    // A worker that runs late skips looks that have passed.
    [HOUR_MS, 24 * HOUR_MS],
    [3 * HOUR_MS, 24 * HOUR_MS],
    [24 * HOUR_MS, null],
    [72 * HOUR_MS, null],
  ] as const
  for (const [nowMs, next] of cases) assert.equal(nextLookMs(0, nowMs), next, `at ${nowMs} ms`)
})

test('a look-up without an answer is retried every ten minutes for two days', () => {
  assert.equal(retryLookMs(0, HOUR_MS, EVEN), HOUR_MS + 10 * MINUTE_MS)
  assert.equal(retryLookMs(0, 48 * HOUR_MS - 1, 0), 48 * HOUR_MS - 1 + 8 * MINUTE_MS)
  assert.equal(retryLookMs(0, 48 * HOUR_MS, EVEN), null)
})

test('a held delivery is rechecked less and less often, until long after its window', () => {
  const held = { heldAtMs: 0, windowToMs: 3 * HOUR_MS }
  const cases = [
    [0, 5],
    [59 * MINUTE_MS, 5],
    [HOUR_MS, 15],
    [6 * HOUR_MS, 60],
    [50 * HOUR_MS, 60],
    [51 * HOUR_MS, null],
  ] as const
  for (const [atMs, minutes] of cases) {
    const next = nextRecheckMs(held, atMs, EVEN)
    assert.equal(next, minutes === null ? null : atMs + minutes * MINUTE_MS, `${atMs / HOUR_MS} h`)
  }
  // A delivery held after its window still has its two days.
  assert.ok(nextRecheckMs({ heldAtMs: 60 * HOUR_MS, windowToMs: 0 }, 100 * HOUR_MS, EVEN))
})

test('a booking with an unknown outcome is retried within a minute after any number of attempts', () => {
  assert.deepEqual(
    [0, 1, 3, 4, 50].map((tries) => unknownOutcomeBackoffMs(tries, EVEN)),
    [2_000, 4_000, 16_000, 20_000, 20_000],
  )
  assert.ok(unknownOutcomeBackoffMs(50, 0.999) <= 24_000)
  assert.equal(retryBackoffMs(50, EVEN), 600_000)
})

test('an orphaned booking’s cancellation is retried with backoff, for two days', () => {
  const cases = [
    [0, 0, 2_000],
    [3, MINUTE_MS, MINUTE_MS + 16_000],
    [50, 24 * HOUR_MS, 24 * HOUR_MS + 10 * MINUTE_MS],
    [50, 48 * HOUR_MS - 1, 48 * HOUR_MS],
    [50, 48 * HOUR_MS, null],
    [0, 72 * HOUR_MS, null],
  ] as const
  for (const [attempts, nowMs, next] of cases) {
    assert.equal(
      nextOrphanCancelMs({ foundAtMs: 0, attempts }, nowMs, EVEN),
      next,
      `${attempts} attempts, ${nowMs} ms`,
    )
  }
})

test('no run of retries fits more into a time than its count', () => {
  assert.deepEqual(
    [0, 1_599, 1_600, 60_000, 3_600_000, 86_400_000].map((forMs) => countRetriesWithin(forMs, 20)),
    [0, 0, 1, 5, 14, 20],
  )
})
