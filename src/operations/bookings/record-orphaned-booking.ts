import type { Booking } from '../../carriers/port/carrier.ts'
import type { DeliveryEvent } from '../../domain/delivery/delivery.ts'
import { type BookingIntent, listIntents } from '../../store/deliveries/booking-intents.ts'
import { recordOrphan } from '../../store/deliveries/orphaned-bookings.ts'
import type { AccountEntry } from '../context/account-directory.ts'
import type { Deps } from '../context/deps.ts'
import { cancelOrphanedBooking, isOrphanedBooking } from './cancel-orphaned-bookings.ts'

/** The process that learnt of a booking: a worker or request that called the carrier, or the carrier's webhook. */
export type ReportSource = {
  deps: Deps
  entry: AccountEntry
  claim: { key: { accountId: string; deliveryId: string }; source: DeliveryEvent['source'] }
}

/**
 * Orphaned booking: handles a carrier's acceptance of an attempt that no longer awaits an outcome. If another process
 * has already confirmed the same booking, there is nothing to do. If the attempt was ended as not booked (by a person's
 * word, by a worker that took over, by a lookup that missed it), the booking would duplicate the delivery's current
 * one. It is recorded as orphaned, and the carrier is asked to cancel it, at once and then until it answers.
 */
export async function recordOrphanedBooking(
  { deps, entry, claim }: ReportSource,
  { provider, attempt }: BookingIntent,
  { consignmentNumber, carrierRef: reference = consignmentNumber }: Booking,
): Promise<void> {
  const { accountId, deliveryId } = claim.key
  const found = { accountId, provider, reference, deliveryId, attempt, consignmentNumber }
  if (!(await isOrphanedBooking(deps.db, found))) return
  const intents = await listIntents(deps.db, accountId, deliveryId)
  const state = intents.find((intent) => intent.attempt === attempt)?.state
  const ended = state === 'void' || state === 'rejected'
  const orphan = ended ? await recordOrphan(deps.db, found, entry.nowMs(), deps.leaseMs) : null
  if (ended && !orphan) return
  deps.log.error(
    { delivery: deliveryId, consignment: consignmentNumber, state },
    'a carrier said yes after the delivery was taken over',
  )
  if (orphan) await cancelOrphanedBooking(deps, entry, orphan, claim.source)
}
