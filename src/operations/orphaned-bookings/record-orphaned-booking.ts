import type { Booking } from '../../carriers/port/carrier.ts'
import type { DeliveryEvent } from '../../domain/delivery/delivery.ts'
import { type AnyIntent, listIntents } from '../../store/deliveries/booking-intents.ts'
import { recordOrphan } from '../../store/deliveries/orphaned-bookings.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { isOrphanedBooking } from './is-orphaned-booking.ts'

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
 * one. It is recorded as orphaned, due at once: a worker asks the carrier to cancel it until the carrier answers.
 */
export async function recordOrphanedBooking(
  { deps, entry, claim }: ReportSource,
  { provider, attempt }: Pick<AnyIntent, 'provider' | 'attempt'>,
  {
    consignmentNumber,
    carrierRef: reference = consignmentNumber,
  }: Pick<Booking, 'consignmentNumber' | 'carrierRef'>,
): Promise<void> {
  const { accountId, deliveryId } = claim.key
  const found = { accountId, provider, reference, deliveryId, attempt, consignmentNumber }
  if (!(await isOrphanedBooking(deps.db, found))) return
  const intents = await listIntents(deps.db, accountId, deliveryId)
  const state = intents.find((intent) => intent.attempt === attempt)?.state
  const ended = state === 'void' || state === 'rejected'
  if (ended && !(await recordOrphan(deps.db, found, entry.nowMs()))) return
  deps.log.error(
    { delivery: deliveryId, consignment: consignmentNumber, state },
    'a carrier confirmed a booking that had been given up',
  )
  if (ended) deps.wake()
}
