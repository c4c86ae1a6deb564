import { Refusal } from '../../domain/errors.ts'
import type { TakenKey } from '../../store/deliveries/idempotency.ts'

/** Idempotency key: the refusal if the key belongs to a different request, or to a request that is still running. */
export function idempotencyConflict(claim: Exclude<TakenKey, { kind: 'replay' }>): Refusal {
  if (claim.kind === 'reused') {
    return new Refusal('idempotency_key_reused', 'This Idempotency-Key was used for another request.')
  }
  return new Refusal(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is still running.',
    { details: { retry_after_seconds: claim.retryAfterSeconds } },
  )
}
