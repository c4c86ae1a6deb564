import type { FastifyRequest } from 'fastify'
import { Refusal, type RefusalCode } from '../../domain/errors.ts'
import type { Endpoint, RequestContext } from '../contract/endpoint.ts'
import { allowanceHeaders, type Limit, makeBuckets, rateLimitKey, take, tooMany } from './rate-limit.ts'

/** Failed lookups (links, order numbers, sessions) per client address. Many customers may share one address. */
const MISSES: Limit = { perSecond: 1, burst: 100 }
const MISS: ReadonlySet<RefusalCode> = new Set(['not_found', 'reference_mismatch', 'link_not_verified'])

/**
 * Rate limit (token bucket) on failed lookups, against enumeration: rejects an address after too many. A lookup that
 * succeeds costs nothing. A lookup in flight counts until it succeeds, so parallel guesses gain nothing over sequential
 * ones.
 */
export function enumerationGuard() {
  const buckets = makeBuckets(50_000)
  const getBucket = ({ ip }: FastifyRequest, nowMs: number) => buckets(rateLimitKey(ip), MISSES, nowMs)
  return (work: (ask: RequestContext) => ReturnType<Endpoint['handle']>) => async (ask: RequestContext) => {
    const bucket = getBucket(ask.request, Date.now())
    const wait = take(bucket, MISSES, Date.now())
    if (wait > 0) {
      ask.request.allowance = allowanceHeaders(bucket, MISSES)
      throw tooMany(wait, 'wrong tries from this address')
    }
    const refund = () => (bucket.tokens += 1)
    try {
      const answer = await work(ask)
      refund()
      return answer
    } catch (error) {
      if (!(error instanceof Refusal && MISS.has(error.code))) refund()
      throw error
    }
  }
}
