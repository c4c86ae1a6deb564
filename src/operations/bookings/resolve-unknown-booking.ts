import type { Booking, BookingRecovery, Carrier, Consignment, Outcome } from '../../carriers/port/carrier.ts'
import { firstLookMs } from '../../domain/delivery/look-up-schedule.ts'
import { type BookingIntent, markIntentUnknown } from '../../store/deliveries/booking-intents.ts'
import {
  askAgainMs,
  type BookingAttempt,
  recordHold,
  recordRefused,
  recordRefusedByAll,
  recordUnknown,
} from './booking-transitions.ts'
import { confirmBooking } from './confirm-booking.ts'
import { lookUpBooking, ON_ITS_WAY_MS } from './look-up-booking.ts'

/** The result: the attempt has no booking (`free`), or there is nothing more to do for now (`done`). */
export type Resolution = 'free' | 'done'

/**
 * Resolves an attempt with an unknown outcome by what the carrier offers: a retry with the same idempotency key, a
 * lookup, or else a person. Until the outcome is known no other carrier is booked, however long that takes
 * (`docs/decisions/0027-unknown-booking-outcomes.md`).
 */
export async function resolveUnknownBooking(
  work: BookingAttempt,
  carrier: Carrier | null,
  intent: BookingIntent,
): Promise<Resolution> {
  if (!carrier) {
    await recordHold(work, `${intent.option.carrierName} is no longer a carrier of this account.`)
    return 'done'
  }
  return SETTLE[carrier.recovery.kind](work, carrier, intent)
}

const SETTLE: Record<
  BookingRecovery['kind'],
  (work: BookingAttempt, carrier: Carrier, intent: BookingIntent) => Promise<Resolution>
> = {
  async idempotency_key(work, carrier, intent) {
    if (!(await work.claim.mayCall())) return 'done'
    if (isForgotten(carrier.recovery, intent)) return lookForIt(work, carrier, intent)
    const outcome = finalIfRepeated(intent, await carrier.book(intent.consignment as Consignment))
    if (outcome.kind === 'yes') return conclude(work, intent, outcome)
    if (outcome.kind === 'unknown' || outcome.retry === 'later') return stillUnknown(work, intent, outcome)
    // A carrier that honours idempotency keys would repeat its acceptance. A carrier with a lookup may have refused the
    // second request for another reason (a time that has passed) before it checked the key.
    return carrier.find ? lookForIt(work, carrier, intent, outcome) : conclude(work, intent, outcome)
  },

  async look_up(work, carrier, intent) {
    const settleMs = carrier.recovery.kind === 'look_up' ? carrier.recovery.settleMs : 0
    if (intent.state === 'sent') {
      const { account_id: accountId, delivery_id: deliveryId } = work.claim.row
      await markIntentUnknown(work.deps.db, { accountId, deliveryId }, intent.attempt, settleMs)
      return notAskedYet(work, intent, settleMs)
    }
    if (intent.settleInMs > 0) return notAskedYet(work, intent, intent.settleInMs)
    if (!(await work.claim.mayCall())) return 'done'
    return lookForIt(work, carrier, intent)
  },

  async neither(work, _carrier, intent) {
    await recordHold(work, unresolvableReason(intent), {
      attempt: intent.attempt,
      state: 'unknown',
      message: intent.message,
    })
    return 'done'
  },
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
  work: BookingAttempt,
  carrier: Carrier,
  intent: BookingIntent,
  refusal: Outcome<Booking> | null = null,
): Promise<Resolution> {
  const { find } = carrier
  if (!find) {
    const unknown = { attempt: intent.attempt, state: 'unknown', message: intent.message } as const
    await recordHold(work, unresolvableReason(intent), unknown)
    return 'done'
  }
  const found = await lookUpBooking({ recovery: carrier.recovery, find }, intent, work.entry.nowMs())
  if (found.kind === 'too_soon') {
    const waits = { waitMs: ON_ITS_WAY_MS, asked: true }
    await recordUnknown(work, intent, { message: 'It knows of none yet.' }, waits)
    return 'done'
  }
  if (found.kind !== 'yes') return stillUnknown(work, intent, found)
  return conclude(work, intent, found.value === null ? (refusal ?? refusedBefore(intent) ?? found) : found)
}

/** The refusal that left the outcome unknown, now that the lookup has found no booking. */
function refusedBefore({ ifRepeated, message }: BookingIntent): Outcome<never> | null {
  return ifRepeated === null
    ? null
    : { kind: 'no', retry: ifRepeated, message: message ?? 'No reason given.' }
}

/** Why a delivery waits for a person: here a guess could book it twice. */
export function unresolvableReason(intent: BookingIntent): string {
  const { carrierName } = intent.option
  const happened = intent.ifRepeated
    ? `answered our booking ${intent.key} with an error that we don't know (${intent.message})`
    : `did not answer our booking ${intent.key}`
  return `${carrierName} ${happened} and cannot be asked about it. Ask ${carrierName} whether they hold it, then tell us by settle-booking; nothing else is booked until then.`
}

async function conclude(
  work: BookingAttempt,
  intent: BookingIntent,
  outcome: Outcome<Booking | null>,
): Promise<Resolution> {
  if (outcome.kind === 'yes' && outcome.value) {
    await confirmBooking(work, intent, outcome.value, null)
    return 'done'
  }
  const message = outcome.kind === 'yes' ? `It knows of no booking ${intent.key}.` : outcome.message
  // The lookup may have missed it once, and a second refusal does not show what became of the first request.
  const lookAgainAtMs = firstLookMs(work.entry.nowMs())
  if (intent.ifRepeated && outcome.kind === 'no' && outcome.retry === 'nobody') {
    await recordRefusedByAll(work, intent, message, lookAgainAtMs)
    return 'done'
  }
  const state = outcome.kind === 'yes' ? 'void' : 'rejected'
  return (await recordRefused(work, intent, { state, message, lookAgainAtMs })) ? 'free' : 'done'
}

async function stillUnknown(
  work: BookingAttempt,
  intent: BookingIntent,
  outcome: Outcome<unknown>,
): Promise<Resolution> {
  const doubt = outcome.kind === 'yes' ? { message: 'No answer.' } : outcome
  await recordUnknown(work, intent, doubt, { waitMs: askAgainMs(work), asked: true })
  return 'done'
}

async function notAskedYet(work: BookingAttempt, intent: BookingIntent, waitMs: number): Promise<Resolution> {
  await recordUnknown(work, intent, { message: intent.message ?? 'No answer.' }, { waitMs, asked: false })
  return 'done'
}
