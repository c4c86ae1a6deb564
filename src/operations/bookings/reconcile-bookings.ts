import type { Booking } from '../../carriers/port/carrier.ts'
import { nextLookMs, retryLookMs } from '../../domain/delivery/reconciliation-schedule.ts'
import { STATUSES } from '../../domain/delivery/status.ts'
import { noteFailure } from '../../observability/tracing/current.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { hasRequest } from '../../store/deliveries/booking-intents.ts'
import { changeDelivery } from '../../store/deliveries/change-delivery.ts'
import {
  claimDueSuperseded,
  endLookUp,
  type SupersededBooking,
} from '../../store/deliveries/superseded-bookings.ts'
import { QUARANTINE_SLOTS } from '../../store/leases/poison-row-quarantine.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { findCarrier } from '../directory/find-carrier.ts'
import { noteEvent } from '../events/status-events.ts'
import { dueAccountNows, MAX_CLAIMS } from '../leases/claim.ts'
import { recordOrphanedBooking } from '../orphaned-bookings/record-orphaned-booking.ts'
import { lookUpBooking } from './look-up-booking.ts'

/** Reconciliation: leases up to `limit` superseded attempts that are due for another lookup to this process. */
export async function claimSuperseded(
  deps: Deps,
  limit: number,
  suspects = QUARANTINE_SLOTS,
): Promise<SupersededBooking[]> {
  return claimDueSuperseded(deps.db, await dueAccountNows(deps, 'superseded bookings'), {
    limit,
    leaseMs: deps.leaseMs,
    suspects,
  })
}

/**
 * Looks up each attempt at its carrier. Failures do not affect the other rows: a failed row is claimed again when its
 * lease ends.
 */
export async function reconcileBookings(deps: Deps, due: readonly SupersededBooking[]): Promise<void> {
  await Promise.all(
    due.map(async (attempt) => {
      const entry = await deps.accounts.find(attempt.accountId)
      if (!entry) return
      await reconcile(deps, entry, attempt).catch((error: unknown) => {
        noteFailure(error)
        deps.log.error(
          { err: error, delivery: attempt.deliveryId, key: attempt.key },
          'the search for a superseded booking failed; its lease will expire',
        )
      })
    }),
  )
}

/**
 * Reconciliation: asks the carrier whether it holds a booking that we gave up. A lookup may miss a booking once, and
 * the webhook for it may be lost. A booking that turns up is surplus whatever the delivery's state, so it is cancelled
 * like any orphaned booking.
 */
async function reconcile(deps: Deps, entry: AccountEntry, attempt: SupersededBooking): Promise<void> {
  if (attempt.claims > MAX_CLAIMS) return giveUp(deps, entry, attempt)
  const carrier = await findCarrier(deps, attempt.accountId, attempt.provider)
  // A carrier without a lookup cannot be queried at all.
  if (!hasRequest(attempt) || (carrier && !carrier.find))
    return void (await endLookUp(deps.db, attempt, null))

  const found = carrier?.find
    ? await lookUpBooking({ recovery: carrier.recovery, find: carrier.find }, attempt, entry.nowMs())
    : null
  const nowMs = entry.nowMs()
  if (found?.kind !== 'yes') {
    const againMs = retryLookMs(attempt.givenUpAtMs, nowMs, Math.random())
    if (againMs === null) await giveUp(deps, entry, attempt)
    else await endLookUp(deps.db, attempt, againMs)
    return
  }
  if (found.value) await cancelSurplus(deps, entry, attempt, found.value)
  await endLookUp(deps.db, attempt, found.value ? null : nextLookMs(attempt.givenUpAtMs, nowMs))
}

/**
 * Records the orphaned booking before asking the carrier to cancel it; from then on its row drives the cancellation.
 */
async function cancelSurplus(
  deps: Deps,
  entry: AccountEntry,
  attempt: SupersededBooking,
  booking: Booking,
): Promise<void> {
  const { accountId, deliveryId } = attempt
  const claim = { key: { accountId, deliveryId }, source: 'worker' as const }
  await recordOrphanedBooking({ deps, entry, claim }, attempt, booking)
}

/** The carrier never said whether it holds the booking: Drover notifies the clerk and stops asking. */
async function giveUp(deps: Deps, entry: AccountEntry, attempt: SupersededBooking): Promise<void> {
  const { accountId, deliveryId, key, carrierName } = attempt
  const nowMs = entry.nowMs()
  const detail = `${carrierName} never told us if they have an extra booking for this order, and we have stopped asking. Ring ${carrierName}. If they have it, ask them to cancel it.`
  const event = { ...noteEvent(deps, { atMs: nowMs, source: 'worker', detail }), type: 'delivery.exception' }
  const target = { accountId, deliveryId, nowMs, guard: { statuses: STATUSES }, keepLease: true }
  deps.log.error({ delivery: deliveryId, key }, 'a carrier never said whether it holds a superseded booking')
  await withTransaction(deps.db, async (db) => {
    // Lock the delivery before its attempt, in the same order as all code that changes both.
    const changed = await changeDelivery(db, target, {}, [event])
    if (changed && !(await endLookUp(db, attempt, null))) throw new LostLease()
  }).catch((error: unknown) => {
    if (!(error instanceof LostLease)) throw error
  })
}

/** Another process has taken over the lease: roll back our writes. */
class LostLease extends Error {}
