const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** How often a carrier is asked about a booking that is on hold because it did not say whether it took it. */
const ASKED = [
  { forMs: HOUR_MS, everyMs: 5 * MINUTE_MS },
  { forMs: 6 * HOUR_MS, everyMs: 15 * MINUTE_MS },
] as const
const RAREST_MS = HOUR_MS
/** So long after the hold, and after the window that the booking was for, nothing new is to be learnt. */
const ASKED_FOR_MS = 48 * HOUR_MS

/** When to ask next, spread by up to a fifth either way; null: no more. Account time; `chance` is in [0, 1). */
export function nextRecheckMs(
  { heldAtMs, windowToMs }: { heldAtMs: number; windowToMs: number },
  nowMs: number,
  chance: number,
): number | null {
  if (nowMs >= Math.max(heldAtMs, windowToMs) + ASKED_FOR_MS) return null
  const everyMs = ASKED.find(({ forMs }) => nowMs - heldAtMs < forMs)?.everyMs ?? RAREST_MS
  return nowMs + Math.round(everyMs * (0.8 + 0.4 * chance))
}
