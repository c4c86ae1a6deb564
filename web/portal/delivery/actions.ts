import { type OutcomeByHand, pathToOutcome } from '../../../src/domain/delivery/outcome-by-hand.ts'
import { can, isFinal } from '../../../src/domain/delivery/status.ts'
import { STATUS_WORDS } from '../../../src/domain/delivery/status-labels.ts'
import type { DecisionAnswer, Delivery } from '../../shared/api.generated.ts'
import { isToManifest } from '../today/judge.ts'

/** In which way somebody else comes to bring it: a courier of the store's own, or another carrier. */
export type Handover = 'assign' | 'reassign'
export type Verb =
  | Handover
  | OutcomeByHand
  | 'settle'
  | 'book'
  | 'retry'
  | 'manifest'
  | 'send_rest'
  | 'extra_cancelled'
  | 'print'
  | 'amend'
  | 'cancel'
type Decision = DecisionAnswer['data']
/** `closed` is the sentence that says why it cannot be done, and where there is one the way round. */
export type Action = { verb: Verb; word: string; closed: string | null }

/**
 * In the order of the bar: what comes next, print, give to a courier, amend, cancel. Before them, whatever the status:
 * an extra booking that a carrier may still have.
 */
export function actionsOf(delivery: Delivery, known: Known): Action[] {
  const actions = ownActions(delivery, known)
  return delivery.attention ? [EXTRA_CANCELLED, ...actions] : actions
}

function ownActions(delivery: Delivery, known: Known): Action[] {
  if (delivery.left_behind && delivery.status !== 'cancelled')
    return [SEND_REST, ...usualActions(delivery, known)].slice(0, MAX_ACTIONS)
  return usualActions(delivery, known)
}

/** What the delivery itself does not say. `nowMs`: the account's clock. */
type Known = { inDoubt: boolean; nowMs: number }

const MAX_ACTIONS = 5
const EXTRA_CANCELLED: Action = {
  verb: 'extra_cancelled',
  word: 'Extra booking cancelled',
  closed: null,
}
const SEND_REST: Action = { verb: 'send_rest', word: 'Send the rest', closed: null }

function usualActions(delivery: Delivery, { inDoubt, nowMs }: Known): Action[] {
  if (isFinal(delivery.status)) return finalActions(delivery)
  const outcomes = outcomesOf(delivery, nowMs)
  const print: Action = { verb: 'print', word: 'Print label', closed: printClosed(delivery) }
  if (HAS_LEFT.includes(delivery.status) && outcomes.length > 0) return [...outcomes, print]
  const next = nextOf(delivery, inDoubt)
  // A carrier that was to collect it, and has gone quiet: what a carrier has cannot be amended in any case.
  const overdue = delivery.use_staff_couriers ? [] : outcomes
  const amend: Action = { verb: 'amend', word: 'Amend', closed: amendClosed(delivery, inDoubt) }
  return [
    ...next,
    print,
    handoverOf(delivery, inDoubt),
    ...(overdue.length > 0 ? overdue : [amend]),
    { verb: 'cancel', word: 'Cancel', closed: cancelClosed(delivery) },
  ]
}

const HAS_LEFT: readonly Delivery['status'][] = ['collected', 'pending_return', 'reassigned']
const OUTCOME_WORDS: Readonly<Record<OutcomeByHand, string>> = {
  returned: 'It is back',
  delivered: 'Delivered (by hand)',
  taken_over: 'Take over',
}

/** What a person may record when its courier cannot, or when its carrier has gone quiet past the window. */
function outcomesOf({ status, use_staff_couriers, to_datetime }: Delivery, nowMs: number): Action[] {
  const isOverdue = to_datetime === undefined || Date.parse(to_datetime) < nowMs
  const holder = use_staff_couriers ? ({ by: 'own' } as const) : ({ by: 'carrier', isOverdue } as const)
  return (Object.keys(OUTCOME_WORDS) as OutcomeByHand[]).flatMap((verb): Action[] => {
    const found = pathToOutcome(status, verb, holder)
    return 'path' in found ? [{ verb, word: OUTCOME_WORDS[verb], closed: null }] : []
  })
}

/** The way that is open to give it to somebody else, if any is. */
export function handoverOpen(delivery: Delivery, inDoubt: boolean): Handover | null {
  if (isFinal(delivery.status)) return null
  const { verb, closed } = handoverOf(delivery, inDoubt)
  return closed === null ? verb : null
}

/** Whether nobody knows if a carrier has it: it is held, and one of its bookings was never answered. */
export function isInDoubt({ status }: Delivery, decision: Pick<Decision, 'attempts'> | undefined): boolean {
  return status === 'on_hold' && (decision?.attempts.some(({ state }) => state === 'unknown') ?? false)
}

function finalActions(delivery: Delivery): Action[] {
  const closed = `It is ${STATUS_WORDS[delivery.status].clerk.toLowerCase()}: nothing of it can be changed any more.`
  return [
    { verb: 'print', word: 'Print label', closed: printClosed(delivery) },
    { verb: 'amend', word: 'Amend', closed },
    { verb: 'cancel', word: 'Cancel', closed },
  ]
}

function nextOf(delivery: Delivery, inDoubt: boolean): Action[] {
  if (inDoubt) return [{ verb: 'settle', word: 'Settle it', closed: null }]
  if (isToManifest(delivery)) return [{ verb: 'manifest', word: 'Add to manifest', closed: null }]
  if (!can('book', delivery) || delivery.use_staff_couriers) return []
  return delivery.status === 'on_hold'
    ? [{ verb: 'retry', word: 'Try again', closed: null }]
    : [{ verb: 'book', word: 'Book now', closed: null }]
}

function printClosed(delivery: Delivery): string | null {
  if (can('label', delivery) && delivery.label_url) return null
  return 'There is no label yet: it is printed once it is booked.'
}

/** Who else is to bring it: a courier of the store's own, or another carrier once one has it. */
function handoverOf(delivery: Delivery, inDoubt: boolean): Action & { verb: Handover } {
  if (can('reassign', delivery) && !delivery.use_staff_couriers) {
    return { verb: 'reassign', word: 'Another carrier', closed: reassignClosed(delivery) }
  }
  return { verb: 'assign', word: 'Give to a courier', closed: assignClosed(delivery, inDoubt) }
}

function assignClosed(delivery: Delivery, inDoubt: boolean): string | null {
  if (inDoubt)
    return 'It cannot be given to a courier while nobody knows whether it is booked. Settle that first.'
  if (can('book', delivery)) return null
  if (delivery.use_staff_couriers && can('reassign', delivery)) return null
  return 'It has left the store.'
}

function reassignClosed(delivery: Delivery): string | null {
  if (delivery.pending_cancellation?.purpose === 'cancel') {
    return `It is being cancelled: ${delivery.carrier_provider} has not let it go yet.`
  }
  if (delivery.manifest_status !== 'manifested') return null
  return `${delivery.carrier_provider} has it on a manifest, so it cannot go to another carrier. Call them, or cancel it.`
}

function amendClosed(delivery: Delivery, inDoubt: boolean): string | null {
  if (inDoubt) return 'Amend is closed while nobody knows whether it is booked. Settle that first.'
  if (can('amend', delivery) && !delivery.consignment_number) return null
  const holder = delivery.carrier_provider ?? 'Your courier'
  return `Amend is closed: ${holder} has it as ${delivery.consignment_number ?? 'booked'}.`
}

function cancelClosed(delivery: Delivery): string | null {
  if (delivery.status === 'on_hold' && delivery.pending_cancellation) {
    return 'Cancel is closed: it was asked for, and is done once it is known whether a carrier has it.'
  }
  if (can('cancel', delivery)) return null
  return 'It is on the road and cannot be cancelled. Once its window is over, you can record that it was delivered or is back.'
}
