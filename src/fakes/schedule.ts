import type { Clock } from './clock.ts'

/** What is yet to happen in a fake's world, by its clock. */
export type Schedule = {
  /** Runs once the clock has come there, and is told when it was due. In order of time, then of asking. */
  at(dueMs: number, run: (dueMs: number) => void): void
  /** Runs all that is due, and what falls due by that. */
  catchUp(): void
  close(): void
}

type Waiting = { dueMs: number; asked: number; run: (dueMs: number) => void }

/** Often enough for a clock that runs by itself to be watched by a person. */
const LOOK_MS = 1_000

export function startSchedule(clock: Clock): Schedule {
  /** A binary heap: the next is at 0, and the two behind `i` are at `2i + 1` and `2i + 2`. */
  const heap: Waiting[] = []
  let asked = 0
  const timer = setInterval(catchUp, LOOK_MS).unref()
  return {
    at(dueMs, run) {
      asked += 1
      rise({ dueMs, asked, run })
    },
    catchUp,
    close: () => clearInterval(timer),
  }

  function catchUp(): void {
    for (;;) {
      const [next] = heap
      if (!next || next.dueMs > clock.nowMs()) return
      const last = heap.pop()
      if (last && heap.length > 0) sink(last)
      next.run(next.dueMs)
    }
  }

  function rise(waiting: Waiting): void {
    let at = heap.length
    while (at > 0) {
      const above = (at - 1) >> 1
      const other = heap[above]
      if (!other || !isBefore(waiting, other)) break
      heap[at] = other
      at = above
    }
    heap[at] = waiting
  }

  function sink(waiting: Waiting): void {
    let at = 0
    for (;;) {
      const left = heap[2 * at + 1]
      const right = heap[2 * at + 2]
      const below = right && left && isBefore(right, left) ? 2 * at + 2 : 2 * at + 1
      const other = heap[below]
      if (!other || !isBefore(other, waiting)) break
      heap[at] = other
      at = below
    }
    heap[at] = waiting
  }
}

function isBefore(one: Waiting, other: Waiting): boolean {
  return one.dueMs < other.dueMs || (one.dueMs === other.dueMs && one.asked < other.asked)
}
