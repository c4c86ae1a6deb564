const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** After the first attempt, the second …: the schedule of the Standard Webhooks specification 1.0.0. */
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
/** The last attempt is made this long after the first at the latest. */
const PATIENCE_MS = 72 * HOUR_MS
/** Attempts that failed together are spread by a tenth of the pause to either side. */
const SPREAD = 0.1
/** A receiver may ask for silence, but not for longer than this. */
const LONGEST_SILENCE_MS = 24 * HOUR_MS
/** An endpoint that took nothing for this long is paused, and its owner told. */
export const PAUSED_AFTER_MS = 120 * HOUR_MS

/**
 * When an event that failed is tried again (account time); null when it was tried often enough. `attempts`
 * counts the one that has just failed; `chance` is a random number from 0 to 1; a receiver that asked for
 * silence is not called before `silentUntilMs`.
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

/** Until when a receiver asked to be left alone by `Retry-After`, in seconds. */
export function silentUntilMs(nowMs: number, retryAfterSeconds: number): number {
  return nowMs + Math.min(Math.max(retryAfterSeconds, 0) * SECOND_MS, LONGEST_SILENCE_MS)
}

/** Whether an endpoint that has failed since then, without one success, is given up for the time being. */
export function isGivenUp(failingSinceMs: number, nowMs: number): boolean {
  return nowMs - failingSinceMs >= PAUSED_AFTER_MS
}
