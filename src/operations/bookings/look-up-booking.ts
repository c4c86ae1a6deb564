import type { Booking, Carrier, Consignment, Outcome } from '../../carriers/port/carrier.ts'
import type { BookingIntent } from '../../store/deliveries/booking-intents.ts'

/** So long an asking that got no answer may still be on its way to the carrier. */
export const ON_ITS_WAY_MS = 60_000

/** Too soon: the carrier knows of none, but what was asked last may not have arrived there. */
export type LookUp = Outcome<Booking | null> | { kind: 'too_soon' }

/**
 * Asks a carrier for the booking under an attempt's key, `find` being there. How long a miss may be early a carrier that
 * is looked up says itself; of one that takes keys it is a minute after it was last in doubt, in account time.
 */
export async function lookUpBooking(
  { nature, find }: Pick<Carrier, 'nature'> & Required<Pick<Carrier, 'find'>>,
  intent: BookingIntent,
  nowMs: number,
): Promise<LookUp> {
  const found = await find(intent.key, intent.consignment as Consignment, askedSinceMs(intent))
  const isMiss = found.kind === 'yes' && found.value === null
  const isEarly = nature.kind === 'idempotency_key' && nowMs < intent.answeredAtMs + ON_ITS_WAY_MS
  return isMiss && isEarly ? { kind: 'too_soon' } : found
}

/** Account time may have been set forth or back since, in a sandbox: whichever is earlier. */
function askedSinceMs({ consignment, keyAgeMs }: BookingIntent): number {
  return Math.min((consignment as Consignment).askedAtMs, Date.now() - keyAgeMs)
}
