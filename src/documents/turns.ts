import { setImmediate as nextTurn } from 'node:timers/promises'

/** Yielding to the event loop: the longest time that other requests wait for a long one. */
const SLICE_MS = 10

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
