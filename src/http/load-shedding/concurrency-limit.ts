import { Refusal } from '../../domain/errors.ts'
import type { StoredAnswer } from '../../store/deliveries/idempotency.ts'
import { problem } from '../contract/problem.ts'

/**
 * Requests of one endpoint that one process works on at once, whatever they wait for. More are told to come back before
 * anything is done for them: that costs a tenth of a create, while those who queue would all be late together. Each
 * endpoint counts its own, so that slow carriers hold up quotes and nobody else.
 */
const MOST_AT_ONCE = 512

/** How many requests of one endpoint are under way; those that are answered at once are never counted. */
export type ConcurrencyLimit = {
  isFull(): boolean
  /** Counts until it settles; answers the same. */
  while<T>(work: Promise<T>): Promise<T>
}

export function concurrencyLimit(most = MOST_AT_ONCE): ConcurrencyLimit {
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

/** What those hear who come to a full endpoint, ready but for the id of their request. */
export function overloadedResponse(): (requestId: string) => StoredAnswer {
  const { status, headers, body } = problem(TOO_MANY, ID_PLACE)
  const [before, after] = body.split(ID_PLACE)
  return (requestId) => ({ status, headers, body: `${before}${requestId}${after}` })
}

/** No request has such an id. */
const ID_PLACE = '#'.repeat(9)
const TOO_MANY = new Refusal(
  'service_unavailable',
  'More requests than can be answered in time are under way: nothing was done, try again.',
  { details: { retry_after_seconds: 1 } },
)
