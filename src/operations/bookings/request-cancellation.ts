import type { AskedBack } from '../../domain/delivery/delivery.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { changeDelivery, type DeliveryGuard } from '../../store/deliveries/change-delivery.ts'
import type { DeliveryRow } from '../../store/deliveries/delivery-rows.ts'
import type { AccountEntry } from '../context/account-directory.ts'
import { auditFields, type WriteAudit } from '../context/audit.ts'
import type { Deps } from '../context/deps.ts'

/** What is wished of a delivery that a carrier has, or may have. */
type Wish = Pick<AskedBack, 'wish' | 'reason'> & {
  guard: DeliveryGuard
  /** When the runner asks for it, should nobody else. */
  dueAtMs: number
  /** Carriers that it is to go to no more; absent: those of before. */
  avoided?: readonly string[]
}

/**
 * Writes a wish down before its carrier is asked, with the row that tells who wished it: a process that dies while
 * asking leaves work for the runner, not a guess. One that stands already is only asked for again. Null: the delivery
 * is no longer as it was read.
 */
export async function recordCancellationRequest(
  deps: Deps,
  entry: AccountEntry,
  row: DeliveryRow,
  wished: Wish,
  record: WriteAudit,
): Promise<DeliveryRow | null> {
  const { wish, reason, guard, dueAtMs, avoided = row.avoided_providers } = wished
  const nowMs = entry.nowMs()
  const target = { accountId: row.account_id, deliveryId: row.delivery_id, nowMs }
  if (hasPendingCancellation(row, wished)) {
    const still = { ...guard, cancelRequestedAtMs: row.cancel_requested_at }
    return changeDelivery(deps.db, { ...target, guard: still }, { due_at: dueAtMs })
  }
  const patch = {
    cancel_requested_at: nowMs,
    cancel_reason: reason,
    replan_requested: wish === 'plan_anew',
    avoided_providers: avoided,
    due_at: dueAtMs,
  }
  return withTransaction(deps.db, async (db) => {
    const after = await changeDelivery(db, { ...target, guard }, patch)
    if (after) await record(db, { ...auditFields(after), after: { status: after.status, wish } })
    return after
  })
}

/** In the same words, or now in none: it is not wished a second time. */
export function hasPendingCancellation(
  row: DeliveryRow,
  { wish, reason, avoided = [] }: Omit<Wish, 'guard' | 'dueAtMs'>,
): boolean {
  return (
    row.cancel_requested_at !== null &&
    row.replan_requested === (wish === 'plan_anew') &&
    (reason === null || reason === row.cancel_reason) &&
    avoided.every((provider) => row.avoided_providers.includes(provider))
  )
}
