/** A fake's time, in epoch milliseconds. It goes forward only. */
export type Clock = { nowMs(): number; advance(byMs: number): void }

/** Stands at `atMs` until advanced, or without one runs with the machine's clock, ahead of it by what was advanced. */
export function startClock(atMs?: number): Clock {
  let aheadMs = 0
  return {
    nowMs: () => (atMs ?? Date.now()) + aheadMs,
    advance(byMs) {
      aheadMs += Math.max(0, byMs)
    },
  }
}
