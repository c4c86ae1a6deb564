import type { Outcome } from '../../carriers/port/carrier.ts'
import {
  retryBackoffMs,
  unknownOutcomeBackoffMs,
  unreachableBackoffMs,
} from '../../domain/delivery/backoff.ts'
import { nextRecheckMs } from '../../domain/delivery/recheck-schedule.ts'
import type { BookingIntent } from '../../store/deliveries/booking-intents.ts'
import { type ChangeTarget, changeDelivery, type IntentEnd } from '../../store/deliveries/change-delivery.ts'
import { releaseDelivery } from '../../store/deliveries/due-deliveries.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { transitionEvents } from '../events/status-events.ts'
import type { Claim } from '../leases/claim.ts'

/**
 * One booking attempt in progress, its lease and its account. Every write below fails once the lease is lost, except
 * for a confirmed booking: while its attempt is open, no other process can have a newer outcome.
 */
export type BookingAttempt = { deps: Deps; entry: AccountEntry; claim: Claim }

/** The attempt has no booking; the worker continues with the next option. False: the lease was lost. */
export async function recordRefused(
  work: BookingAttempt,
  intent: BookingIntent,
  end: Pick<IntentEnd, 'lookAgainAtMs'> & { state: 'rejected' | 'void'; message: string },
): Promise<boolean> {
  const changed = await changeDelivery(
    work.deps.db,
    { ...targetOf(work, work.entry.nowMs()), keepLease: true },
    { pending_attempt: null, status_reason: `${intent.option.carrierName}: ${end.message}` },
    [],
    { attempt: intent.attempt, ...end },
  )
  return changed !== null
}

/** No other carrier could take it either, until the delivery is changed: a person decides. */
export async function recordRefusedByAll(
  work: BookingAttempt,
  intent: BookingIntent,
  message: string,
  lookAgainAtMs?: number,
): Promise<void> {
  const end = {
    attempt: intent.attempt,
    state: 'rejected',
    message,
    ...(lookAgainAtMs && { lookAgainAtMs }),
  } as const
  await recordHold(work, `${intent.option.carrierName} refused it: ${message}`, end)
}

/** What left an outcome unknown. */
export type UnknownOutcome = Pick<Extract<Outcome<never>, { kind: 'unknown' }>, 'message' | 'ifRepeated'>

/**
 * Unknown outcome: the carrier may have the booking, so no other carrier is tried until we or a person find out.
 * `waitMs` is the time to the next try in account time; `settleMs` is how long a lookup must wait, in wall time. The
 * delivery is put on hold only after the carrier was queried (`asked`): after a long outage, one answer may still save
 * a person the work.
 */
export async function recordUnknown(
  work: BookingAttempt,
  intent: BookingIntent,
  { message, ifRepeated }: UnknownOutcome,
  { waitMs, settleMs = 0, asked }: { waitMs: number; settleMs?: number; asked: boolean },
): Promise<void> {
  const nowMs = work.entry.nowMs()
  const unknown = { attempt: intent.attempt, state: 'unknown', message, settleMs, ifRepeated } as const
  if (asked && nowMs >= giveUpMs(work)) {
    const { carrierName } = intent.option
    const reason = `${carrierName} had not said until ${patience(work)} whether it took our booking ${intent.key}. Where it can be asked, we go on asking. Or ask ${carrierName} yourselves and tell us by settle-booking; nothing else is booked until then.`
    await recordHold(work, reason, unknown)
    return
  }
  await changeDelivery(
    work.deps.db,
    targetOf(work, nowMs),
    {
      status_reason: `Waiting to learn whether ${intent.option.carrierName} took it.`,
      due_at: nowMs + waitMs,
      booking_attempts: work.claim.row.booking_attempts + 1,
    },
    [],
    unknown,
  )
}

/**
 * Backoff with jitter: no carrier could take the delivery now, so try again after a growing pause until the account's
 * time limit. Each attempt at a carrier has been counted already; if no carrier was `asked`, that counts as a try too.
 */
export async function recordRetry(work: BookingAttempt, { asked }: { asked: boolean }): Promise<void> {
  const nowMs = work.entry.nowMs()
  if (nowMs >= giveUpMs(work)) {
    await recordHold(work, `No carrier could be reached until ${patience(work)}.`)
    return
  }
  const pauseOf = asked ? retryBackoffMs : unreachableBackoffMs
  const pauseMs = pauseOf(work.claim.row.booking_attempts, Math.random())
  const dueAtMs = Math.min(nowMs + pauseMs, giveUpMs(work))
  await releaseDelivery(work.deps.db, work.claim.key, dueAtMs, { tried: !asked })
}

/** Puts the delivery on hold for a person. An unknown attempt stays open: the carrier may have the booking. */
export async function recordHold(
  work: BookingAttempt,
  reason: string,
  intent: IntentEnd | null = null,
): Promise<void> {
  const nowMs = work.entry.nowMs()
  const openAttempt =
    intent === null ? work.claim.row.pending_attempt : intent.state === 'unknown' ? intent.attempt : null
  // An open attempt is rechecked while the delivery is on hold.
  const dueAtMs =
    openAttempt === null ? null : nextRecheckMs({ heldAtMs: nowMs, windowToMs: nowMs }, nowMs, Math.random())
  await changeDelivery(
    work.deps.db,
    targetOf(work, nowMs),
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
function giveUpMs({ claim: { row }, entry }: BookingAttempt): number {
  const patienceMs = entry.account.booking.giveUpMinutes * 60_000
  return Math.max(row.ready_for_pickup_at, row.created_at) + patienceMs
}

function patience({ entry }: BookingAttempt): string {
  return `${entry.account.booking.giveUpMinutes} minutes after the order was ready`
}

/** The backoff before the carrier is next queried about an attempt with an unknown outcome. */
export function askAgainMs({ claim }: BookingAttempt): number {
  return unknownOutcomeBackoffMs(claim.row.booking_attempts, Math.random())
}

function targetOf({ claim }: BookingAttempt, nowMs: number): ChangeTarget {
  const guard = { statuses: ['requested'] as const, fence: claim.row.fence }
  return { accountId: claim.row.account_id, deliveryId: claim.row.delivery_id, nowMs, guard }
}
