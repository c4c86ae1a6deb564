import { admissionQueue } from './admission-queue.ts'

/**
 * Backpressure: starts calls of the same work in order, a few in each tick, queues the rest, and reports when callers
 * should shed.
 */
export type PacedQueue = {
  /** More requests wait than the work can finish in time: the caller is to shed the next request. */
  isFull(): boolean
  /** Starts `work` in this tick of the event loop, or in a later one after the calls that arrived before it. */
  begin<T>(work: () => T | Promise<T>): T | Promise<T>
}

/**
 * Number of requests started in one tick of the event loop. With 256, a tick took 100 ms, and a shed request waited
 * that long for its response.
 */
const MAX_STARTS_PER_TICK = 32

/**
 * Wraps `work` and counts the calls that wait for it: those that have started, and those that still wait for a tick.
 */
export function pacedQueue<Given, Answer>(
  work: (given: Given) => Promise<Answer>,
): PacedQueue & { work: typeof work } {
  const forTurn: (() => void)[] = []
  const line = admissionQueue(() => forTurn.length)
  const leave = (): void => line.leave(performance.now())
  let begun = 0

  const nextTurn = (): void => {
    const now = forTurn.splice(0, MAX_STARTS_PER_TICK)
    begun = now.length
    for (const start of now) start()
    if (begun > 0) setImmediate(nextTurn)
  }
  return {
    work(given) {
      line.enter(performance.now())
      const done = work(given)
      done.then(leave, leave)
      return done
    },
    isFull: () => line.shouldShed(performance.now()),
    begin(work) {
      if (begun === 0) setImmediate(nextTurn)
      if (begun < MAX_STARTS_PER_TICK) {
        begun += 1
        return work()
      }
      return new Promise<void>((start) => void forTurn.push(start)).then(work)
    },
  }
}
