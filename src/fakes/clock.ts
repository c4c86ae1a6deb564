/** A fake's time, in epoch milliseconds. It goes forward only. */
export type Clock = { nowMs(): number; advance(byMs: number): void }

/** Where a clock begins: it stands there until advanced, or runs on at the machine's pace. */
export type ClockStart = { nowMs?: number; fromMs?: number }

/** Without a beginning it is the machine's clock, ahead of it by what was advanced. */
export function startClock({ nowMs, fromMs }: ClockStart = {}): Clock {
  const beganMs = performance.now()
  let aheadMs = 0
  const paceMs = (): number => {
    if (nowMs !== undefined) return nowMs
    return fromMs === undefined ? Date.now() : fromMs + Math.floor(performance.now() - beganMs)
  }
  return {
    nowMs: () => paceMs() + aheadMs,
    advance(byMs) {
      aheadMs += Math.max(0, byMs)
    },
  }
}
