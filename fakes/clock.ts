/** A fake's time, in epoch milliseconds. It only moves forward. */
export type Clock = { nowMs(): number; advance(byMs: number): void }

/** The start of a clock: `nowMs` stops it there until advanced, `fromMs` lets it run at the machine's pace. */
export type ClockStart = { nowMs?: number; fromMs?: number }

/** Without a start it is the machine's clock plus the time that it was advanced by. */
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
