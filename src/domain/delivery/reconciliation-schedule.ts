import { retryBackoffMs } from './backoff.ts'

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

/**
 * Unknown outcome: how often we ask a carrier about a booking that is on hold because the carrier did not say
 * whether it accepted it.
 */
const INTERVALS = [
  { forMs: HOUR_MS, everyMs: 5 * MINUTE_MS },
  { forMs: 6 * HOUR_MS, everyMs: 15 * MINUTE_MS },
] as const
const RAREST_MS = HOUR_MS
/** This long after the hold, and after the booking's window, rechecks stop. */
const RECHECK_FOR_MS = 48 * HOUR_MS

/** When to ask next, with ±20 % jitter; null: no further attempts. Account time; `chance` is in [0, 1). */
export function nextRecheckMs(
  { heldAtMs, windowToMs }: { heldAtMs: number; windowToMs: number },
  nowMs: number,
  chance: number,
): number | null {
  if (nowMs >= Math.max(heldAtMs, windowToMs) + RECHECK_FOR_MS) return null
  const everyMs = INTERVALS.find(({ forMs }) => nowMs - heldAtMs < forMs)?.everyMs ?? RAREST_MS
  return nowMs + Math.round(everyMs * (0.8 + 0.4 * chance))
}

/** By then the courier has collected it or never will; staff must resolve the rest. */
const RETRY_FOR_MS = 48 * 3_600_000

/**
 * Orphaned booking: when to ask the carrier again to cancel it, `attempts` after it was found. Backoff from 2 s
 * on, and one last try at the end of two days; null: no further attempts. Account time; `chance` is in [0, 1).
 */
export function nextOrphanCancelMs(
  { foundAtMs, attempts }: { foundAtMs: number; attempts: number },
  nowMs: number,
  chance: number,
): number | null {
  const endMs = foundAtMs + RETRY_FOR_MS
  return nowMs >= endMs ? null : Math.min(nowMs + retryBackoffMs(attempts, chance), endMs)
}
