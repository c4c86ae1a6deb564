/** Waiting callers share a statement once this many are under way; more in flight means smaller shares. */
const IN_FLIGHT = 2
const MOST_TOGETHER = 128

/** One caller who waits: what it gave, and how it is answered. */
export type PendingCall<Given, Answer> = {
  given: Given
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/**
 * For one caller at a time what `work` does for many: those who come while statements are under way share the next with
 * all who come in the same turn of the event loop, or later while there are enough under way: under load one turn brings
 * a hundred, and a statement for the first of them alone made the others wait for another turn. `work` answers each of
 * them and never throws.
 */
export function batched<Given, Answer>(
  work: (together: readonly PendingCall<Given, Answer>[]) => Promise<void>,
): (given: Given) => Promise<Answer> {
  const waiting: PendingCall<Given, Answer>[] = []
  let inFlight = 0
  let flushesSoon = false

  const flush = (): void => {
    while (waiting.length > 0 && inFlight < IN_FLIGHT) {
      inFlight += 1
      void work(waiting.splice(0, MOST_TOGETHER)).finally(() => {
        inFlight -= 1
        flush()
      })
    }
  }
  const flushSoon = (): void => {
    flushesSoon = false
    flush()
  }
  return (given) =>
    new Promise((resolve, reject) => {
      waiting.push({ given, resolve, reject })
      if (inFlight === 0 || waiting.length >= MOST_TOGETHER) flush()
      else if (!flushesSoon) {
        flushesSoon = true
        setImmediate(flushSoon)
      }
    })
}
