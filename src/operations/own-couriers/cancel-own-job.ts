import { can } from '../../domain/delivery/status.ts'
import { Refusal } from '../../domain/errors.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { changeDelivery } from '../../store/deliveries/change-delivery.ts'
import { findDelivery } from '../../store/deliveries/deliveries.ts'
import type { DeliveryRow } from '../../store/deliveries/delivery-rows.ts'
import { answerOffer } from '../../store/own-couriers/courier-offers.ts'
import { auditFields, type WriteAudit } from '../audit/audit.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { transitionEvents } from '../events/status-events.ts'
import { withdrawJob } from './call-off-driver.ts'

const MAX_ATTEMPTS = 5

/**
 * Cancels a delivery by own couriers at once, because no carrier has to agree. A driver who has accepted it gets an
 * SMS. Refuses `not_cancellable` once the driver has the parcels.
 */
export async function cancelOwnJob(
  deps: Deps,
  entry: AccountEntry,
  found: DeliveryRow,
  reason: string | null,
  record: WriteAudit,
): Promise<DeliveryRow> {
  let row: DeliveryRow | null = found
  for (let tries = 1; row && tries <= MAX_ATTEMPTS; tries++) {
    if (row.status === 'cancelled') return row
    if (!can('cancel', row)) {
      const message = `Delivery ${row.reference} is ${row.status}: its driver has it. Call the driver, or record the outcome with PATCH …/record-outcome.`
      throw new Refusal('not_cancellable', message)
    }
    const cancelled = await cancel(deps, entry, row, reason, record)
    if (cancelled) {
      deps.wake()
      return cancelled
    }
    row = await findDelivery(deps.db, row.account_id, row.delivery_id)
  }
  throw new Refusal(
    'version_conflict',
    'Somebody changed this delivery at the same time. Read it and try again.',
  )
}

async function cancel(
  deps: Deps,
  entry: AccountEntry,
  row: DeliveryRow,
  reason: string | null,
  record: WriteAudit,
): Promise<DeliveryRow | null> {
  const nowMs = entry.nowMs()
  return withTransaction(deps.db, async (db) => {
    const cancelled = await changeDelivery(
      db,
      {
        accountId: row.account_id,
        deliveryId: row.delivery_id,
        nowMs,
        guard: { statuses: [row.status], noOpenAttempt: true, contentVersion: row.content_version },
      },
      { status: 'cancelled', status_reason: reason, cancel_reason: reason, due_at: null },
      transitionEvents(deps, [row.status, 'cancelled'], {
        atMs: nowMs,
        source: 'api',
        consignmentNumber: row.consignment_number,
        detail: reason,
      }),
    )
    if (!cancelled) return null
    await answerOffer(db, row, { outcome: 'withdrawn', reason, live: false, atMs: nowMs })
    await withdrawJob(deps, db, entry, row)
    await record(db, auditFields(cancelled))
    return cancelled
  })
}
