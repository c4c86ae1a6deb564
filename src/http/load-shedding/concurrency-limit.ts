import { Refusal } from '../../domain/errors.ts'
import type { StoredAnswer } from '../../store/deliveries/idempotency.ts'
import { problem } from '../contract/problem.ts'

/**
 * Load shedding: the most requests of one endpoint that one process works on at once. Requests beyond it get 503 with
 * `Retry-After` before any work is done for them. A rejection costs a tenth of a create, while queued requests would
 * all be late together. Each endpoint has its own limit, so slow carriers delay quotes and no other endpoint.
 */
const MAX_AT_ONCE = 512

/**
 * Counts the requests of one endpoint that are in flight. Requests that are answered synchronously are never counted.
 */
export type ConcurrencyLimit = {
  isFull(): boolean
  /** Counts the request as in flight until its work settles; returns the same promise. */
  while<T>(work: Promise<T>): Promise<T>
}

export function concurrencyLimit(max = MAX_AT_ONCE): ConcurrencyLimit {
  let inProgress = 0
  const leave = (): void => {
    inProgress -= 1
  }
  return {
    isFull: () => inProgress >= max,
    while(work) {
      inProgress += 1
      work.then(leave, leave)
      return work
    },
  }
}

/** The rejection of a request to an overloaded endpoint, prepared once; only the request's id is filled in. */
export function overloadedResponse(): (requestId: string) => StoredAnswer {
  const { status, headers, body } = problem(TOO_MANY, ID_PLACE)
  const [before, after] = body.split(ID_PLACE)
  return (requestId) => ({ status, headers, body: `${before}${requestId}${after}` })
}

/** Placeholder for the request id; no real id looks like it. */
const ID_PLACE = '#'.repeat(9)
const TOO_MANY = new Refusal(
  'service_unavailable',
  'There are too many requests to answer in time. Nothing was done. Try again.',
  { details: { retry_after_seconds: 1 } },
)
