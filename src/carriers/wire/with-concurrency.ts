import type { Send } from '../port/send.ts'

/**
 * At most `most` requests at once, so that a slow carrier cannot take everything. Others wait in line for
 * at most `waitMs`, then are not sent. One that is called up later, because the process stood still, is not
 * sent either: whoever asked counts on it.
 */
export function withConcurrency(send: Send, { most, waitMs }: { most: number; waitMs: number }): Send {
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

  // The place goes to the next in line, so `running` stays as it is for that one.
  function handOn(): void {
    const next = line.shift()
    if (next) next()
    else running -= 1
  }

  return async (request) => {
    if (running < most) running += 1
    else if (!(await turn())) {
      return { kind: 'not_sent', said: `${most} requests to this carrier are under way` }
    }
    try {
      return await send(request)
    } finally {
      handOn()
    }
  }
}
