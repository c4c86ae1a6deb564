import type { Booking } from '../../carriers/port/carrier.ts'
import type { DeliveryEvent } from '../../domain/delivery/delivery.ts'
import { type BookingIntent, listIntents } from '../../store/deliveries/booking-intents.ts'
import { recordOrphan } from '../../store/deliveries/orphaned-bookings.ts'
import type { AccountEntry } from '../context/account-directory.ts'
import type { Deps } from '../context/deps.ts'
import { cancelOrphanedBooking, isOrphanedBooking } from './cancel-orphaned-bookings.ts'

/** Who learnt that a carrier has a delivery: whoever asked it, or the carrier's own news. */
export type LearntBy = {
  deps: Deps
  entry: AccountEntry
  claim: { key: { accountId: string; deliveryId: string }; source: DeliveryEvent['source'] }
}

/**
 * A carrier's yes to an attempt that is no longer waited for. Where others have learnt of the same booking that is all
 * well. What was ended as not booked (by a person's word, by a worker that took over, by a search that found nothing)
 * must not stand beside what the delivery stands on now: it is written down, and from then on asked back until its
 * carrier has answered; first here and at once. Who finds what is known already has nothing to do.
 */
export async function recordOrphanedBooking(
  { deps, entry, claim }: LearntBy,
  { provider, attempt }: BookingIntent,
  { consignmentNumber, carrierRef: reference = consignmentNumber }: Booking,
): Promise<void> {
  const { accountId, deliveryId } = claim.key
  const found = { accountId, provider, reference, deliveryId, attempt, consignmentNumber }
  if (!(await isOrphanedBooking(deps.db, found))) return
  const intents = await listIntents(deps.db, accountId, deliveryId)
  const state = intents.find((intent) => intent.attempt === attempt)?.state
  const ended = state === 'void' || state === 'rejected'
  const stray = ended ? await recordOrphan(deps.db, found, entry.nowMs(), deps.leaseMs) : null
  if (ended && !stray) return
  deps.log.error(
    { delivery: deliveryId, consignment: consignmentNumber, state },
    'a carrier said yes after the delivery was taken over',
  )
  if (stray) await cancelOrphanedBooking(deps, entry, stray, claim.source)
}
