import { Refusal } from '../../domain/errors.ts'
import { claimKey, type IdempotentRequest, readKey } from '../../store/deliveries/idempotency.ts'
import type { HttpDeps } from '../contract/deps.ts'
import type { HttpResponse } from '../contract/endpoint.ts'
import { problem } from '../contract/problem.ts'
import { UNCACHED_ERRORS } from '../contract/uncached-errors.ts'
import { answerOfClaim, keepRefusal } from './idempotency.ts'

/**
 * For operations that keep the key with their own success: sees to their refusals. A key that was answered
 * before answers the same again, whatever made the request refusable since; a first refusal about the work is
 * kept.
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
