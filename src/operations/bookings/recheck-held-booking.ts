import { firstLookMs, nextRecheckMs } from '../../domain/delivery/reconciliation-schedule.ts'
import {
  type BookingIntent,
  hasRequest,
  listIntents,
  markIntentUnknown,
} from '../../store/deliveries/booking-intents.ts'
import { changeDelivery } from '../../store/deliveries/change-delivery.ts'
import { releaseDelivery } from '../../store/deliveries/due-deliveries.ts'
import { findCarrier } from '../directory/find-carrier.ts'
import { noteEvent, transitionEvents } from '../events/status-events.ts'
import type { ClaimedDelivery } from './apply-transition.ts'
import { confirmBooking } from './confirm-booking.ts'
import { lookUpBooking, ON_ITS_WAY_MS } from './look-up-booking.ts'
import { cancelledAsRequested } from './resolve-booking-manually.ts'

/**
 * Rechecks, at growing intervals, a booking that is on hold with an unknown outcome. It only looks up: after the time
 * limit only people book. If found, the delivery is booked; if the carrier never accepted it, an event tells the clerk that
 * they may book again.
 */
export async function recheckHeldBooking(work: ClaimedDelivery): Promise<void> {
  const { deps, claim } = work
  const { account_id: accountId, delivery_id: deliveryId, pending_attempt } = claim.row
  const intents = await listIntents(deps.db, accountId, deliveryId)
  const intent = intents.find(({ attempt }) => attempt === pending_attempt)
  if (!intent || !hasRequest(intent)) return releaseDelivery(deps.db, claim.key, null)

  const carrier = await findCarrier(deps, accountId, intent.provider)
  if (!carrier) return askLater(work, intent)
  const { recovery, find } = carrier
  if (!find) return releaseDelivery(deps.db, claim.key, null)
  const settleMs = recovery.kind === 'look_up' ? recovery.settleMs : 0
  if (intent.state === 'sent')
    await markIntentUnknown(deps.db, { accountId, deliveryId }, intent.attempt, settleMs)
  if ((intent.state === 'sent' && settleMs > 0) || intent.settleInMs > 0) return askLater(work, intent)
  if (!(await claim.mayCall())) return

  const nowMs = work.entry.nowMs()
  const found = await lookUpBooking({ recovery, find }, intent, nowMs)
  if (found.kind === 'too_soon') return releaseDelivery(deps.db, claim.key, nowMs + ON_ITS_WAY_MS)
  if (found.kind !== 'yes') return askLater(work, intent)
  if (found.value) await confirmBooking(work, intent, found.value, null)
  else await recordNeverTaken(work, intent)
}

async function askLater({ deps, entry, claim }: ClaimedDelivery, intent: BookingIntent): Promise<void> {
  const { key, option } = intent
  const held = { heldAtMs: intent.answeredAtMs, windowToMs: option.windowToMs }
  const dueAtMs = nextRecheckMs(held, entry.nowMs(), Math.random())
  const { carrierName } = option
  const reason = `${carrierName} never said whether it accepted our booking ${key}. Drover has stopped asking.`
  await releaseDelivery(deps.db, claim.key, dueAtMs, dueAtMs === null ? { reason } : {})
}

/**
 * The delivery stays on hold without an open attempt: a person decides whether it is still wanted. If a cancellation is
 * pending, it is cancelled.
 */
async function recordNeverTaken(
  { deps, entry, claim }: ClaimedDelivery,
  { attempt, key, option }: BookingIntent,
): Promise<void> {
  const nowMs = entry.nowMs()
  const { accountId, deliveryId, fence } = claim.key
  const known = `${option.carrierName} has no booking ${key}: it never accepted the booking, and no courier will come for the parcels.`
  const eventFields = { atMs: nowMs, source: claim.source }
  const { cancel_requested_at: cancelRequestedAtMs, cancel_reason } = claim.row
  await changeDelivery(
    deps.db,
    { accountId, deliveryId, nowMs, guard: { statuses: ['on_hold'], fence, openAttempt: attempt } },
    {
      pending_attempt: null,
      due_at: null,
      ...(cancelRequestedAtMs === null ? { status_reason: known } : cancelledAsRequested(cancel_reason)),
    },
    cancelRequestedAtMs === null
      ? [noteEvent(deps, { ...eventFields, detail: known })]
      : transitionEvents(deps, ['on_hold', 'cancelled'], { ...eventFields, detail: cancel_reason ?? known }),
    { attempt, state: 'void', message: known, lookAgainAtMs: firstLookMs(nowMs) },
  )
}
