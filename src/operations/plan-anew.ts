import { listIntents } from '../store/booking-intents.ts'
import { changeDelivery } from '../store/change-delivery.ts'
import type { DeliveryRow } from '../store/delivery-rows.ts'
import type { AccountEntry } from './account-directory.ts'
import { NOT_CONSIGNED } from './answer-job.ts'
import type { Deps } from './deps.ts'

/**
 * Its carrier has let the delivery go, to be planned anew: it is requested again, due at once. Null when it has moved
 * on meanwhile.
 */
export async function planAnew(
  deps: Deps,
  entry: AccountEntry,
  row: DeliveryRow,
): Promise<DeliveryRow | null> {
  const nowMs = entry.nowMs()
  const intents = await listIntents(deps.db, row.account_id, row.delivery_id)
  const accepted = intents.find(({ state }) => state === 'accepted')
  const step = (
    from: DeliveryRow['status'],
    to: DeliveryRow['status'],
    type: 'delivery.status_changed' | 'delivery.requested',
  ) => ({
    eventId: deps.newId('evt'),
    type,
    atMs: nowMs,
    source: 'worker' as const,
    from,
    to,
    subStatus: null,
    consignmentNumber: row.consignment_number,
    detail: row.cancel_reason,
  })
  const planned = await changeDelivery(
    deps.db,
    { accountId: row.account_id, deliveryId: row.delivery_id, nowMs, guard: { statuses: [row.status] } },
    {
      ...NOT_CONSIGNED,
      status: 'requested',
      status_reason: row.cancel_reason,
      carrier_provider: null,
      cancel_requested_at: null,
      cancel_reason: null,
      replan_requested: false,
      booking_tries: 0,
      due_at: nowMs,
    },
    [
      step(row.status, 'reassigned', 'delivery.status_changed'),
      step('reassigned', 'requested', 'delivery.requested'),
    ],
    accepted ? { attempt: accepted.attempt, state: 'void', said: 'Let go to be planned anew.' } : null,
  )
  if (planned) deps.wake()
  return planned
}
