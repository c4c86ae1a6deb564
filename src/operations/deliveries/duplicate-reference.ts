import {
  answerKeyOfDelivery,
  findAbandonedDelivery,
  type NewDelivery,
} from '../../store/deliveries/create-deliveries.ts'
import { findDelivery, listDeliveriesByReference } from '../../store/deliveries/deliveries.ts'
import { deliveryOf } from '../../store/deliveries/delivery-rows.ts'
import { readKey } from '../../store/deliveries/idempotency.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { idempotencyConflict } from '../idempotency/idempotency-conflict.ts'
import type { Created, CreateOptions } from './create-delivery.ts'
import { referenceTaken } from './reference-taken.ts'

/**
 * Answers a create that inserted nothing. A repeated key gets its first response again; a key whose first request
 * crashed half way gets the delivery in its current state; all others get `duplicate_reference`. If neither the key nor
 * the reference is found any more, a concurrent request has just removed it or is about to commit:
 * `idempotency_in_progress`.
 */
export async function answerDuplicateReference(
  deps: Deps,
  { account }: AccountEntry,
  made: NewDelivery,
  options: CreateOptions,
): Promise<Created> {
  const repeated = options.idempotency && (await answerRepeatedKey(deps, account.id, options))
  if (repeated) return repeated

  const [existing] = await listDeliveriesByReference(deps.db, account.id, made.reference, [made.store_id])
  if (!existing && options.idempotency)
    throw idempotencyConflict({ kind: 'in_progress', retryAfterSeconds: 1 })
  const { store_id: storeId, reference } = made
  throw await referenceTaken(deps, { accountId: account.id, storeId, reference }, existing)
}

async function answerRepeatedKey(
  deps: Deps,
  accountId: string,
  options: CreateOptions,
): Promise<Created | null> {
  if (!options.idempotency) return null
  const request = { accountId, ...options.idempotency }
  const abandoned = await findAbandonedDelivery(deps.db, request)
  const row = abandoned && (await findDelivery(deps.db, accountId, abandoned))
  if (row) {
    const answer = options.answer(deliveryOf(row))
    await answerKeyOfDelivery(deps.db, { accountId, key: request.key, deliveryId: row.delivery_id }, answer)
    return { kind: 'created', answer }
  }

  const claim = await readKey(deps.db, request)
  if (claim?.kind === 'replay') return claim
  if (claim) throw idempotencyConflict(claim)
  return null
}
