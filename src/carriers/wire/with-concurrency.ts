import type { Send } from '../port/send.ts'

/**
 * Bulkhead: at most `max` requests at once, so that a slow carrier can't use up everything. Further requests
 * queue for at most `waitMs`, then fail as not sent. A request whose turn comes later than that, because the
 * process was blocked, isn't sent either: its caller relies on the limit.
 */
export function withConcurrency(send: Send, { max, waitMs }: { max: number; waitMs: number }): Send {
  let running = 0
  const line: (() => void)[] = []

  function turn(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const askedMs = performance.now()
    const timer = setTimeout(() => {
      line.splice(line.indexOf(next), 1)
      resolve(false)
    }, waitMs)
    function next() {
      clearTimeout(timer)
      const late = performance.now() - askedMs > waitMs
      if (late) handOn()
      resolve(!late)
    }
    line.push(next)
    return promise
  }

  // The slot passes to the next in the queue, so `running` stays the same.
  function handOn(): void {
    const next = line.shift()
    if (next) next()
    else running -= 1
  }

  return async (request) => {
    if (running < max) running += 1
    else if (!(await turn())) {
      return { kind: 'not_sent', message: `${max} requests to this carrier are under way` }
    }
    try {
      return await send(request)
    } finally {
      handOn()
    }
  }
}
