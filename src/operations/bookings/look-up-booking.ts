import type { Booking, Carrier, Consignment, Outcome } from '../../carriers/port/carrier.ts'
import type { BookingIntent } from '../../store/deliveries/booking-intents.ts'

/** How long a request without an answer may still be on its way to the carrier. */
export const ON_ITS_WAY_MS = 60_000

/** `too_soon`: the carrier has no such booking, but our last request may not have arrived there yet. */
export type LookUp = Outcome<Booking | null> | { kind: 'too_soon' }

/**
 * Looks up the booking of an attempt's key at a carrier that has `find`. Carriers that we recover by lookup say
 * themselves how long a miss may be premature. For a carrier with idempotency keys it is one minute after the outcome
 * last became unknown, in account time.
 */
export async function lookUpBooking(
  { recovery, find }: Pick<Carrier, 'recovery'> & Required<Pick<Carrier, 'find'>>,
  intent: BookingIntent,
  nowMs: number,
): Promise<LookUp> {
  const found = await find(intent.key, intent.consignment as Consignment, askedSinceMs(intent))
  const isMiss = found.kind === 'yes' && found.value === null
  const isEarly = recovery.kind === 'idempotency_key' && nowMs < intent.answeredAtMs + ON_ITS_WAY_MS
  return isMiss && isEarly ? { kind: 'too_soon' } : found
}

/** In a sandbox, account time may have been moved forward or back since; takes the earlier time. */
function askedSinceMs({ consignment, keyAgeMs }: BookingIntent): number {
  return Math.min((consignment as Consignment).askedAtMs, Date.now() - keyAgeMs)
}
