/** An extra booking that a carrier holds, beside the booking that the delivery uses. */
export type SurplusBooking = {
  carrierName: string
  /** As the carrier's people know it. */
  consignmentNumber: string
  /** Null: its cancellation is not confirmed yet. `kept`: refused; `by_hand`: the interface takes none; `given_up`: never confirmed. */
  outcome: 'kept' | 'by_hand' | 'given_up' | null
}

/** Tells the clerk in sentences what to do about surplus bookings; null if there are no such bookings. */
export function attentionOf(surplus: readonly SurplusBooking[]): string | null {
  if (surplus.length === 0) return null
  const each = surplus.map(({ carrierName, consignmentNumber, outcome }) => {
    const known = `${carrierName} has an extra booking for this order, number ${consignmentNumber}`
    return outcome === null ? `${known}. ${STILL_ASKED}` : `${known}. ${wayOf(outcome, carrierName)}`
  })
  return `${each.join(' ')} If a courier comes for it, don’t hand the parcel over twice.`
}

const STILL_ASKED = 'We’ve asked them to cancel it, and we’re waiting for them to confirm.'

function wayOf(outcome: NonNullable<SurplusBooking['outcome']>, carrierName: string): string {
  const why = {
    kept: 'They refused to cancel it.',
    by_hand: 'They take cancellations by phone only.',
    given_up: 'They never confirmed the cancellation.',
  }[outcome]
  return `${why} Ring ${carrierName} and ask them to cancel it.`
}
