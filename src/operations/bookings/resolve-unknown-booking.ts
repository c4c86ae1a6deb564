import {
  type Booking,
  type BookingRecovery,
  type Carrier,
  type Consignment,
  isReadByPeople,
  type Outcome,
} from '../../carriers/port/carrier.ts'
import { firstLookMs } from '../../domain/delivery/reconciliation-schedule.ts'
import type { BookingIntent } from '../../store/deliveries/booking-intents.ts'
import type { BookingWork } from './apply-transition.ts'
import { type BookingTransition, onlyStaffKnow, refusedByAll } from './booking-transition.ts'
import { lookUpBooking, ON_ITS_WAY_MS } from './look-up-booking.ts'

/**
 * Resolves an attempt with an unknown outcome by what the carrier offers: a retry with the same idempotency key, a
 * lookup, or else a person. Until the outcome is known no other carrier is booked, however long that takes
 * (`docs/decisions/0027-unknown-booking-outcomes.md`).
 */
export async function resolveUnknownBooking(
  { entry, claim }: BookingWork,
  carrier: Carrier | null,
  intent: BookingIntent,
): Promise<BookingTransition> {
  if (!carrier) {
    const reason = `${intent.option.carrierName} is no longer a carrier of this account.`
    return { kind: 'on_hold', reason, intent: null, openAttempt: intent.attempt }
  }
  const wait = waitBeforeAsking(carrier.recovery, intent)
  if (wait) return wait
  if (carrier.recovery.kind === 'neither') return onlyStaffKnow(intent, intent)
  if (!(await claim.mayCall())) return { kind: 'lease_lost' }
  if (carrier.recovery.kind === 'look_up' || isForgotten(carrier.recovery, intent))
    return lookForIt(carrier, intent, entry.nowMs)
  return repeatRequest(carrier, intent, entry.nowMs)
}

/** A lookup may miss a booking that was made within the carrier's settling time. */
function waitBeforeAsking(recovery: BookingRecovery, intent: BookingIntent): BookingTransition | null {
  if (recovery.kind !== 'look_up') return null
  if (intent.state === 'sent') {
    // The worker that sent it died, perhaps at the very end of its lease: the settling time starts again.
    const outcome = { message: 'The process that sent the request stopped before the carrier answered.' }
    return {
      kind: 'unknown',
      intent,
      outcome,
      waitMs: recovery.settleMs,
      settleMs: recovery.settleMs,
      asked: false,
    }
  }
  if (intent.settleInMs === 0) return null
  const outcome = { message: intent.message ?? 'No answer.' }
  return { kind: 'unknown', intent, outcome, waitMs: intent.settleInMs, asked: false }
}

/** Sends the same request with the same idempotency key: a carrier that has the booking repeats its acceptance. */
async function repeatRequest(
  carrier: Carrier,
  intent: BookingIntent,
  nowMs: () => number,
): Promise<BookingTransition> {
  const outcome = finalIfRepeated(intent, await carrier.book(intent.consignment as Consignment))
  if (outcome.kind === 'yes') return conclude(intent, outcome, nowMs())
  if (outcome.kind === 'unknown' || outcome.retry === 'later') return stillUnknown(intent, outcome)
  // The mailbox may have filled up since, and still have the first mail.
  if (isReadByPeople(carrier.recovery)) return onlyStaffKnow(intent, { message: outcome.message })
  // A carrier with a lookup may have refused the second request for another reason (a time that has passed) before it
  // checked the key.
  return carrier.find ? lookForIt(carrier, intent, nowMs, outcome) : conclude(intent, outcome, nowMs())
}

/** A refusal that the carrier doesn't document is final at the second time. */
function finalIfRepeated(intent: BookingIntent, outcome: Outcome<Booking>): Outcome<Booking> {
  if (outcome.kind !== 'unknown' || !outcome.ifRepeated || !intent.ifRepeated) return outcome
  return { kind: 'no', retry: outcome.ifRepeated, message: outcome.message }
}

/** The carrier may have expired the key: a retry could create a second booking. */
function isForgotten(recovery: BookingRecovery, { keyAgeMs }: BookingIntent): boolean {
  return recovery.kind === 'idempotency_key' && recovery.livesMs !== undefined && keyAgeMs > recovery.livesMs
}

/**
 * The lookup decides; on a miss, `refusal` is the reason. If the carrier has no lookup, the delivery waits for a
 * person.
 */
async function lookForIt(
  { recovery, find }: Carrier,
  intent: BookingIntent,
  nowMs: () => number,
  refusal: Outcome<Booking> | null = null,
): Promise<BookingTransition> {
  if (!find) return onlyStaffKnow(intent, intent)
  const found = await lookUpBooking({ recovery, find }, intent, nowMs())
  if (found.kind === 'too_soon') {
    const outcome = { message: 'It does not have the booking yet.' }
    return { kind: 'unknown', intent, outcome, waitMs: ON_ITS_WAY_MS, asked: true }
  }
  if (found.kind !== 'yes') return stillUnknown(intent, found)
  const isMiss = found.value === null
  return conclude(intent, isMiss ? (refusal ?? refusedBefore(intent) ?? found) : found, nowMs())
}

/** The refusal that left the outcome unknown, now that the lookup has found no booking. */
function refusedBefore({ ifRepeated, message }: BookingIntent): Outcome<never> | null {
  return ifRepeated === null
    ? null
    : { kind: 'no', retry: ifRepeated, message: message ?? 'No reason given.' }
}

/**
 * A booking, or none: `outcome` is a lookup's or a refusal. The attempt is looked up again even after a no: the lookup
 * may have missed it once, and a second refusal does not show what became of the first request.
 */
function conclude(intent: BookingIntent, outcome: Outcome<Booking | null>, nowMs: number): BookingTransition {
  if (outcome.kind === 'yes' && outcome.value)
    return { kind: 'accepted', intent, booking: outcome.value, decision: null }
  const lookAgainAtMs = firstLookMs(nowMs)
  if (outcome.kind === 'yes') {
    const message = `It does not have booking ${intent.key}.`
    return { kind: 'refused', intent, end: { state: 'void', message, lookAgainAtMs } }
  }
  const { message } = outcome
  if (intent.ifRepeated && outcome.kind === 'no' && outcome.retry === 'nobody')
    return refusedByAll(intent, message, lookAgainAtMs)
  return { kind: 'refused', intent, end: { state: 'rejected', message, lookAgainAtMs } }
}

function stillUnknown(
  intent: BookingIntent,
  outcome: Exclude<Outcome<unknown>, { kind: 'yes' }>,
): BookingTransition {
  return { kind: 'unknown', intent, outcome, waitMs: null, asked: true }
}
