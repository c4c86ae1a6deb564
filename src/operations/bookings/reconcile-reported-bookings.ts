import type { Consignment, ToldBooking } from '../../carriers/port/carrier.ts'
import { type BookingIntent, findIntentByKey } from '../../store/deliveries/booking-intents.ts'
import type { AccountEntry } from '../context/account-directory.ts'
import type { Deps } from '../context/deps.ts'
import { confirmBooking } from './confirm-booking.ts'
import { recordOrphanedBooking } from './record-orphaned-booking.ts'

/** What a carrier told of, and whether its job is still to be done there. */
export type ReportedBooking = ToldBooking & { isOver: boolean }

/**
 * Bookings that a carrier names by our keys, as an answer to a look-up: the attempt that waits for one is booked with
 * it; one that was given up is asked back. Answers the numbers of those that nobody is asking for any more: of these,
 * one that no delivery of ours stands on is none of ours.
 */
export async function reconcileReportedBookings(
  deps: Deps,
  entry: AccountEntry,
  provider: string,
  told: readonly ReportedBooking[],
): Promise<string[]> {
  const accountId = entry.account.id
  const settled: string[] = []
  for (const { key, consignmentNumber, isOver, as } of told) {
    const intent = await findIntentByKey(deps.db, accountId, provider, key)
    // A key is written down before it is sent: whose we do not have is somebody else's.
    if (!intent || intent.isAwaited || ENDED.has(intent.state)) settled.push(consignmentNumber)
    if (!intent) continue
    const { deliveryId, state, isAwaited } = intent
    const learnt = { deps, entry, claim: { key: { accountId, deliveryId }, source: 'carrier' as const } }
    const booking = as(intent.consignment as Consignment)
    if (isAwaited) await confirmBooking(learnt, intent, booking, null)
    else if (!isOver && (state === 'void' || state === 'rejected')) {
      await recordOrphanedBooking(learnt, intent, booking)
    }
  }
  return settled
}

const ENDED: ReadonlySet<BookingIntent['state']> = new Set(['accepted', 'rejected', 'void'] as const)
