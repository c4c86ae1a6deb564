import type { PendingCancellation } from '../../domain/delivery/delivery.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { changeDelivery } from '../../store/deliveries/change-delivery.ts'
import type { DeliveryGuard } from '../../store/deliveries/delivery-change.ts'
import type { DeliveryRow } from '../../store/deliveries/delivery-rows.ts'
import { auditFields, type WriteAudit } from '../audit/audit.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'

/** A request to cancel or move a delivery that a carrier has, or may have. */
type CancellationRequest = Pick<PendingCancellation, 'purpose' | 'reason'> & {
  guard: DeliveryGuard
  /** When the worker asks the carrier, if no request does so earlier. */
  dueAtMs: number
  /** Carriers excluded from now on; absent: unchanged. */
  excluded?: readonly string[]
}

/**
 * Stores a cancellation request before the carrier is called, with its audit row: if the process dies during the call,
 * the worker finds the request and continues. A request that is already pending only becomes due again. Null: the
 * delivery has changed since it was read.
 */
export async function recordCancellationRequest(
  deps: Deps,
  entry: AccountEntry,
  row: DeliveryRow,
  request: CancellationRequest,
  record: WriteAudit,
): Promise<DeliveryRow | null> {
  const { purpose, reason, guard, dueAtMs, excluded = row.excluded_providers } = request
  const nowMs = entry.nowMs()
  const target = { accountId: row.account_id, deliveryId: row.delivery_id, nowMs }
  if (hasPendingCancellation(row, request)) {
    const still = { ...guard, cancelRequestedAtMs: row.cancel_requested_at }
    return changeDelivery(deps.db, { ...target, guard: still }, { due_at: dueAtMs })
  }
  const patch = {
    cancel_requested_at: nowMs,
    cancel_reason: reason,
    replan_requested: purpose === 'replan',
    excluded_providers: excluded,
    due_at: dueAtMs,
  }
  return withTransaction(deps.db, async (db) => {
    const after = await changeDelivery(db, { ...target, guard }, patch)
    if (after) await record(db, { ...auditFields(after), after: { status: after.status, purpose } })
    return after
  })
}

/** Whether the same request is pending, with the same reason or without a new one: it is not stored twice. */
export function hasPendingCancellation(
  row: DeliveryRow,
  { purpose, reason, excluded = [] }: Omit<CancellationRequest, 'guard' | 'dueAtMs'>,
): boolean {
  return (
    row.cancel_requested_at !== null &&
    row.replan_requested === (purpose === 'replan') &&
    (reason === null || reason === row.cancel_reason) &&
    excluded.every((provider) => row.excluded_providers.includes(provider))
  )
}
