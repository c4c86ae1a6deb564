import { admissionQueue } from './admission-queue.ts'

/**
 * Begun in one turn of the event loop. With 256 a turn took 100 ms, and whoever was turned away meanwhile waited as long
 * to hear it.
 */
const MOST_A_TURN = 32

/** Those who come for the same work: the first of them are begun, some wait, and when too many do nobody else is let in. */
export type PacedQueue = {
  /** More wait than can be done in time: whoever comes now is to be turned away. */
  isFull(): boolean
  /** Begins `work` in this turn of the event loop, or after those who came before in one of the next. */
  begin<T>(work: () => T | Promise<T>): T | Promise<T>
}

/** `work`, with those who wait for it counted: for it itself, and before that for a turn of the event loop. */
export function pacedQueue<Given, Answer>(
  work: (given: Given) => Promise<Answer>,
): PacedQueue & { work: typeof work } {
  const forTurn: (() => void)[] = []
  const line = admissionQueue(() => forTurn.length)
  const leave = (): void => line.leave(performance.now())
  let begun = 0

  const nextTurn = (): void => {
    const now = forTurn.splice(0, MOST_A_TURN)
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
      if (begun < MOST_A_TURN) {
        begun += 1
        return work()
      }
      return new Promise<void>((start) => void forTurn.push(start)).then(work)
    },
  }
}
