/**
 * Batching (like DataLoader): turns `work`, which handles many calls, into a function for one call. Calls made while
 * statements are in flight go into the next statement, together with all calls of the same tick of the event loop, or
 * later while enough statements are in flight. Under load one tick brings a hundred calls, and a statement for the
 * first one alone made the others wait another tick. `work` resolves each call and never throws.
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
      void work(waiting.splice(0, MAX_TOGETHER)).finally(() => {
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
      if (inFlight === 0 || waiting.length >= MAX_TOGETHER) flush()
      else if (!flushesSoon) {
        flushesSoon = true
        setImmediate(flushSoon)
      }
    })
}

/** A pending call: its input, and how to resolve it. */
export type PendingCall<Given, Answer> = {
  given: Given
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/** Calls are batched once this many statements are in flight; more in flight means smaller batches. */
const IN_FLIGHT = 2
const MAX_TOGETHER = 128
