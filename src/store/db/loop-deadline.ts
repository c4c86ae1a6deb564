/** A deadline allows at least this many ticks of the event loop, however late its timers fire. */
const STEPS = 20

/**
 * A deadline in event-loop time: calls `expired` after `ms`, unless the returned function was called before.
 * A plain timer that a stalled loop fires late runs before the data that arrived meanwhile is read, so an answer that
 * was in time counts as missing. Here a stall counts as one step of many, and pending data is read before the deadline
 * expires.
 */
export function startLoopDeadline(ms: number, expired: () => void): () => void {
  let steps = 0
  let timer: NodeJS.Timeout | undefined
  let verdict: NodeJS.Immediate | undefined
  const step = (): void => {
    steps += 1
    if (steps < STEPS) timer = setTimeout(step, ms / STEPS).unref()
    // Immediates run after the loop has read its sockets.
    else verdict = setImmediate(expired)
  }
  timer = setTimeout(step, ms / STEPS).unref()
  return () => {
    clearTimeout(timer)
    clearImmediate(verdict)
  }
}
