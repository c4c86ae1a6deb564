/** A deadline allows at least this many turns of the event loop, however late its timers fire. */
const STEPS = 20

/**
 * A deadline in event-loop time: calls `expired` after `ms`, unless the answered function was called before.
 *
 * A plain timer that a stalled loop fires late goes before what has arrived meanwhile: an answer that came in time is
 * then taken for one that never came. Here a stall counts as one step of many, and what waits to be read is read before
 * the verdict.
 */
export function startLoopDeadline(ms: number, expired: () => void): () => void {
  let steps = 0
  let timer: NodeJS.Timeout | undefined
  let verdict: NodeJS.Immediate | undefined
  const step = (): void => {
    steps += 1
    if (steps < STEPS) timer = setTimeout(step, ms / STEPS).unref()
    // Immediates come after the loop has read its sockets.
    else verdict = setImmediate(expired)
  }
  timer = setTimeout(step, ms / STEPS).unref()
  return () => {
    clearTimeout(timer)
    clearImmediate(verdict)
  }
}
