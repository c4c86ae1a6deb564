import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstLookMs, nextLookMs, retryLookMs } from './look-up-schedule.ts'

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
