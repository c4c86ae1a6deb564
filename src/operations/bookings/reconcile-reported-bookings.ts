import type { BookingNotice, Consignment } from '../../carriers/port/carrier.ts'
import { type AnyIntent, findIntentByKey, hasRequest } from '../../store/deliveries/booking-intents.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { recordOrphanedBooking } from '../orphaned-bookings/record-orphaned-booking.ts'
import { confirmBooking } from './confirm-booking.ts'

/** A booking that a carrier reported, and whether its job there has ended. */
export type ReportedBooking = BookingNotice & { isOver: boolean }

/**
 * Reconciliation: processes bookings that a carrier reports with our keys, like the result of a lookup. If the attempt
 * awaits its outcome, the delivery is booked; if the attempt was given up, the booking is cancelled. Returns the
 * consignment numbers that need no further lookup: among these, a number that no delivery of ours uses is not our
 * booking.
 */
export async function reconcileReportedBookings(
  deps: Deps,
  entry: AccountEntry,
  provider: string,
  reported: readonly ReportedBooking[],
): Promise<string[]> {
  const accountId = entry.account.id
  const settled: string[] = []
  for (const { key, consignmentNumber, isOver, toBooking: as } of reported) {
    const intent = await findIntentByKey(deps.db, accountId, provider, key)
    // A key is stored before it is sent, so a key that we do not have belongs to another client of the carrier.
    if (!intent || intent.isAwaited || ENDED.has(intent.state)) settled.push(consignmentNumber)
    if (!intent) continue
    const { deliveryId, state, isAwaited } = intent
    const learnt = { deps, entry, claim: { key: { accountId, deliveryId }, source: 'carrier' as const } }
    // The articles of an orphaned booking are not read.
    const booking = as(
      hasRequest(intent) ? (intent.consignment as Consignment) : { key, deliveryId, parcels: [] },
    )
    if (isAwaited && hasRequest(intent)) await confirmBooking(learnt, intent, booking, null)
    else if (!isOver && (state === 'void' || state === 'rejected')) {
      await recordOrphanedBooking(learnt, intent, booking)
    }
  }
  return settled
}

const ENDED: ReadonlySet<AnyIntent['state']> = new Set(['accepted', 'rejected', 'void'] as const)
