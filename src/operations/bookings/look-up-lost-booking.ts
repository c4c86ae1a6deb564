import type { Booking, Carrier, Consignment } from '../../carriers/port/carrier.ts'
import { firstLookMs } from '../../domain/delivery/reconciliation-schedule.ts'
import type { Alternative, BookingIntent, LostPeriod } from '../../store/deliveries/booking-intents.ts'
import { adoptAlternative } from '../../store/restore/lost-periods.ts'
import { findCarrier } from '../directory/find-carrier.ts'
import type { ClaimedDelivery } from './apply-transition.ts'
import type { BookingTransition, UnknownOutcome } from './booking-transition.ts'
import { lookUpBooking, ON_ITS_WAY_MS } from './look-up-booking.ts'

/** What the carriers say about the attempts that a restored database has forgotten. */
export type LostBooking =
  | { kind: 'found'; intent: BookingIntent; booking: Booking }
  | { kind: 'none' }
  /** Carriers with a lookup have no booking, and only the staff of the others know. */
  | { kind: 'ask_staff'; reason: string }
  | { kind: 'wait'; waitMs: number }
  | { kind: 'unknown'; outcome: UnknownOutcome }
  | { kind: 'lease_lost' }

/**
 * After a restore: looks up a booking that the database has forgotten, at each carrier that may have it, under each key
 * that the lost period may have used. The latest key comes first: after a reassignment the earlier ones are cancelled.
 * One carrier without an answer leaves the outcome unknown.
 */
export async function lookUpLostBooking(
  { deps, entry, claim }: ClaimedDelivery,
  intent: BookingIntent,
  { lastAttempt, alternatives }: LostPeriod,
): Promise<LostBooking> {
  if (intent.settleInMs > 0) return { kind: 'wait', waitMs: intent.settleInMs }
  const { accountId, deliveryId } = claim.key
  const searched: {
    candidate: Alternative
    carrier: Pick<Carrier, 'recovery'> & Required<Pick<Carrier, 'find'>>
  }[] = []
  const silent: Alternative[] = []
  for (const candidate of listCandidates(intent, alternatives)) {
    const carrier = await findCarrier(deps, accountId, candidate.provider)
    if (carrier?.find)
      searched.push({ candidate, carrier: { recovery: carrier.recovery, find: carrier.find } })
    else silent.push(candidate)
  }
  let isEarly = false
  for (let attempt = lastAttempt; attempt >= intent.attempt; attempt -= 1) {
    for (const { candidate, carrier } of searched) {
      if (!(await claim.mayCall())) return { kind: 'lease_lost' }
      const asked = toRequest(intent, candidate, `${deliveryId}-${attempt}`)
      const found = await lookUpBooking(carrier, asked, entry.nowMs())
      if (found.kind === 'too_soon') isEarly = true
      else if (found.kind !== 'yes') return { kind: 'unknown', outcome: found }
      else if (found.value) {
        await adoptAlternative(deps.db, { accountId, deliveryId }, asked)
        return { kind: 'found', intent: withPrice(asked, found.value), booking: found.value }
      }
    }
  }
  if (isEarly)
    return { kind: 'wait', waitMs: Math.max(1_000, intent.answeredAtMs + ON_ITS_WAY_MS - entry.nowMs()) }
  const [first, ...others] = silent
  if (!first) return { kind: 'none' }
  // The answer of a person is about the attempt's own carrier.
  await adoptAlternative(deps.db, { accountId, deliveryId }, toRequest(intent, first, intent.key))
  return { kind: 'ask_staff', reason: formatReason(first, others) }
}

/** What a booking from the queue learns: the attempt is confirmed, ended or left for a person. */
export async function resolveLostBooking(
  work: ClaimedDelivery,
  intent: BookingIntent,
  lost: LostPeriod,
): Promise<BookingTransition> {
  const learnt = await lookUpLostBooking(work, intent, lost)
  switch (learnt.kind) {
    case 'found':
      return { kind: 'accepted', intent: learnt.intent, booking: learnt.booking, decision: null }
    case 'none': {
      const lookAgainAtMs = firstLookMs(work.entry.nowMs())
      return {
        kind: 'refused',
        intent,
        end: { state: 'void', message: NO_CARRIER_HAS_IT, lookAgainAtMs },
      }
    }
    case 'ask_staff':
      return {
        kind: 'on_hold',
        reason: learnt.reason,
        intent: { attempt: intent.attempt, state: 'unknown', message: intent.message },
        openAttempt: intent.attempt,
      }
    case 'wait': {
      const outcome = { message: intent.message ?? RESTORED }
      return { kind: 'unknown', intent, outcome, waitMs: learnt.waitMs, asked: false }
    }
    case 'unknown':
      return { kind: 'unknown', intent, outcome: learnt.outcome, waitMs: null, asked: true }
    case 'lease_lost':
      return learnt
  }
}

export const RESTORED = 'The records were restored from a backup that was made before the booking.'
export const NO_CARRIER_HAS_IT =
  'Our records were restored from a backup, and no carrier has a booking of this order from after it.'

/** The attempt's own carrier and the others: one option of each, because a lookup is per carrier. */
function listCandidates(
  { provider, service, option }: BookingIntent,
  alternatives: readonly Alternative[],
): Alternative[] {
  return [{ provider, service, option }, ...alternatives.filter((other) => other.provider !== provider)]
}

/** The request as it would have been sent to this carrier. */
function toRequest(
  intent: BookingIntent,
  { provider, service, option }: Alternative,
  key: string,
): BookingIntent {
  const consignment: Consignment = {
    ...(intent.consignment as Consignment),
    key,
    carrierCode: option.carrierCode,
    readyAtMs: option.pickupMs,
    window: { fromMs: option.windowFromMs, toMs: option.windowToMs },
    ratedCents: option.priceCents,
    quoteId: null,
  }
  return { ...intent, key, provider, service, carrierName: option.carrierName, option, consignment }
}

/** A carrier's own price of the lost period is forgotten: the customer's price is then what the carrier charges. */
function withPrice(intent: BookingIntent, { costCents }: Booking): BookingIntent {
  if (!intent.option.quote) return intent
  return { ...intent, option: { ...intent.option, priceCents: costCents, lines: [], quote: null } }
}

/** For a clerk. The page adds that they record the answer, and that no other carrier is booked until then. */
function formatReason({ option }: Alternative, others: readonly Alternative[]): string {
  const restored = `Our records were restored from a backup, so we don’t know if ${option.carrierName} already has this order.`
  const names = others.map(({ option: { carrierName } }) => carrierName).join(' and ')
  return names === '' ? restored : `${restored} If ${names} has it, ask them to cancel it.`
}
