/** Waiting callers share a statement once this many are under way; more in flight means smaller shares. */
const IN_FLIGHT = 2
const MOST_TOGETHER = 64

/** One caller who waits: what it gave, and how it is answered. */
export type Waiting<Given, Answer> = {
  given: Given
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/**
 * For one caller at a time what `work` does for many: those who come while statements are under way wait and share the
 * next. `work` answers each of them and never throws.
 */
export function sharing<Given, Answer>(
  work: (together: readonly Waiting<Given, Answer>[]) => Promise<void>,
): (given: Given) => Promise<Answer> {
  const waiting: Waiting<Given, Answer>[] = []
  let inFlight = 0

  const flush = (): void => {
    while (waiting.length > 0 && inFlight < IN_FLIGHT) {
      inFlight += 1
      void work(waiting.splice(0, MOST_TOGETHER)).finally(() => {
        inFlight -= 1
        flush()
      })
    }
  }
  return (given) =>
    new Promise((resolve, reject) => {
      waiting.push({ given, resolve, reject })
      flush()
    })
}
