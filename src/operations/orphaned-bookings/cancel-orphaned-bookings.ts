import type { Outcome } from '../../carriers/port/carrier.ts'
import { nextOrphanCancelMs } from '../../domain/delivery/reconciliation-schedule.ts'
import { STATUSES } from '../../domain/delivery/status.ts'
import { formatAttention } from '../../domain/delivery/surplus-bookings.ts'
import { noteFailure } from '../../observability/tracing/current.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { type AnyIntent, listIntents } from '../../store/deliveries/booking-intents.ts'
import { changeDelivery } from '../../store/deliveries/change-delivery.ts'
import { findDeliveryForUpdate } from '../../store/deliveries/deliveries.ts'
import {
  claimDueOrphans,
  closeOrphan,
  discardOrphan,
  listSurplus,
  type OrphanedBooking,
  type OrphanOutcome,
  rescheduleOrphan,
} from '../../store/deliveries/orphaned-bookings.ts'
import { QUARANTINE_SLOTS } from '../../store/leases/poison-row-quarantine.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { findCarrier } from '../directory/find-carrier.ts'
import { noteEvent } from '../events/status-events.ts'
import { dueAccountNows, MAX_CLAIMS } from '../leases/claim.ts'
import { isOrphanedBooking } from './is-orphaned-booking.ts'

/** Leases up to `limit` due orphaned bookings to this process. */
export async function claimOrphanedBookings(
  deps: Deps,
  limit: number,
  suspects = QUARANTINE_SLOTS,
): Promise<OrphanedBooking[]> {
  return claimDueOrphans(deps.db, await dueAccountNows(deps, 'orphaned bookings'), {
    limit,
    leaseMs: deps.leaseMs,
    suspects,
  })
}

/**
 * Orphaned booking: asks each carrier to cancel it. Failures do not affect the other rows: a failed row is claimed
 * again when its lease ends.
 */
export async function cancelOrphanedBookings(deps: Deps, due: readonly OrphanedBooking[]): Promise<void> {
  await Promise.all(
    due.map(async (orphan) => {
      const entry = await deps.accounts.find(orphan.accountId)
      if (!entry) return
      await cancelOrphanedBooking(deps, entry, orphan).catch((error: unknown) => {
        noteFailure(error)
        const { deliveryId: delivery, consignmentNumber: consignment } = orphan
        deps.log.error(
          { err: error, delivery, consignment },
          'an orphaned booking could not be cancelled; its lease will end',
        )
      })
    }),
  )
}

/**
 * Asks the carrier to cancel an orphaned booking that is leased to us, and stores the result. If a person has meanwhile
 * confirmed this booking for its delivery, it is left alone.
 */
async function cancelOrphanedBooking(
  deps: Deps,
  entry: AccountEntry,
  orphan: OrphanedBooking,
): Promise<void> {
  const { accountId, deliveryId, provider, attempt } = orphan
  const intents = await listIntents(deps.db, accountId, deliveryId)
  const intent = intents.find((one) => one.attempt === attempt)
  if (!intent || !(await isOrphanedBooking(deps.db, orphan))) return drop(deps, entry, orphan)

  const isTooOften = orphan.claims > MAX_CLAIMS
  const carrier = await findCarrier(deps, accountId, provider)
  const answer = isTooOften ? NOT_ASKED : ((await carrier?.cancel?.(orphan.reference)) ?? null)
  const nextMs = isTooOften ? null : nextOrphanCancelMs(orphan, entry.nowMs(), Math.random())
  await record(deps, entry, orphan, { intent, end: toEnd(answer, nextMs) })
}

/** Not orphaned: the delivery uses the booking, so the clerk need not act. */
async function drop(deps: Deps, entry: AccountEntry, orphan: OrphanedBooking): Promise<void> {
  const { accountId, deliveryId } = orphan
  const target = {
    accountId,
    deliveryId,
    nowMs: entry.nowMs(),
    guard: { statuses: STATUSES },
    keepLease: true,
  }
  await withTransaction(deps.db, async (db) => {
    const row = await findDeliveryForUpdate(db, accountId, deliveryId)
    await discardOrphan(db, orphan)
    const attention = formatAttention(await listSurplus(db, accountId, deliveryId))
    if (row && row.attention !== attention) await changeDelivery(db, target, { attention })
  })
}

const NOT_ASKED: Outcome<null> = { kind: 'unknown', message: 'not asked' }

/** The result of a cancellation attempt, and how the clerk is notified. */
type End = { message: string } & ({ outcome: OrphanOutcome } | { nextMs: number })

function toEnd(answer: Outcome<null> | null, nextMs: number | null): End {
  if (answer === null) {
    return { outcome: 'by_phone_only', message: 'they take cancellations by phone only. Ring them.' }
  }
  if (answer.kind === 'yes') return { outcome: 'cancelled', message: 'they have cancelled it.' }
  if (answer.kind === 'no' && answer.retry !== 'later') {
    return { outcome: 'refused', message: `they refused to cancel it (${answer.message}). Ring them.` }
  }
  if (nextMs !== null) return { nextMs, message: 'they have not confirmed the cancellation yet.' }
  return {
    outcome: 'never_confirmed',
    message: 'they never confirmed the cancellation, and Drover has stopped asking. Ring them.',
  }
}

/**
 * Stores the result. Each final result creates one event; an unconfirmed cancellation creates one after the first try
 * only.
 */
async function record(
  deps: Deps,
  entry: AccountEntry,
  orphan: OrphanedBooking,
  { intent, end }: { intent: AnyIntent; end: End },
): Promise<void> {
  const { accountId, deliveryId, consignmentNumber } = orphan
  const nowMs = entry.nowMs()
  const detail = `${intent.carrierName} has an extra booking for this delivery, ${consignmentNumber}, that Drover had abandoned: ${end.message}`
  const isOver = 'outcome' in end && end.outcome === 'cancelled'
  // Not as the event's own number: readers take that for the delivery's, in this event and in all later ones.
  const data = { other_consignment_number: consignmentNumber }
  const note = { ...noteEvent(deps, { atMs: nowMs, source: 'worker', detail }), data }
  const event = isOver ? note : { ...note, type: 'delivery.exception' }
  const target = { accountId, deliveryId, nowMs, guard: { statuses: STATUSES }, keepLease: true }
  await withTransaction(deps.db, async (db) => {
    // Lock the delivery before its orphaned booking, in the same order as erasure does.
    await findDeliveryForUpdate(db, accountId, deliveryId)
    const isOurs =
      'outcome' in end
        ? await closeOrphan(db, orphan, end.outcome)
        : await rescheduleOrphan(db, orphan, end.nextMs)
    if (!isOurs || !('outcome' in end || orphan.attempts === 0)) return
    const attention = formatAttention(await listSurplus(db, accountId, deliveryId))
    await changeDelivery(db, target, { attention }, [event])
  })
}
