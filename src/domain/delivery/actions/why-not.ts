import type { Delivery, ManifestStatus, PendingCancellation } from '../delivery.ts'
import { MANUAL_OUTCOMES, type ManualOutcome, pathToOutcome } from '../outcome-by-hand.ts'
import { can, isFinal, type Status } from '../status.ts'

/**
 * A booking whose outcome is open. `in_progress`: a worker asks a carrier, or asks again soon. `unanswered`: it is on
 * hold or dead-lettered, and a carrier may have it.
 */
export const BOOKING_ATTEMPTS = ['in_progress', 'unanswered'] as const
export type BookingAttempt = (typeof BOOKING_ATTEMPTS)[number]

/**
 * Everything that decides which actions a delivery allows, such as cancel, amend or reassign. Who may act: any caller
 * with the scope `deliveries:write` and access to the store. The API reads it from the row, the portal from the answer.
 */
export type ActionFacts = {
  status: Status
  /** The store's own couriers bring it. */
  isOwn: boolean
  bookingAttempt: BookingAttempt | null
  hasConsignment: boolean
  /** A cancellation that waits for its carrier. */
  cancellation: PendingCancellation['purpose'] | null
  manifestStatus: ManifestStatus
  /** A manifest that was sent, or is being sent, has it. Drafts reserve nothing. */
  isOnManifest: boolean
  /** Its delivery window is over. */
  isOverdue: boolean
  /** A carrier may hold another booking of it. */
  hasExtraBooking: boolean
  /** Units that stayed at the pickup, as a share of all. */
  leftBehind: 'nothing' | 'some' | 'everything'
}

export const DELIVERY_ACTIONS = [
  'amend',
  'assign',
  'book',
  'cancel',
  'reassign',
  'settle',
  'manifest',
  'print',
  'send_rest',
  'extra_cancelled',
  ...MANUAL_OUTCOMES,
] as const
export type DeliveryAction = (typeof DELIVERY_ACTIONS)[number]

export type WhyNot =
  | 'wrong_status'
  | 'ended'
  | 'consigned'
  | 'not_consigned'
  | 'in_progress'
  | 'unanswered'
  | 'answered'
  | 'for_own_courier'
  | 'collected_by_courier'
  | 'at_carrier'
  | 'cancelling'
  | 'needs_no_manifest'
  | 'on_manifest'
  | 'manifested'
  | 'nothing_left'
  | 'nothing_on_the_way'
  | 'no_extra_booking'
  | 'outcome'

type Guard = readonly [why: WhyNot, when: (facts: ActionFacts) => boolean]

const isWaiting = ({ status }: ActionFacts) => status === 'requested' || status === 'on_hold'
const isInProgress = ({ bookingAttempt }: ActionFacts) => bookingAttempt === 'in_progress'
const isUnanswered = ({ bookingAttempt }: ActionFacts) => bookingAttempt === 'unanswered'
const isOwn = (facts: ActionFacts) => facts.isOwn
/** Their own courier has accepted the job and has no parcels yet. */
const isWithCourier = (facts: ActionFacts) => facts.isOwn && can('reassign', facts)
const isCancelling = ({ cancellation }: ActionFacts) => cancellation === 'cancel'

const outcome = (one: ManualOutcome): readonly Guard[] => [
  [
    'outcome',
    ({ status, isOwn, isOverdue }) =>
      'why' in pathToOutcome(status, one, isOwn ? { by: 'own' } : { by: 'carrier', isOverdue }),
  ],
]

/** The rules of each action in their order: the first that holds is why the action is refused. */
const GUARDS: Readonly<Record<DeliveryAction, readonly Guard[]>> = {
  amend: [
    ['consigned', ({ hasConsignment }) => hasConsignment],
    ['wrong_status', (facts) => !can('amend', facts)],
    ['in_progress', isInProgress],
    ['unanswered', isUnanswered],
  ],
  assign: [
    ['in_progress', (facts) => isWaiting(facts) && isInProgress(facts)],
    ['unanswered', (facts) => isWaiting(facts) && isUnanswered(facts)],
    ['ended', ({ status }) => isFinal(status)],
    ['collected_by_courier', (facts) => !isWaiting(facts) && facts.isOwn && !isWithCourier(facts)],
    ['at_carrier', (facts) => !isWaiting(facts) && !facts.isOwn],
  ],
  book: [
    ['wrong_status', (facts) => !can('book', facts)],
    ['for_own_courier', isOwn],
    // A dead-lettered delivery is still `requested`. Booking it first asks the carrier about the open attempt.
    ['unanswered', (facts) => facts.status === 'on_hold' && isUnanswered(facts)],
  ],
  cancel: [
    ['wrong_status', (facts) => !can('cancel', facts)],
    ['in_progress', isInProgress],
    ['cancelling', (facts) => facts.status === 'on_hold' && isCancelling(facts)],
  ],
  reassign: [
    ['for_own_courier', isOwn],
    ['wrong_status', (facts) => !can('reassign', facts)],
    ['manifested', ({ manifestStatus }) => manifestStatus === 'manifested'],
    ['on_manifest', ({ isOnManifest }) => isOnManifest],
    ['cancelling', isCancelling],
  ],
  settle: [['answered', (facts) => facts.status !== 'on_hold' || !isUnanswered(facts)]],
  manifest: [
    ['on_manifest', ({ isOnManifest }) => isOnManifest],
    ['manifested', ({ manifestStatus }) => manifestStatus === 'manifested'],
    ['needs_no_manifest', ({ manifestStatus }) => manifestStatus === 'not_required'],
    ['cancelling', ({ cancellation }) => cancellation !== null],
    ['wrong_status', (facts) => !can('manifest', facts)],
    ['not_consigned', ({ hasConsignment }) => !hasConsignment],
  ],
  print: [
    ['wrong_status', (facts) => !can('label', facts)],
    ['not_consigned', ({ hasConsignment }) => !hasConsignment],
  ],
  send_rest: [
    ['nothing_left', ({ leftBehind }) => leftBehind === 'nothing'],
    ['nothing_on_the_way', ({ leftBehind, status }) => leftBehind === 'everything' || status === 'cancelled'],
  ],
  extra_cancelled: [['no_extra_booking', ({ hasExtraBooking }) => !hasExtraBooking]],
  delivered: outcome('delivered'),
  returned: outcome('returned'),
  taken_over: outcome('taken_over'),
}

/** Why the delivery does not allow this action now, or null. The API's operations and the portal's buttons share this check. */
export function whyNot(action: DeliveryAction, facts: ActionFacts): WhyNot | null {
  return GUARDS[action].find(([, when]) => when(facts))?.[0] ?? null
}

/** The facts of a delivery as the API reads it. */
export function toActionFacts(delivery: Delivery, nowMs: number): ActionFacts {
  const { content, articles, window, pendingCancellation } = delivery
  const units = content.parcels.reduce((sum, { quantity }) => sum + quantity, 0)
  const left = articles.reduce((sum, { leftBehind = 0 }) => sum + leftBehind, 0)
  return {
    status: delivery.status,
    isOwn: content.staffCourier !== null,
    bookingAttempt: delivery.bookingAttempt,
    hasConsignment: delivery.consignmentNumber !== null,
    cancellation: pendingCancellation?.purpose ?? null,
    manifestStatus: delivery.manifestStatus,
    isOnManifest: delivery.manifestId !== null,
    isOverdue: window === null || window.toMs < nowMs,
    hasExtraBooking: delivery.attention !== null,
    leftBehind: classifyLeftBehind(left, units, content.customer),
  }
}

/** An erased customer has no name and no phone: nothing can be sent to them later. */
export function classifyLeftBehind(
  left: number,
  units: number,
  { phone }: { phone: string },
): ActionFacts['leftBehind'] {
  if (left === 0 || phone === '') return 'nothing'
  return left < units ? 'some' : 'everything'
}
