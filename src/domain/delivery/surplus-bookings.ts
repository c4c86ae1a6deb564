/** Orphaned booking: a booking that a carrier holds in addition to the one that the delivery uses. */
export type SurplusBooking = {
  carrierName: string
  /** The number that the carrier's staff know it by. */
  consignmentNumber: string
  /**
   * Null: the cancellation is not confirmed yet. `refused`: the carrier refused it; `by_phone_only`: the carrier's
   * interface has no cancellation; `never_confirmed`: never confirmed.
   */
  outcome: 'refused' | 'by_phone_only' | 'never_confirmed' | null
}

/**
 * A sentence or two that say what the clerk must do about surplus bookings; null when there are no such
 * bookings.
 */
export function formatAttention(surplus: readonly SurplusBooking[]): string | null {
  if (surplus.length === 0) return null
  const each = surplus.map(({ carrierName, consignmentNumber, outcome }) => {
    const known = `${carrierName} has an extra booking for this order, number ${consignmentNumber}`
    return outcome === null
      ? `${known}. ${CANCEL_PENDING}`
      : `${known}. ${formatRemedy(outcome, carrierName)}`
  })
  return `${each.join(' ')} If a courier comes for it, don’t hand the parcel over twice.`
}

const CANCEL_PENDING = 'We’ve asked them to cancel it, and we’re waiting for them to confirm.'

function formatRemedy(outcome: NonNullable<SurplusBooking['outcome']>, carrierName: string): string {
  const why = {
    refused: 'They refused to cancel it.',
    by_phone_only: 'They take cancellations by phone only.',
    never_confirmed: 'They never confirmed the cancellation.',
  }[outcome]
  return `${why} Ring ${carrierName} and ask them to cancel it.`
}
