/** Webhook retry: when a failed webhook is sent again, and when its endpoint is paused. */

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/**
 * Backoff with jitter: the pauses after the first attempt, the second …, from the Standard Webhooks
 * specification 1.0.0.
 */
const PAUSES_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
]
/** The last attempt is at most this long after the first. */
const PATIENCE_MS = 72 * HOUR_MS
/** Jitter: attempts that failed together are spread by ±10 % of the pause. */
const SPREAD = 0.1
/** A receiver may ask for a pause by `Retry-After`, but for no longer than this. */
const LONGEST_SILENCE_MS = 24 * HOUR_MS
/** An endpoint that accepted no event for this long is paused, and its owner is notified. */
export const PAUSED_AFTER_MS = 120 * HOUR_MS

/**
 * When to retry an event that failed (account time); null after the last attempt. `attempts` includes the one
 * that just failed; `chance` is a random number from 0 to 1; a receiver that asked for a pause is not called
 * before `silentUntilMs`.
 */
export function nextAttemptMs(failed: {
  attempts: number
  firstMs: number
  nowMs: number
  chance: number
  silentUntilMs: number | null
}): number | null {
  const pauseMs = PAUSES_MS[failed.attempts - 1]
  const lastMs = failed.firstMs + PATIENCE_MS
  if (pauseMs === undefined || failed.nowMs >= lastMs) return null
  const spreadMs = Math.round(pauseMs * (1 - SPREAD + 2 * SPREAD * failed.chance))
  return Math.max(Math.min(failed.nowMs + spreadMs, lastMs), failed.silentUntilMs ?? 0)
}

/** Until when a receiver asked for no calls by `Retry-After`, in seconds. */
export function silentUntilMs(nowMs: number, retryAfterSeconds: number): number {
  return nowMs + Math.min(Math.max(retryAfterSeconds, 0) * SECOND_MS, LONGEST_SILENCE_MS)
}

/** Whether an endpoint that has failed since then, without one success, is paused. */
export function isGivenUp(failingSinceMs: number, nowMs: number): boolean {
  return nowMs - failingSinceMs >= PAUSED_AFTER_MS
}
