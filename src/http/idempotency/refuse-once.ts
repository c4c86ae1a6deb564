import { Refusal } from '../../domain/errors.ts'
import { claimKey, type IdempotentRequest, readKey } from '../../store/deliveries/idempotency.ts'
import type { HttpDeps } from '../contract/deps.ts'
import type { Answer } from '../contract/endpoint.ts'
import { NOT_STORED } from '../contract/not-stored.ts'
import { problem } from '../contract/problem.ts'
import { answerOfClaim, keepRefusal } from './idempotency.ts'

/**
 * For operations that keep the key with their own success: sees to their refusals. A key that was answered
 * before answers the same again, whatever made the request refusable since; a first refusal about the work is
 * kept.
 */
export async function refuseOnce(
  deps: HttpDeps,
  keyed: IdempotentRequest,
  requestId: string,
  answer: () => Answer | Promise<Answer>,
): Promise<Answer> {
  try {
    return await answer()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return NOT_STORED.has(error.code) ? knownOr(deps, keyed, error) : keep(deps, keyed, requestId, error)
  }
}

async function knownOr(deps: HttpDeps, keyed: IdempotentRequest, refusal: Refusal): Promise<Answer> {
  const known = await readKey(deps.db, keyed)
  if (known) return answerOfClaim(known)
  throw refusal
}

async function keep(
  deps: HttpDeps,
  keyed: IdempotentRequest,
  requestId: string,
  refusal: Refusal,
): Promise<Answer> {
  const claim = await claimKey(deps.db, keyed)
  if (claim.kind !== 'claimed') return answerOfClaim(claim)
  return keepRefusal(deps, keyed, claim.lock, problem(refusal, requestId))
}
