import type { Booking, Outcome } from '../../carriers/port/carrier.ts'
import {
  retryBackoffMs,
  unknownOutcomeBackoffMs,
  unreachableBackoffMs,
} from '../../domain/delivery/backoff.ts'
import { nextRecheckMs } from '../../domain/delivery/reconciliation-schedule.ts'
import type { BookingIntent } from '../../store/deliveries/booking-intents.ts'
import { type ChangeTarget, changeDelivery, type IntentEnd } from '../../store/deliveries/change-delivery.ts'
import { releaseDelivery } from '../../store/deliveries/due-deliveries.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { transitionEvents } from '../events/status-events.ts'
import type { Claim } from '../leases/claim.ts'
import { confirmBooking } from './confirm-booking.ts'

/** A delivery that this process has claimed, with its account. */
export type ClaimedDelivery = { deps: Deps; entry: AccountEntry; claim: Claim }

/**
 * The booking of a claimed delivery; `tries`: how often carriers were asked for it so far. No step changes it: a step
 * returns a transition, and `applyTransition` stores it.
 */
export type BookingWork = Readonly<ClaimedDelivery & { tries: number }>

/** What a step of the booking has learnt. */
export type BookingTransition =
  | { kind: 'accepted'; intent: BookingIntent; booking: Booking; decision: string | null }
  /** The attempt has no booking: the worker tries its next option. */
  | { kind: 'refused'; intent: BookingIntent; end: RefusedEnd }
  /**
   * The carrier may have the booking, so no other carrier is tried until we or a person find out. `waitMs` is the time
   * to the next try in account time, null for a growing pause; `settleMs` is how long a lookup must wait, in wall time.
   * `asked`: the carrier was just asked about it. Without that the time limit does not end: after a long outage, one
   * answer may still save a person the work.
   */
  | {
      kind: 'unknown'
      intent: BookingIntent
      outcome: UnknownOutcome
      waitMs: number | null
      settleMs?: number
      asked: boolean
    }
  /** A person decides. `intent`: how the attempt ends; an attempt with an unknown outcome stays open. */
  | { kind: 'on_hold'; reason: string; intent: IntentEnd | null; openAttempt: number | null }
  /** No carrier could take it now. If none was `asked`, this counts as a try too. */
  | { kind: 'retry'; asked: boolean }
  /** Another process holds the delivery by now, and stores what it learns. */
  | { kind: 'lease_lost' }

type RefusedEnd = Pick<IntentEnd, 'lookAgainAtMs'> & { state: 'rejected' | 'void'; message: string }

/** What left an outcome unknown. */
export type UnknownOutcome = Pick<Extract<Outcome<never>, { kind: 'unknown' }>, 'message' | 'ifRepeated'>

/** No other carrier could take it either, until the delivery is changed. */
export function refusedByAll(
  { attempt, option }: BookingIntent,
  message: string,
  lookAgainAtMs?: number,
): BookingTransition {
  const intent = {
    attempt,
    state: 'rejected',
    message,
    ...(lookAgainAtMs === undefined ? {} : { lookAgainAtMs }),
  } as const
  return {
    kind: 'on_hold',
    reason: `${option.carrierName} refused it: ${message}`,
    intent,
    openAttempt: null,
  }
}

/** Only the carrier's staff can say whether they have the booking: a guess could book it twice. */
export function onlyStaffKnow(
  { attempt, key, option: { carrierName } }: BookingIntent,
  { message, ifRepeated }: { message: string | null; ifRepeated?: UnknownOutcome['ifRepeated'] | null },
): BookingTransition {
  const happened = ifRepeated
    ? `answered our booking ${key} with an error that we don't know (${message})`
    : `did not answer our booking ${key}`
  return {
    kind: 'on_hold',
    reason: `${carrierName} ${happened} and cannot be asked about it. Ask ${carrierName} whether they hold it, then tell us by settle-booking; nothing else is booked until then.`,
    intent: { attempt, state: 'unknown', message, ifRepeated: ifRepeated ?? undefined },
    openAttempt: attempt,
  }
}

/**
 * Stores what a step has learnt; while a delivery is being booked, its attempts change nowhere else. Every write fails
 * once the lease is lost, except for a confirmed booking: while its attempt is open, no other process can have a newer
 * outcome. The result `next_option`: the attempt has no booking, and the worker still holds the lease.
 */
export async function applyTransition(
  work: BookingWork,
  learnt: BookingTransition,
): Promise<'next_option' | 'done'> {
  const nowMs = work.entry.nowMs()
  const transition = withinTimeLimit(work, learnt, nowMs)
  switch (transition.kind) {
    case 'accepted':
      await confirmBooking(work, transition.intent, transition.booking, transition.decision)
      return 'done'
    case 'refused':
      return (await recordRefused(work, transition, nowMs)) ? 'next_option' : 'done'
    case 'unknown':
      await recordUnknown(work, transition, nowMs)
      return 'done'
    case 'on_hold':
      await recordHold(work, transition, nowMs)
      return 'done'
    case 'retry':
      await recordRetry(work, transition, nowMs)
      return 'done'
    case 'lease_lost':
      return 'done'
  }
}

/** After the account's time limit a person decides. */
function withinTimeLimit(work: BookingWork, transition: BookingTransition, nowMs: number): BookingTransition {
  if (nowMs < giveUpMs(work)) return transition
  const until = `${work.entry.account.booking.giveUpMinutes} minutes after the order was ready`
  if (transition.kind === 'retry') {
    const reason = `No carrier could be reached until ${until}.`
    return { kind: 'on_hold', reason, intent: null, openAttempt: null }
  }
  if (transition.kind !== 'unknown' || !transition.asked) return transition
  const { attempt, key, option } = transition.intent
  const { carrierName } = option
  const reason = `${carrierName} had not said until ${until} whether it took our booking ${key}. Where it can be asked, we go on asking. Or ask ${carrierName} yourselves and tell us by settle-booking; nothing else is booked until then.`
  return { kind: 'on_hold', reason, intent: unknownEnd(transition), openAttempt: attempt }
}

async function recordRefused(
  work: BookingWork,
  { intent, end }: Extract<BookingTransition, { kind: 'refused' }>,
  nowMs: number,
): Promise<boolean> {
  const changed = await changeDelivery(
    work.deps.db,
    { ...toTarget(work, nowMs), keepLease: true },
    { pending_attempt: null, status_reason: `${intent.option.carrierName}: ${end.message}` },
    [],
    { attempt: intent.attempt, ...end },
  )
  return changed !== null
}

type Unknown = Extract<BookingTransition, { kind: 'unknown' }>

async function recordUnknown(work: BookingWork, transition: Unknown, nowMs: number): Promise<void> {
  const waitMs = transition.waitMs ?? unknownOutcomeBackoffMs(work.tries, Math.random())
  await changeDelivery(
    work.deps.db,
    toTarget(work, nowMs),
    {
      status_reason: `Waiting to learn whether ${transition.intent.option.carrierName} took it.`,
      due_at: nowMs + waitMs,
      booking_attempts: work.tries + 1,
    },
    [],
    unknownEnd(transition),
  )
}

function unknownEnd({ intent: { attempt }, outcome, settleMs = 0 }: Unknown): IntentEnd {
  return { attempt, state: 'unknown', settleMs, message: outcome.message, ifRepeated: outcome.ifRepeated }
}

/** Backoff with jitter, until the account's time limit. */
async function recordRetry(
  work: BookingWork,
  { asked }: Extract<BookingTransition, { kind: 'retry' }>,
  nowMs: number,
): Promise<void> {
  const backoffMs = asked ? retryBackoffMs : unreachableBackoffMs
  const dueAtMs = Math.min(nowMs + backoffMs(work.tries, Math.random()), giveUpMs(work))
  await releaseDelivery(work.deps.db, work.claim.key, dueAtMs, { tried: !asked })
}

async function recordHold(
  work: BookingWork,
  { reason, intent, openAttempt }: Extract<BookingTransition, { kind: 'on_hold' }>,
  nowMs: number,
): Promise<void> {
  // An open attempt is rechecked while the delivery is on hold.
  const dueAtMs =
    openAttempt === null ? null : nextRecheckMs({ heldAtMs: nowMs, windowToMs: nowMs }, nowMs, Math.random())
  await changeDelivery(
    work.deps.db,
    toTarget(work, nowMs),
    { status: 'on_hold', status_reason: reason, due_at: dueAtMs, pending_attempt: openAttempt },
    transitionEvents(work.deps, ['requested', 'on_hold'], {
      atMs: nowMs,
      source: work.claim.source,
      detail: reason,
    }),
    intent,
  )
}

/**
 * When the account's time limit for finding a carrier ends, in account time.
 * `docs/decisions/0027-unknown-booking-outcomes.md` says why it may start late.
 */
function giveUpMs({ claim: { row }, entry }: BookingWork): number {
  const patienceMs = entry.account.booking.giveUpMinutes * 60_000
  return Math.max(row.ready_for_pickup_at, row.created_at) + patienceMs
}

function toTarget({ claim }: BookingWork, nowMs: number): ChangeTarget {
  const guard = { statuses: ['requested'] as const, fence: claim.row.fence }
  return { accountId: claim.row.account_id, deliveryId: claim.row.delivery_id, nowMs, guard }
}
