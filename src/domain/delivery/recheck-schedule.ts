const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/**
 * How often we ask a carrier about a booking that is on hold because the carrier did not say whether it
 * accepted it.
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
