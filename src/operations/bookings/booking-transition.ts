import type { Booking, Outcome } from '../../carriers/port/carrier.ts'
import {
  retryBackoffMs,
  unknownOutcomeBackoffMs,
  unreachableBackoffMs,
} from '../../domain/delivery/backoff.ts'
import { nextRecheckMs } from '../../domain/delivery/reconciliation-schedule.ts'
import type { BookingIntent } from '../../store/deliveries/booking-intents.ts'
import type { DeliveryPatch, IntentEnd } from '../../store/deliveries/delivery-change.ts'

/** The result of one step of a booking. */
export type BookingTransition =
  | { kind: 'accepted'; intent: BookingIntent; booking: Booking; decision: string | null }
  /**
   * The attempt has no booking: the worker tries its next option, or releases the delivery until `dueAtMs`, in account
   * time.
   */
  | { kind: 'refused'; intent: BookingIntent; end: RefusedEnd; dueAtMs?: number | null }
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
  /**
   * No carrier could take the delivery now. This counts as a try even if no carrier was `asked`. `waitsFor`: what a
   * carrier lacks on this installation; null if carriers are only unreachable.
   */
  | { kind: 'retry'; asked: boolean; waitsFor: string | null }
  /** Another process holds the lease by now, and stores its own result. */
  | { kind: 'lease_lost' }

type RefusedEnd = Pick<IntentEnd, 'lookAgainAtMs'> & { state: 'rejected' | 'void'; message: string }

/** The response that left an outcome unknown. */
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
    reason: `${carrierName} ${happened}, and its API cannot look the booking up.`,
    intent: { attempt, state: 'unknown', message, ifRepeated: ifRepeated ?? undefined },
    openAttempt: attempt,
  }
}

/** The account's time limit for finding a carrier: when it ends, in account time, and its length. */
export type TimeLimit = { endsAtMs: number; minutes: number }

type NotAccepted = Exclude<BookingTransition, { kind: 'accepted' }>

/** After the account's time limit a person decides, unless a carrier has accepted. */
export function withinTimeLimit(transition: NotAccepted, limit: TimeLimit, nowMs: number): NotAccepted {
  if (nowMs < limit.endsAtMs) return transition
  const within = `within ${limit.minutes} minutes of the order being ready`
  if (transition.kind === 'retry') {
    const reason = transition.waitsFor
      ? `We couldn’t book a carrier ${within}. ${transition.waitsFor}`
      : `No carrier answered ${within}.`
    return { kind: 'on_hold', reason, intent: null, openAttempt: null }
  }
  if (transition.kind !== 'unknown' || !transition.asked) return transition
  const { attempt, key, option, lostPeriod } = transition.intent
  const { carrierName } = option
  const reason = lostPeriod
    ? `Our records were restored from a backup, and ${carrierName} hasn’t said whether they have this order. We keep asking.`
    : `${carrierName} neither accepted nor refused our booking ${key} ${within}. We keep asking where the carrier allows it.`
  return { kind: 'on_hold', reason, intent: unknownEnd(transition), openAttempt: attempt }
}

/** What a transition writes to the delivery and its attempt. */
export type BookingChange = { patch: DeliveryPatch; intent: IntentEnd | null }

/** `tries`: how often carriers were asked so far; `random`: a number in [0, 1) for the jitter. */
export function toChange(
  transition: Extract<BookingTransition, { kind: 'refused' | 'unknown' | 'on_hold' }>,
  { tries, nowMs, random }: { tries: number; nowMs: number; random: number },
): BookingChange {
  switch (transition.kind) {
    case 'refused': {
      const { intent, end, dueAtMs = null } = transition
      // After a restore, every carrier was asked: the message is not this carrier's alone.
      const status_reason = intent.lostPeriod ? end.message : `${intent.option.carrierName}: ${end.message}`
      return {
        patch:
          dueAtMs === null
            ? { pending_attempt: null, status_reason }
            : { pending_attempt: null, status_reason: null, due_at: dueAtMs },
        intent: { attempt: intent.attempt, ...end },
      }
    }
    case 'unknown': {
      const waitMs = transition.waitMs ?? unknownOutcomeBackoffMs(tries, random)
      const { lostPeriod, option } = transition.intent
      const status_reason = lostPeriod
        ? 'Our records were restored from a backup, so we’re checking whether a carrier already has this order.'
        : `Waiting for ${option.carrierName} to say whether it accepted the booking.`
      return {
        patch: { status_reason, due_at: nowMs + waitMs, booking_attempts: tries + 1 },
        intent: unknownEnd(transition),
      }
    }
    case 'on_hold': {
      const { reason, intent, openAttempt } = transition
      // An open attempt is rechecked while the delivery is on hold.
      const due_at =
        openAttempt === null ? null : nextRecheckMs({ heldAtMs: nowMs, windowToMs: nowMs }, nowMs, random)
      return {
        patch: { status: 'on_hold', status_reason: reason, due_at, pending_attempt: openAttempt },
        intent,
      }
    }
  }
}

/** When a delivery that no carrier could take is tried again: backoff with jitter, until the time limit. */
export function retryAtMs(
  { asked }: Extract<BookingTransition, { kind: 'retry' }>,
  limit: TimeLimit,
  { tries, nowMs, random }: { tries: number; nowMs: number; random: number },
): number {
  const backoffMs = asked ? retryBackoffMs : unreachableBackoffMs
  return Math.min(nowMs + backoffMs(tries, random), limit.endsAtMs)
}

function unknownEnd({
  intent: { attempt },
  outcome,
  settleMs = 0,
}: Extract<BookingTransition, { kind: 'unknown' }>): IntentEnd {
  return { attempt, state: 'unknown', settleMs, message: outcome.message, ifRepeated: outcome.ifRepeated }
}
