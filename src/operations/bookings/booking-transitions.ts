import {
  retryBackoffMs,
  unknownOutcomeBackoffMs,
  unreachableBackoffMs,
} from '../../domain/delivery/backoff.ts'
import { nextRecheckMs } from '../../domain/delivery/recheck-schedule.ts'
import type { BookingIntent } from '../../store/deliveries/booking-intents.ts'
import { type ChangeTarget, changeDelivery, type IntentEnd } from '../../store/deliveries/change-delivery.ts'
import { releaseDelivery } from '../../store/deliveries/due-deliveries.ts'
import type { AccountEntry } from '../context/account-directory.ts'
import type { Deps } from '../context/deps.ts'
import { transitionEvents } from '../context/status-events.ts'
import type { Claim } from '../leases/claim.ts'

/**
 * One booking under way: who works on it, for which account. Every write below fails once the lease is lost,
 * but for a yes: while its attempt is open nobody else can know better.
 */
export type BookingAttempt = { deps: Deps; entry: AccountEntry; claim: Claim }

/** The attempt stands nowhere; the worker goes on with the next option. False: the lease was lost. */
export async function recordRefused(
  work: BookingAttempt,
  intent: BookingIntent,
  end: Pick<IntentEnd, 'lookAgainAtMs'> & { state: 'rejected' | 'void'; said: string },
): Promise<boolean> {
  const changed = await changeDelivery(
    work.deps.db,
    { ...targetOf(work, work.entry.nowMs()), keepLease: true },
    { open_attempt: null, status_reason: `${intent.option.carrierName}: ${end.said}` },
    [],
    { attempt: intent.attempt, ...end },
  )
  return changed !== null
}

/**
 * It may stand at the carrier: nothing else is tried until that is known, by us or at last by a person.
 * `waitMs` is until the next try in account time, `settleMs` what a look-up must wait in wall time. Patience ends
 * only after a question (`asked`): after a long outage one answer of the carrier may still spare a person.
 */
export async function recordUnknown(
  work: BookingAttempt,
  intent: BookingIntent,
  said: string,
  { waitMs, settleMs = 0, asked }: { waitMs: number; settleMs?: number; asked: boolean },
): Promise<void> {
  const nowMs = work.entry.nowMs()
  const unknown = { attempt: intent.attempt, state: 'unknown', said, settleMs } as const
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
      booking_tries: work.claim.row.booking_tries + 1,
    },
    [],
    unknown,
  )
}

/**
 * Nobody could take it just now: again after a growing pause, until the account's patience ends. Each attempt at a
 * carrier has been counted; where nobody was even `asked`, that is a try too.
 */
export async function recordRetry(work: BookingAttempt, { asked }: { asked: boolean }): Promise<void> {
  const nowMs = work.entry.nowMs()
  if (nowMs >= giveUpMs(work)) {
    await recordHold(work, `No carrier could be reached until ${patience(work)}.`)
    return
  }
  const pauseOf = asked ? retryBackoffMs : unreachableBackoffMs
  const pauseMs = pauseOf(work.claim.row.booking_tries, Math.random())
  const dueAtMs = Math.min(nowMs + pauseMs, giveUpMs(work))
  await releaseDelivery(work.deps.db, work.claim.key, dueAtMs, { tried: !asked })
}

/** A person has to look at it. An unknown attempt stays open: it may still stand at the carrier. */
export async function recordHold(
  work: BookingAttempt,
  reason: string,
  intent: IntentEnd | null = null,
): Promise<void> {
  const nowMs = work.entry.nowMs()
  const openAttempt =
    intent === null ? work.claim.row.open_attempt : intent.state === 'unknown' ? intent.attempt : null
  // What was asked goes on being asked about.
  const dueAtMs =
    openAttempt === null ? null : nextRecheckMs({ heldAtMs: nowMs, windowToMs: nowMs }, nowMs, Math.random())
  await changeDelivery(
    work.deps.db,
    targetOf(work, nowMs),
    { status: 'on_hold', status_reason: reason, due_at: dueAtMs, open_attempt: openAttempt },
    transitionEvents(work.deps, ['requested', 'on_hold'], {
      atMs: nowMs,
      source: work.claim.source,
      detail: reason,
    }),
    intent,
  )
}

/** When the account's patience with carriers ends, in account time (docs/decisions/0027 says why it may begin late). */
function giveUpMs({ claim: { row }, entry }: BookingAttempt): number {
  const patienceMs = entry.account.booking.giveUpMinutes * 60_000
  return Math.max(row.ready_for_pickup_at, row.created_at) + patienceMs
}

function patience({ entry }: BookingAttempt): string {
  return `${entry.account.booking.giveUpMinutes} minutes after the order was ready`
}

/** The pause before the next question of what became of an attempt. */
export function askAgainMs({ claim }: BookingAttempt): number {
  return unknownOutcomeBackoffMs(claim.row.booking_tries, Math.random())
}

function targetOf({ claim }: BookingAttempt, nowMs: number): ChangeTarget {
  const guard = { statuses: ['requested'] as const, fence: claim.row.fence }
  return { accountId: claim.row.account_id, deliveryId: claim.row.delivery_id, nowMs, guard }
}
