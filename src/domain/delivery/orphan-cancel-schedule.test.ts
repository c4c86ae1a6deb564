import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextOrphanCancelMs } from './orphan-cancel-schedule.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** The middle of the jitter range. */
const EVEN = 0.5

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
