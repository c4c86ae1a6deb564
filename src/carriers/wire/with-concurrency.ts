import type { Send } from '../port/send.ts'

/**
 * Bulkhead: at most `max` requests at once, so that a slow carrier can't use up everything. Further requests
 * queue for at most `waitMs`, then fail as not sent. A request whose turn comes later than that, because the
 * process was blocked, isn't sent either: its caller relies on the limit.
 */
export function withConcurrency(send: Send, { max, waitMs }: { max: number; waitMs: number }): Send {
  let running = 0
  const queue: (() => void)[] = []

  function waitForSlot(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const queuedMs = performance.now()
    const timer = setTimeout(() => {
      queue.splice(queue.indexOf(next), 1)
      resolve(false)
    }, waitMs)
    function next() {
      clearTimeout(timer)
      const late = performance.now() - queuedMs > waitMs
      if (late) releaseSlot()
      resolve(!late)
    }
    queue.push(next)
    return promise
  }

  // The slot passes to the next in the queue, so `running` stays the same.
  function releaseSlot(): void {
    const next = queue.shift()
    if (next) next()
    else running -= 1
  }

  return async (request) => {
    if (running < max) running += 1
    else if (!(await waitForSlot())) {
      return { kind: 'not_sent', message: `${max} requests to this carrier are in progress` }
    }
    try {
      return await send(request)
    } finally {
      releaseSlot()
    }
  }
}
