import {
  type ActionFacts,
  classifyLeftBehind,
  type DeliveryAction,
  type WhyNot,
  whyNot,
} from '../../../src/domain/delivery/actions/why-not.ts'
import { can, isFinal } from '../../../src/domain/delivery/status.ts'
import { STATUS_WORDS } from '../../../src/domain/delivery/status-labels.ts'
import type { Delivery } from '../../shared/api.generated.ts'

/** How another carrier gets the delivery: a courier of the store, or another carrier. */
export type Handover = 'assign' | 'reassign'
/** `book` of a delivery on hold is shown as `retry`. */
export type Verb = DeliveryAction | 'retry'
/** `disabledReason` is the reason why the action is disabled and, if there is one, the alternative. */
export type Action = { verb: Verb; label: string; disabledReason: string | null }

const TEXTS: Readonly<Record<Verb, string>> = {
  extra_cancelled: 'Mark extra booking as cancelled',
  send_rest: 'Send the rest',
  settle: 'Record answer',
  manifest: 'Add to manifest',
  retry: 'Try again',
  book: 'Book now',
  returned: 'Mark as returned',
  delivered: 'Mark as delivered',
  taken_over: 'Take over',
  print: 'Print label',
  assign: 'Give to a courier',
  reassign: 'Use another carrier',
  amend: 'Amend',
  cancel: 'Cancel',
}
const MAX_ACTIONS = 5

/**
 * In the order of the bar: the next step, print, assign to a courier, amend, cancel. Before them, in any status: an
 * extra booking that a carrier may still have, and parcels that stayed behind. `nowMs`: the account's clock.
 */
export function actionsOf(delivery: Delivery, nowMs: number): Action[] {
  const facts = factsIn(delivery, nowMs)
  const usual = usualVerbs(delivery, facts)
  const own = isEnabled('send_rest', facts) ? ['send_rest' as const, ...usual].slice(0, MAX_ACTIONS) : usual
  const verbs = isEnabled('extra_cancelled', facts) ? ['extra_cancelled' as const, ...own] : own
  return verbs.map((verb) => ({
    verb,
    label: TEXTS[verb],
    disabledReason: disabledText(verb, delivery, facts),
  }))
}

/** The fields of the response that decide about actions. */
export function factsIn(delivery: Delivery, nowMs: number): ActionFacts {
  const { parcels, left_behind: leftParcels = [], customer, to_datetime: windowEnd } = delivery
  const sum = (all: readonly { quantity: number }[]) => all.reduce((units, one) => units + one.quantity, 0)
  return {
    status: delivery.status,
    isOwn: delivery.use_staff_couriers === true,
    bookingAttempt: delivery.booking_attempt ?? null,
    hasConsignment: delivery.consignment_number !== undefined,
    cancellation: delivery.pending_cancellation?.purpose ?? null,
    manifestStatus: delivery.manifest_status,
    isOnManifest: delivery.manifest_id !== undefined,
    isOverdue: windowEnd === undefined || Date.parse(windowEnd) < nowMs,
    hasExtraBooking: delivery.attention !== undefined,
    leftBehind:
      leftParcels.length === 0 ? 'nothing' : classifyLeftBehind(sum(leftParcels), sum(parcels), customer),
  }
}

function isEnabled(verb: Verb, facts: ActionFacts): boolean {
  return whyNot(verb === 'retry' ? 'book' : verb, facts) === null
}

function usualVerbs(delivery: Delivery, facts: ActionFacts): Verb[] {
  if (isFinal(delivery.status)) return ['print', 'amend', 'cancel']
  const outcomes = (['returned', 'delivered', 'taken_over'] as const).filter((one) => isEnabled(one, facts))
  if (HAS_LEFT.includes(delivery.status) && outcomes.length > 0) return [...outcomes, 'print']
  // A carrier that was to collect it and no longer sends updates: a delivery with its carrier cannot be
  // amended in any case.
  const overdue = facts.isOwn ? [] : outcomes
  const last = overdue.length > 0 ? overdue : ['amend' as const]
  return [...nextOf(facts), 'print', handoverOf(facts), ...last, 'cancel']
}

const HAS_LEFT: readonly Delivery['status'][] = ['collected', 'pending_return', 'reassigned']

function nextOf(facts: ActionFacts): Verb[] {
  if (isEnabled('settle', facts)) return ['settle']
  if (isEnabled('manifest', facts)) return ['manifest']
  if (!isEnabled('book', facts)) return []
  return [facts.status === 'on_hold' ? 'retry' : 'book']
}

/** The other carrier: a courier of the store, or another external carrier once one has it. */
function handoverOf(facts: ActionFacts): Handover {
  return can('reassign', facts) && !facts.isOwn ? 'reassign' : 'assign'
}

/** The way that is open for another carrier, if any. */
export function handoverOpen(delivery: Delivery, nowMs: number): Handover | null {
  const facts = factsIn(delivery, nowMs)
  const verb = handoverOf(facts)
  return isEnabled(verb, facts) ? verb : null
}

/** Whether its carrier has not manifested it, and it may go on a manifest now. */
export function isToManifest(delivery: Delivery): boolean {
  return isEnabled('manifest', factsIn(delivery, 0))
}

/** Whether the outcome of its booking is unknown. */
export function isOutcomeUnknown({ booking_attempt }: Delivery): boolean {
  return booking_attempt === 'unanswered'
}

function disabledText(verb: Verb, delivery: Delivery, facts: ActionFacts): string | null {
  const why = whyNot(verb === 'retry' ? 'book' : verb, facts)
  if (why === null) return null
  if (isFinal(delivery.status) && verb !== 'print')
    return `This delivery has been ${STATUS_WORDS[delivery.status].clerk.toLowerCase()}, so it can’t be changed any more.`
  return CLOSED[verb]?.[why]?.(delivery) ?? NOT_NOW
}

const NOT_NOW = 'This action isn’t available for this delivery right now.'
const NO_LABEL = ({ status }: Delivery) =>
  isFinal(status)
    ? 'This delivery has ended, so there’s no label to print.'
    : 'There’s no label yet. You can print it once the delivery is booked.'
const LEFT_STORE = 'The parcels have already left the store, so they can’t go to another courier.'
const BEING_BOOKED = () => 'We’re booking a carrier. Wait a few seconds.'
const holderOf = ({ carrier_provider: carrier }: Delivery) => carrier ?? 'Your courier'
const amendHeld = (delivery: Delivery) =>
  `${holderOf(delivery)} already has this delivery${delivery.consignment_number ? ` (consignment ${delivery.consignment_number})` : ''}, so it can’t be amended.`
/** A clerk settles a delivery on hold. They cancel or book a dead-lettered one. */
const unanswered = (action: string) => (delivery: Delivery) =>
  delivery.status === 'on_hold'
    ? `${action} until we know whether it’s booked. Ring the carrier, then choose Record answer.`
    : `${action} until we know whether it’s booked. Cancel the delivery, or choose Book now to ask the carrier again.`

type Texts = Readonly<Partial<Record<WhyNot, (delivery: Delivery) => string>>>

/** Why an action is disabled, in a clerk's words. */
const CLOSED: Readonly<Partial<Record<Verb, Texts>>> = {
  print: { wrong_status: NO_LABEL, not_consigned: NO_LABEL },
  assign: {
    in_progress: BEING_BOOKED,
    unanswered: unanswered('This delivery can’t go to a courier'),
    collected_by_courier: () => LEFT_STORE,
    at_carrier: () => LEFT_STORE,
  },
  reassign: {
    manifested: (delivery) =>
      `${holderOf(delivery)} has this delivery on a manifest, so it can’t go to another carrier. Ring them, or cancel the delivery.`,
    on_manifest: (delivery) =>
      `This delivery is on a manifest that ${holderOf(delivery)} hasn’t confirmed yet. Wait for the confirmation, or cancel the delivery.`,
    cancelling: (delivery) =>
      `This delivery is being cancelled. ${holderOf(delivery)} hasn’t confirmed the cancellation yet.`,
  },
  amend: {
    consigned: amendHeld,
    wrong_status: amendHeld,
    in_progress: BEING_BOOKED,
    unanswered: unanswered('This delivery can’t be amended'),
  },
  cancel: {
    in_progress: BEING_BOOKED,
    cancelling: () =>
      'Someone has already asked to cancel this delivery. We’ll cancel it once we know whether a carrier has it.',
    wrong_status: () =>
      'This delivery is on the road and can’t be cancelled. After its delivery window ends, you can mark it as delivered or returned.',
  },
}
