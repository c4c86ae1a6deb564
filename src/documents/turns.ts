import { setImmediate as nextTurn } from 'node:timers/promises'

/** Yielding to the event loop: the longest time that other requests wait for a long one. */
const SLICE_MS = 10

/**
 * Lets other work have its turn of the event loop each time that this one has taken a slice of it: to be asked, and
 * awaited where it answers, after each step.
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
