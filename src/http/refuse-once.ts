import { Refusal } from '../domain/errors.ts'
import { claimKey, completeKey, readKey } from '../store/idempotency.ts'
import type { HttpDeps } from './deps.ts'
import type { Answer } from './endpoint.ts'
import { NOT_STORED } from './errors.ts'
import { answerOfClaim } from './idempotency.ts'
import { problem } from './problem.ts'

/**
 * The answer to a refused request whose operation keeps the key with its own success. A key that was answered
 * before answers the same again, whatever made the request refusable since; a first refusal is kept.
 */
export async function refuseOnce(
  deps: HttpDeps,
  asked: { accountId: string; idempotency: { key: string; fingerprint: Buffer } | null; requestId: string },
  error: unknown,
): Promise<Answer> {
  const { accountId, idempotency, requestId } = asked
  if (!(error instanceof Refusal) || idempotency === null) throw error
  const keyed = { accountId, ...idempotency }
  if (NOT_STORED.has(error.code)) {
    const known = await readKey(deps.db, keyed)
    if (known) return answerOfClaim(known)
    throw error
  }
  const claim = await claimKey(deps.db, keyed)
  if (claim.kind !== 'claimed') return answerOfClaim(claim)
  const answer = problem(error, requestId, deps.publicUrl)
  await completeKey(deps.db, keyed, claim.lock, answer)
  return answer
}
