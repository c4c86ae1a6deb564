import type { Booking, Carrier, Consignment, Nature, Outcome } from '../../carriers/port/carrier.ts'
import { firstLookMs } from '../../domain/delivery/booking-looks.ts'
import { type BookingIntent, doubtIntent } from '../../store/deliveries/booking-intents.ts'
import {
  askAgainMs,
  type BookingAttempt,
  recordHold,
  recordRefused,
  recordUnknown,
} from './booking-transitions.ts'
import { confirmBooking } from './confirm-booking.ts'
import { lookUpBooking, ON_ITS_WAY_MS } from './look-up-booking.ts'

/** What is known of an attempt now: it stands nowhere (`free`), or nothing more may be tried for the moment. */
export type Resolution = 'free' | 'done'

/**
 * Finds out what became of an attempt that never got its answer, by the carrier's nature (safety.md
 * section 0). Until it is known nothing else is booked, however long that takes.
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
  return SETTLE[carrier.nature.kind](work, carrier, intent)
}

const SETTLE: Record<
  Nature['kind'],
  (work: BookingAttempt, carrier: Carrier, intent: BookingIntent) => Promise<Resolution>
> = {
  async idempotency_key(work, carrier, intent) {
    if (!(await work.claim.mayCall())) return 'done'
    if (isForgotten(carrier.nature, intent)) return lookForIt(work, carrier, intent)
    const outcome = await carrier.book(intent.consignment as Consignment)
    if (outcome.kind === 'yes') return conclude(work, intent, outcome)
    if (outcome.kind === 'unknown' || outcome.cure === 'later') return stillUnknown(work, intent, outcome)
    // A carrier that honours keys would repeat its yes. One that can be searched may have refused the second
    // asking for a reason of its own (times that have passed) before it looked at the key.
    return carrier.find ? lookForIt(work, carrier, intent, outcome) : conclude(work, intent, outcome)
  },

  async look_up(work, carrier, intent) {
    const settleMs = carrier.nature.kind === 'look_up' ? carrier.nature.settleMs : 0
    if (intent.state === 'sent') {
      const { account_id: accountId, delivery_id: deliveryId } = work.claim.row
      await doubtIntent(work.deps.db, { accountId, deliveryId }, intent.attempt, settleMs)
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
      said: intent.said,
    })
    return 'done'
  },
}

/** The key may no longer be known: sent again, it could make a second booking. */
function isForgotten(nature: Nature, { keyAgeMs }: BookingIntent): boolean {
  return nature.kind === 'idempotency_key' && nature.livesMs !== undefined && keyAgeMs > nature.livesMs
}

/** What is found decides; where nothing is, `refusal` is why. Who cannot be searched waits for a person. */
async function lookForIt(
  work: BookingAttempt,
  carrier: Carrier,
  intent: BookingIntent,
  refusal: Outcome<Booking> | null = null,
): Promise<Resolution> {
  const { find } = carrier
  if (!find) {
    const unknown = { attempt: intent.attempt, state: 'unknown', said: intent.said } as const
    await recordHold(work, unresolvableReason(intent), unknown)
    return 'done'
  }
  const found = await lookUpBooking({ nature: carrier.nature, find }, intent, work.entry.nowMs())
  if (found.kind === 'too_soon') {
    const waits = { waitMs: ON_ITS_WAY_MS, asked: true }
    await recordUnknown(work, intent, 'It knows of none yet.', waits)
    return 'done'
  }
  if (found.kind !== 'yes') return stillUnknown(work, intent, found)
  return conclude(work, intent, found.value === null && refusal ? refusal : found)
}

/** Why a delivery waits for a person: the one case in which guessing could book twice. */
export function unresolvableReason(intent: BookingIntent): string {
  const { carrierName } = intent.option
  return `${carrierName} did not answer our booking ${intent.key} and cannot be asked about it. Ask ${carrierName} whether they hold it, then tell us by settle-booking; nothing else is booked until then.`
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
  const said = outcome.kind === 'yes' ? `It knows of no booking ${intent.key}.` : outcome.said
  // A list may have missed it once, and a second refusal says nothing of the first asking.
  const lookAgainAtMs = firstLookMs(work.entry.nowMs())
  const state = outcome.kind === 'yes' ? 'void' : 'rejected'
  return (await recordRefused(work, intent, { state, said, lookAgainAtMs })) ? 'free' : 'done'
}

async function stillUnknown(
  work: BookingAttempt,
  intent: BookingIntent,
  outcome: Outcome<unknown>,
): Promise<Resolution> {
  const said = outcome.kind === 'yes' ? 'No answer.' : outcome.said
  await recordUnknown(work, intent, said, { waitMs: askAgainMs(work), asked: true })
  return 'done'
}

async function notAskedYet(work: BookingAttempt, intent: BookingIntent, waitMs: number): Promise<Resolution> {
  await recordUnknown(work, intent, intent.said ?? 'No answer.', { waitMs, asked: false })
  return 'done'
}
