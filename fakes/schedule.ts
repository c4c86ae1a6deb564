import type { Clock } from './clock.ts'

/** Future events of a fake, by its clock. */
export type Schedule = {
  /** Runs once the clock has reached `dueMs`, and receives `dueMs`. In order of time, then of scheduling. */
  at(dueMs: number, run: (dueMs: number) => void): void
  /** Runs everything that is due, including events that this makes due. */
  catchUp(): void
  close(): void
}

type Waiting = { dueMs: number; asked: number; run: (dueMs: number) => void }

/** Often enough for a person to watch a running clock. */
const LOOK_MS = 1_000

export function startSchedule(clock: Clock): Schedule {
  /** A binary heap: the next is at 0, and the children of `i` are at `2i + 1` and `2i + 2`. */
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
