import type { Booking, Carrier, Consignment } from '../../carriers/port/carrier.ts'
import { firstLookMs } from '../../domain/delivery/reconciliation-schedule.ts'
import { priceFromCharge } from '../../domain/quoting/price.ts'
import type { Alternative, BookingIntent, LostPeriod } from '../../store/deliveries/booking-intents.ts'
import { adoptAlternative } from '../../store/restore/lost-periods.ts'
import { findCarrier } from '../directory/find-carrier.ts'
import type { ClaimedDelivery } from './apply-transition.ts'
import type { BookingTransition, UnknownOutcome } from './booking-transition.ts'
import { lookUpBooking, ON_ITS_WAY_MS } from './look-up-booking.ts'

/** What the carriers say about the attempts that a restored database has lost. */
export type LostBooking =
  | { kind: 'found'; intent: BookingIntent; booking: Booking }
  | { kind: 'none' }
  /** Carriers with a lookup have no booking, and only the staff of the others know. */
  | { kind: 'ask_staff'; reason: string }
  | { kind: 'wait'; waitMs: number }
  /** `intent`: the request at a carrier that did not answer. `others`: those whose answers are missing too. */
  | { kind: 'unknown'; intent: BookingIntent; outcome: UnknownOutcome; others: readonly Alternative[] }
  | { kind: 'lease_lost' }

/**
 * After a restore: looks up a booking that the database has lost, at each carrier that may have it, under each key
 * that the lost period may have used. The latest key comes first: after a reassignment the earlier ones are cancelled.
 * If a carrier does not answer, the others are still asked. The outcome stays unknown if they have no booking.
 */
export async function lookUpLostBooking(
  { deps, entry, claim }: ClaimedDelivery,
  intent: BookingIntent,
  { lastAttempt, alternatives }: LostPeriod,
): Promise<LostBooking> {
  if (intent.settleInMs > 0) return { kind: 'wait', waitMs: intent.settleInMs }
  const { accountId, deliveryId } = claim.key
  const byProvider = Map.groupBy(alternatives, ({ provider }) => provider)
  const searched: {
    own: Alternative[]
    carrier: Pick<Carrier, 'recovery'> & Required<Pick<Carrier, 'find'>>
  }[] = []
  const silent: Alternative[] = []
  for (const [provider, own] of byProvider) {
    const carrier = await findCarrier(deps, accountId, provider)
    if (carrier?.find) searched.push({ own, carrier: { recovery: carrier.recovery, find: carrier.find } })
    else silent.push(...own.slice(0, 1))
  }
  let isEarly = false
  const unanswered = new Map<
    string,
    { intent: BookingIntent; outcome: UnknownOutcome; alternative: Alternative }
  >()
  for (let attempt = lastAttempt; attempt >= intent.attempt; attempt -= 1) {
    for (const { own, carrier } of searched) {
      const { provider } = own[0]!
      if (unanswered.has(provider)) continue
      if (!(await claim.mayCall())) return { kind: 'lease_lost' }
      const key = `${deliveryId}-${attempt}`
      const asked = toRequest(intent, own[0]!, key)
      const found = await lookUpBooking(carrier, asked, entry.nowMs())
      if (found.kind === 'too_soon') isEarly = true
      else if (found.kind !== 'yes') {
        const request = { ...asked, key: intent.key }
        unanswered.set(provider, { intent: request, outcome: found, alternative: own[0]! })
      } else if (found.value) {
        const taken = toRequest(intent, chooseAlternative(own, found.value), key)
        await adoptAlternative(deps.db, { accountId, deliveryId }, taken, true)
        return { kind: 'found', intent: taken, booking: found.value }
      }
    }
  }
  const [open, ...more] = unanswered.values()
  if (open) {
    const others = [...more.map(({ alternative }) => alternative), ...silent]
    // A person may record this carrier's answer only if no other answer is missing.
    const isLookedUp = others.length === 0 && !isEarly
    await adoptAlternative(deps.db, { accountId, deliveryId }, open.intent, isLookedUp)
    return { kind: 'unknown', intent: open.intent, outcome: open.outcome, others }
  }
  if (isEarly)
    return { kind: 'wait', waitMs: Math.max(1_000, intent.answeredAtMs + ON_ITS_WAY_MS - entry.nowMs()) }
  const [first, ...others] = silent
  if (!first) return { kind: 'none' }
  // The answer of a person is about the attempt's own carrier.
  await adoptAlternative(deps.db, { accountId, deliveryId }, toRequest(intent, first, intent.key), true)
  return { kind: 'ask_staff', reason: formatReason(first, others) }
}

/**
 * A lookup does not say which service was booked: the one with this charge, otherwise the one that Drover would have
 * booked first. If the carrier's own price was lost, the price is the carrier's charge plus the account's markup.
 */
export function chooseAlternative(
  own: readonly Alternative[],
  { costCents }: Pick<Booking, 'costCents'>,
): Alternative {
  const chosen = own.find(({ chargeCents }) => chargeCents === costCents) ?? own[0]!
  if (chosen.markupPercent === null) return chosen
  return {
    ...chosen,
    chargeCents: costCents,
    option: { ...chosen.option, ...priceFromCharge(costCents, chosen.markupPercent) },
  }
}

/** Looks up the lost booking of a delivery from the queue: confirms the attempt, ends it or leaves it for a person. */
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
      const nowMs = work.entry.nowMs()
      const end = { state: 'void', message: NO_CARRIER_HAS_IT, lookAgainAtMs: firstLookMs(nowMs) } as const
      // It was looked up before its time. A request to book it now goes on.
      const isEarly = work.claim.source === 'worker' && lost.dueAtMs !== null && lost.dueAtMs > nowMs
      return { kind: 'refused', intent, end, dueAtMs: isEarly ? lost.dueAtMs : null }
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
      return { kind: 'unknown', intent: learnt.intent, outcome: learnt.outcome, waitMs: null, asked: true }
    case 'lease_lost':
      return learnt
  }
}

export const RESTORED =
  'Our records were restored from a backup, so we’re asking the carriers whether one of them already has this order.'
export const NO_CARRIER_HAS_IT =
  'Our records were restored from a backup. We asked the carriers, and no carrier has a booking for this order.'

/** The request as it would have been sent to this carrier. */
function toRequest(
  intent: BookingIntent,
  { provider, service, option, chargeCents }: Alternative,
  key: string,
): BookingIntent {
  const consignment: Consignment = {
    ...(intent.consignment as Consignment),
    key,
    carrierCode: option.carrierCode,
    readyAtMs: option.pickupMs,
    window: { fromMs: option.windowFromMs, toMs: option.windowToMs },
    ratedCents: chargeCents ?? option.priceCents,
    quoteId: null,
  }
  return { ...intent, key, provider, service, carrierName: option.carrierName, option, consignment }
}

/** For a clerk. The page adds that they record the answer, and that no other carrier is booked until then. */
function formatReason({ option }: Alternative, others: readonly Alternative[]): string {
  return `Our records were restored from a backup, so we don’t know if ${option.carrierName} already has this order.${formatAskToo(others)}`
}

/** The carriers that keep silent when Drover stops asking: the clerk rings them. */
export function formatGivenUp(carrierName: string, others: readonly Alternative[]): string {
  return `Our records were restored from a backup, and ${carrierName} never said whether they have this order. We’ve stopped asking.${formatAskToo(others)}`
}

function formatAskToo(others: readonly Alternative[]): string {
  const names = others.map(({ option: { carrierName } }) => carrierName).join(' and ')
  return names === '' ? '' : ` Ask ${names} too, and have them cancel it if they have it.`
}
