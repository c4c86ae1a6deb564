const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/**
 * Reconciliation: how long after Drover gave up a booking it looks for it again. A list that lags shows the booking
 * within minutes, a carrier that was down within the hour, and an overnight correction by the next day.
 */
const LOOKS_AFTER_MS = [10 * MINUTE_MS, HOUR_MS, 24 * HOUR_MS] as const

/** How often we retry a carrier that does not answer, until two days after the booking was given up. */
const RETRY_MS = 10 * MINUTE_MS
const GIVE_UP_AFTER_MS = 48 * HOUR_MS

/** When to look for a booking that is given up at `givenUpAtMs` for the first time. Account time. */
export function firstLookMs(givenUpAtMs: number): number {
  return givenUpAtMs + LOOKS_AFTER_MS[0]
}

/** When to look next after the carrier said that it has no such booking; null: no further attempts. Account time. */
export function nextLookMs(givenUpAtMs: number, nowMs: number): number | null {
  const next = LOOKS_AFTER_MS.find((afterMs) => givenUpAtMs + afterMs > nowMs)
  return next === undefined ? null : givenUpAtMs + next
}

/** When to look again after the carrier gave no answer, with ±20 % jitter; null: stop. `chance` is in [0, 1). */
export function retryLookMs(givenUpAtMs: number, nowMs: number, chance: number): number | null {
  if (nowMs >= givenUpAtMs + GIVE_UP_AFTER_MS) return null
  return nowMs + Math.round(RETRY_MS * (0.8 + 0.4 * chance))
}
