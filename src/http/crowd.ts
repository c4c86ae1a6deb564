import { Refusal } from '../domain/errors.ts'
import type { StoredAnswer } from '../store/idempotency.ts'
import { problem } from './problem.ts'

/**
 * Requests of one endpoint that one process works on at once. More are told to come back before anything is done for
 * them: that costs a tenth of a create, while those who queue would all be late together. At 3,000 creates a second
 * so many wait 0.2 s; each endpoint counts its own, so that slow carriers hold up quotes and nobody else.
 */
const MOST_AT_ONCE = 512

/** How many requests of one endpoint are under way; those that are answered at once are never counted. */
export type Crowd = {
  isFull(): boolean
  /** Counts until it settles; answers the same. */
  while<T>(work: Promise<T>): Promise<T>
}

export function crowdOf(most = MOST_AT_ONCE): Crowd {
  let underWay = 0
  const leave = (): void => {
    underWay -= 1
  }
  return {
    isFull: () => underWay >= most,
    while(work) {
      underWay += 1
      work.then(leave, leave)
      return work
    },
  }
}

/** What those hear who come to a full endpoint. */
export function tooManyAtOnce(requestId: string, publicUrl: string): StoredAnswer {
  return problem(TOO_MANY, requestId, publicUrl)
}

/** Made once: the trace of an error is a third of what refusing takes. */
const TOO_MANY = new Refusal(
  'service_unavailable',
  'More requests than can be answered in time are under way: nothing was done, try again.',
  { details: { retry_after_seconds: 1 } },
)
