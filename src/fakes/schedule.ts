import type { Clock } from './clock.ts'

/** What is yet to happen in a fake's world, by its clock. */
export type Schedule = {
  /** Runs once the clock has come there, and is told when it was due. In order of time, then of asking. */
  at(dueMs: number, run: (dueMs: number) => void): void
  /** Runs all that is due, and what falls due by that. */
  catchUp(): void
  close(): void
}

/** Often enough for a clock that runs by itself to be watched by a person. */
const LOOK_MS = 1_000

export function startSchedule(clock: Clock): Schedule {
  const waiting: { dueMs: number; run: (dueMs: number) => void }[] = []
  const timer = setInterval(catchUp, LOOK_MS).unref()
  return {
    at(dueMs, run) {
      waiting.splice(placeFor(dueMs), 0, { dueMs, run })
    },
    catchUp,
    close: () => clearInterval(timer),
  }

  function catchUp(): void {
    for (;;) {
      const [next] = waiting
      if (!next || next.dueMs > clock.nowMs()) return
      waiting.shift()
      next.run(next.dueMs)
    }
  }

  function placeFor(dueMs: number): number {
    let low = 0
    let high = waiting.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((waiting[middle]?.dueMs ?? 0) <= dueMs) low = middle + 1
      else high = middle
    }
    return low
  }
}
