/** A booking that a carrier holds beside what its delivery stands on. */
export type SurplusBooking = {
  carrierName: string
  /** As the carrier's people know it. */
  consignmentNumber: string
  /** Null: its cancellation is not confirmed yet. `kept`: refused; `by_hand`: the interface takes none; `given_up`: never confirmed. */
  outcome: 'kept' | 'by_hand' | 'given_up' | null
}

/** What a clerk is to do about surplus bookings, as sentences; null where there is none. */
export function attentionOf(surplus: readonly SurplusBooking[]): string | null {
  if (surplus.length === 0) return null
  const each = surplus.map(({ carrierName, consignmentNumber, outcome }) => {
    const known = `${carrierName} holds an extra booking of this order, number ${consignmentNumber}`
    return outcome === null ? `${known}. ${STILL_ASKED}` : `${known}. ${wayOf(outcome, carrierName)}`
  })
  return `${each.join(' ')} If a courier comes for it, don’t hand the parcel over twice.`
}

const STILL_ASKED = 'They haven’t confirmed that it is cancelled, and we keep asking them.'

function wayOf(outcome: NonNullable<SurplusBooking['outcome']>, carrierName: string): string {
  const why = {
    kept: 'They refused to cancel it.',
    by_hand: 'They take cancellations by phone only.',
    given_up: 'They never confirmed that it is cancelled.',
  }[outcome]
  return `${why} Ring ${carrierName} and ask them to cancel it.`
}
