import { setImmediate as nextTurn } from 'node:timers/promises'
import { turnsOf } from '../../documents/turns.ts'

/**
 * Cooperative scheduling: runs the steps of a long computation to their end. Other requests have their turn each time
 * that the steps have used a time slice of the event loop.
 */
export async function inTurns<T>(steps: Generator<unknown, T>): Promise<T> {
  await nextTurn()
  const turn = turnsOf()
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    const other = turn()
    if (other) await other
  }
}
