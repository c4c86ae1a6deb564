import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Yielding to the event loop: how long a long request runs before the others get a turn. The last step and one minor
 * garbage collection (up to 18 ms for 16 MB that survive) add to it.
 */
const SLICE_MS = 5

/**
 * Lets other work run each time that this job has used a time slice of the event loop: call it after each
 * step, and await the result if it is not null.
 */
export function turnsOf(sliceMs = SLICE_MS): () => Promise<void> | null {
  let beganMs = performance.now()
  return () => {
    if (performance.now() - beganMs < sliceMs) return null
    return nextTurn().then(() => {
      beganMs = performance.now()
    })
  }
}
