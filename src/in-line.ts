import { waitingLine } from './domain/waiting-line.ts'

/** The same work, with those who wait for it counted: `isLate` when more do than can be done in time. */
export function inLine<Given, Answer>(work: (given: Given) => Promise<Answer>) {
  const line = waitingLine()
  const leave = (): void => line.leave(performance.now())
  return {
    work(given: Given): Promise<Answer> {
      line.enter(performance.now())
      const done = work(given)
      done.then(leave, leave)
      return done
    },
    isLate: (): boolean => line.isFull(performance.now()),
  }
}
