import { purgeCourierPosition } from '../../store/carriers/courier-positions.ts'
import type { Db } from '../../store/db/db.ts'
import { listIntents } from '../../store/deliveries/booking-intents.ts'
import { changeDelivery } from '../../store/deliveries/change-delivery.ts'
import type { DeliveryGuard } from '../../store/deliveries/delivery-change.ts'
import type { DeliveryRow } from '../../store/deliveries/delivery-rows.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { transitionEvents } from '../events/status-events.ts'
import { NOT_CONSIGNED } from '../own-couriers/answer-job.ts'

/** `refused`: by the carrier's own decision, so it is not asked for the same again. `db`: the transaction to use. */
type ReplanOptions = { db?: Db; guard?: DeliveryGuard; why?: string | null; refused?: boolean }

/**
 * Plans a delivery again after its carrier released it: it is requested again, due at once. Null if it has changed
 * meanwhile.
 */
export async function replanDelivery(
  deps: Deps,
  entry: AccountEntry,
  row: DeliveryRow,
  { db = deps.db, guard = bookingGuard(row), why = row.cancel_reason, refused = false }: ReplanOptions = {},
): Promise<DeliveryRow | null> {
  const nowMs = entry.nowMs()
  const intents = await listIntents(db, row.account_id, row.delivery_id)
  const accepted = intents.find(({ state }) => state === 'accepted')
  const planned = await changeDelivery(
    db,
    { accountId: row.account_id, deliveryId: row.delivery_id, nowMs, guard },
    {
      ...NOT_CONSIGNED,
      status: 'requested',
      requested_at: nowMs,
      // The old carrier's tracking status and paperwork do not apply to the next carrier.
      sub_status: null,
      carrier_event_at: null,
      manifest_status: row.manifest_status === 'not_required' ? 'not_required' : 'pending',
      status_reason: why,
      carrier_provider: null,
      manifest_id: null,
      cancel_requested_at: null,
      cancel_reason: null,
      replan_requested: false,
      booking_attempts: 0,
      due_at: nowMs,
    },
    transitionEvents(deps, [row.status, 'reassigned', 'requested'], {
      atMs: nowMs,
      source: 'worker',
      consignmentNumber: row.consignment_number,
      detail: why,
    }),
    accepted
      ? {
          attempt: accepted.attempt,
          state: refused ? 'rejected' : 'void',
          message: why ?? 'Cancelled with the carrier, to be planned again.',
          lookAgainAtMs: null,
        }
      : null,
  )
  if (!planned) return null
  await purgeCourierPosition(db, row.account_id, row.delivery_id)
  deps.wake()
  return planned
}

/** Guards against answers for an older booking: by now the delivery may have a later one. */
export function bookingGuard({ status, consignment_number }: DeliveryRow): DeliveryGuard {
  return {
    statuses: [status],
    ...(consignment_number === null ? {} : { consignmentNumber: consignment_number }),
  }
}
