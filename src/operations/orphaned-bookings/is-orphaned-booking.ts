import type { Db } from '../../store/db/db.ts'
import { findDelivery } from '../../store/deliveries/deliveries.ts'
import { getCarrierRef } from '../../store/deliveries/delivery-rows.ts'
import { listTimeline } from '../../store/deliveries/events.ts'
import type { FoundOrphan } from '../../store/deliveries/orphaned-bookings.ts'

/**
 * Whether the delivery neither uses this booking now nor ever did. If it did and the carrier released the booking, this
 * is a late report and not an orphaned booking.
 */
export async function isOrphanedBooking(
  db: Db,
  { accountId, deliveryId, reference, consignmentNumber }: FoundOrphan,
): Promise<boolean> {
  const row = await findDelivery(db, accountId, deliveryId)
  if (!row || getCarrierRef(row) === reference) return false
  // If the booking was recorded before the carrier sent the consignment number, the timeline has the carrier's
  // reference instead.
  const names: readonly (string | null)[] = [consignmentNumber, reference]
  const timeline = await listTimeline(db, accountId, deliveryId)
  return timeline.every((event) => event.to !== 'booked' || !names.includes(event.consignmentNumber))
}
