import { Refusal } from '../../domain/errors.ts'
import { claimKey, type IdempotentRequest, readKey } from '../../store/deliveries/idempotency.ts'
import type { HttpDeps } from '../contract/deps.ts'
import type { HttpResponse } from '../contract/endpoint.ts'
import { problem } from '../contract/problem.ts'
import { UNCACHED_ERRORS } from '../contract/uncached-errors.ts'
import { answerOfClaim, keepRefusal } from './idempotency.ts'

/**
 * Idempotency key, for operations that store the key with their own success: handles their errors. A key that already
 * has a response gets the same response again, even if the request would now be rejected. The first error that concerns
 * the operation is stored.
 */
export async function answerErrorOnce(
  deps: HttpDeps,
  keyed: IdempotentRequest,
  requestId: string,
  answer: () => HttpResponse | Promise<HttpResponse>,
): Promise<HttpResponse> {
  try {
    return await answer()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return UNCACHED_ERRORS.has(error.code) ? knownOr(deps, keyed, error) : keep(deps, keyed, requestId, error)
  }
}

async function knownOr(deps: HttpDeps, keyed: IdempotentRequest, refusal: Refusal): Promise<HttpResponse> {
  const known = await readKey(deps.db, keyed)
  if (known) return answerOfClaim(known)
  throw refusal
}

async function keep(
  deps: HttpDeps,
  keyed: IdempotentRequest,
  requestId: string,
  refusal: Refusal,
): Promise<HttpResponse> {
  const claim = await claimKey(deps.db, keyed)
  if (claim.kind !== 'claimed') return answerOfClaim(claim)
  return keepRefusal(deps, keyed, claim.lock, problem(refusal, requestId))
}
