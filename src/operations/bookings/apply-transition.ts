import { changeDeliveryTogether } from '../../store/deliveries/change-delivery.ts'
import type { DeliveryRow } from '../../store/deliveries/delivery-rows.ts'
import { releaseDelivery } from '../../store/deliveries/due-deliveries.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { transitionEvents } from '../events/status-events.ts'
import type { Claim } from '../leases/claim.ts'
import {
  type BookingTransition,
  retryAtMs,
  type TimeLimit,
  toChange,
  withinTimeLimit,
} from './booking-transition.ts'
import { confirmBooking } from './confirm-booking.ts'

/** A delivery that this process has claimed, with its account. */
export type ClaimedDelivery = { deps: Deps; entry: AccountEntry; claim: Claim }

/**
 * The booking of a claimed delivery; `tries`: how often carriers were asked for it so far. No step changes it: a step
 * returns a transition, and `applyTransition` stores it.
 */
export type BookingWork = Readonly<ClaimedDelivery & { tries: number }>

/**
 * Stores what a step has learnt; while a delivery is being booked, its attempts change nowhere else. Every write fails
 * once the lease is lost, except for a confirmed booking: while its attempt is open, no other process can have a newer
 * outcome. Not over: the attempt has no booking, and the worker still holds the lease for the next option. `row`: as
 * written; null if it was not written, or is not known.
 */
export async function applyTransition(
  work: BookingWork,
  learnt: BookingTransition,
): Promise<{ isOver: boolean; row: DeliveryRow | null }> {
  if (learnt.kind === 'accepted') {
    const row = await confirmBooking(work, learnt.intent, learnt.booking, learnt.decision)
    return { isOver: true, row }
  }
  const { deps, claim, tries } = work
  const { accountId, deliveryId } = claim.key
  const nowMs = work.entry.nowMs()
  const limit = timeLimit(work)
  const transition = withinTimeLimit(learnt, limit, nowMs)
  const now = { tries, nowMs, random: Math.random() }
  switch (transition.kind) {
    case 'lease_lost':
      return { isOver: true, row: null }
    case 'retry':
      await releaseDelivery(deps.db, claim.key, retryAtMs(transition, limit, now), {
        tried: !transition.asked,
      })
      return { isOver: true, row: null }
    default: {
      const { patch, intent } = toChange(transition, now)
      const reported = { atMs: nowMs, source: claim.source, detail: patch.status_reason ?? null }
      const events = patch.status ? transitionEvents(deps, ['requested', patch.status], reported) : []
      const isTriedOn = transition.kind === 'refused' && (transition.dueAtMs ?? null) === null
      const guard = { statuses: ['requested'] as const, fence: claim.row.fence }
      const target = { accountId, deliveryId, nowMs, guard, keepLease: isTriedOn }
      const row = await changeDeliveryTogether(deps.db, { target, patch, events, intent })
      return { isOver: !(isTriedOn && row), row }
    }
  }
}

/** Why a recheck may start late: `docs/decisions/0027-unknown-booking-outcomes.md`. */
function timeLimit({ claim: { row }, entry }: BookingWork): TimeLimit {
  const minutes = entry.account.booking.giveUpMinutes
  return { endsAtMs: Math.max(row.ready_for_pickup_at, row.created_at) + minutes * 60_000, minutes }
}
