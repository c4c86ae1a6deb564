import type { Delivery } from '../../domain/delivery/delivery.ts'
import { STATUSES } from '../../domain/delivery/status.ts'
import { formatAttention, type SurplusBooking } from '../../domain/delivery/surplus-bookings.ts'
import { Refusal } from '../../domain/errors.ts'
import type { Db } from '../../store/db/db.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { changeDelivery } from '../../store/deliveries/change-delivery.ts'
import { findDeliveryForUpdate } from '../../store/deliveries/deliveries.ts'
import { toDelivery } from '../../store/deliveries/delivery-rows.ts'
import {
  closeOrphanByHand,
  findOrphanCarrier,
  listSurplus,
} from '../../store/deliveries/orphaned-bookings.ts'
import { type DeliveryName, getDeliveryRow } from '../delivery-lookup/get-delivery.ts'
import { storeOfDelivery } from '../delivery-lookup/store-of-delivery.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import type { Caller } from '../directory/caller.ts'
import { noteEvent } from '../events/status-events.ts'

/** The bookings of a delivery that carriers hold in addition to the one in use, except those never asked about. */
export async function listExtraBookings(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  name: DeliveryName,
): Promise<SurplusBooking[]> {
  const row = await getDeliveryRow(deps, entry, caller, name)
  return listSurplus(deps.db, row.account_id, row.delivery_id)
}

/**
 * Orphaned booking: a person has the carrier's word that it is cancelled. Drover stops asking the carrier, and the
 * clerk need not act any more, whatever the status of the delivery. The same word again changes nothing. Refuses
 * `no_extra_booking`. `alongside` runs in the same transaction, and its result is returned.
 */
export async function settleOrphanedBooking<T>(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  name: DeliveryName,
  { consignmentNumber, confirmedBy }: { consignmentNumber: string; confirmedBy: string },
  alongside: (db: Db, settled: Delivery) => Promise<T>,
): Promise<{ answer: T } | { unchanged: Delivery }> {
  const row = await getDeliveryRow(deps, entry, caller, name)
  const { account_id: accountId, delivery_id: deliveryId } = row
  const carrierName = await findOrphanCarrier(deps.db, accountId, deliveryId, consignmentNumber)
  if (carrierName === null) {
    throw new Refusal(
      'no_extra_booking',
      `No carrier has an extra booking ${consignmentNumber} for delivery ${row.reference}.`,
    )
  }
  const nowMs = entry.nowMs()
  const target = { accountId, deliveryId, nowMs, guard: { statuses: STATUSES }, keepLease: true }
  const detail = `${carrierName} has cancelled the extra booking ${consignmentNumber}. ${confirmedBy} confirmed it to the store.`
  const data = { other_consignment_number: consignmentNumber }
  const event = { ...noteEvent(deps, { atMs: nowMs, source: 'api', detail }), data }
  // Before the transaction: it may read an older account document, and must not wait for a second connection.
  await storeOfDelivery(deps, entry, toDelivery(row))
  const done = await withTransaction(deps.db, async (db) => {
    // Lock the delivery before its orphaned booking, in the same order as erasure does.
    await findDeliveryForUpdate(db, accountId, deliveryId)
    if (!(await closeOrphanByHand(db, accountId, deliveryId, consignmentNumber))) return null
    const attention = formatAttention(await listSurplus(db, accountId, deliveryId))
    const after = await changeDelivery(db, target, { attention }, [event])
    return after && { answer: await alongside(db, toDelivery(after)) }
  })
  return done ?? { unchanged: toDelivery(await getDeliveryRow(deps, entry, caller, name)) }
}
