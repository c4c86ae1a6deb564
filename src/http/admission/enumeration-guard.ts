import type { FastifyRequest } from 'fastify'
import { Refusal, type RefusalCode } from '../../domain/errors.ts'
import type { Endpoint, RequestContext } from '../contract/endpoint.ts'
import { allowanceHeaders, bucketsOf, type Limit, take, tooMany } from './rate-limit.ts'
import { rateLimitKey } from './rate-limit-key.ts'

/** Wrong addresses, order numbers and sessions for each caller's address; many customers may share one. */
const MISSES: Limit = { perSecond: 1, burst: 100 }
const MISS: ReadonlySet<RefusalCode> = new Set(['not_found', 'wrong_reference', 'link_not_verified'])

/**
 * Counts the misses of an address, and turns it away once there are too many. What succeeds costs nothing, and what
 * is under way is counted until it has: many guesses at once are no more than one after the other.
 */
export function enumerationGuard() {
  const buckets = bucketsOf(50_000)
  const bucketOf = ({ ip }: FastifyRequest, nowMs: number) => buckets(rateLimitKey(ip), MISSES, nowMs)
  return (work: (ask: RequestContext) => ReturnType<Endpoint['handle']>) => async (ask: RequestContext) => {
    const bucket = bucketOf(ask.request, Date.now())
    const wait = take(bucket, MISSES, Date.now())
    if (wait > 0) {
      ask.request.allowance = allowanceHeaders(bucket, MISSES)
      throw tooMany(wait, 'wrong tries from this address')
    }
    const giveBack = () => (bucket.tokens += 1)
    try {
      const answer = await work(ask)
      giveBack()
      return answer
    } catch (error) {
      if (!(error instanceof Refusal && MISS.has(error.code))) giveBack()
      throw error
    }
  }
}
