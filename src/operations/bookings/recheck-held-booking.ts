import { firstLookMs, nextRecheckMs } from '../../domain/delivery/reconciliation-schedule.ts'
import {
  type Alternative,
  type BookingIntent,
  hasRequest,
  type LostPeriod,
  listIntents,
  markIntentUnknown,
} from '../../store/deliveries/booking-intents.ts'
import { changeDelivery } from '../../store/deliveries/change-delivery.ts'
import { releaseDelivery } from '../../store/deliveries/due-deliveries.ts'
import { adoptAlternative } from '../../store/restore/lost-periods.ts'
import { findCarrier } from '../directory/find-carrier.ts'
import { noteEvent, transitionEvents } from '../events/status-events.ts'
import type { ClaimedDelivery } from './apply-transition.ts'
import { confirmBooking } from './confirm-booking.ts'
import { lookUpBooking, ON_ITS_WAY_MS } from './look-up-booking.ts'
import { formatGivenUp, lookUpLostBooking, NO_CARRIER_HAS_IT } from './look-up-lost-booking.ts'
import { cancelledAsRequested } from './resolve-booking-manually.ts'

/**
 * Rechecks, at growing intervals, a booking that is on hold with an unknown outcome. It only looks up: after the time
 * limit only people book. If found, the delivery is booked; if the carrier never accepted it, an event says that the clerk
 * may book again.
 */
export async function recheckHeldBooking(work: ClaimedDelivery): Promise<void> {
  const { deps, claim } = work
  const { account_id: accountId, delivery_id: deliveryId, pending_attempt } = claim.row
  const intents = await listIntents(deps.db, accountId, deliveryId)
  const intent = intents.find(({ attempt }) => attempt === pending_attempt)
  if (!intent || !hasRequest(intent)) return releaseDelivery(deps.db, claim.key, null)
  if (intent.lostPeriod) return recheckLostBooking(work, intent, intent.lostPeriod)

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
  else await recordNeverTaken(work, intent, formatNeverTaken(intent))
}

/** A delivery that was on hold at the moment of a restore: somebody may have booked it in the lost period. */
async function recheckLostBooking(
  work: ClaimedDelivery,
  intent: BookingIntent,
  lost: LostPeriod,
): Promise<void> {
  const { deps, entry, claim } = work
  const learnt = await lookUpLostBooking(work, intent, lost)
  switch (learnt.kind) {
    case 'found':
      await confirmBooking(work, learnt.intent, learnt.booking, null)
      return
    case 'none':
      // A delivery that its lookup put on hold has no other reason to be there.
      return recordNeverTaken(
        work,
        intent,
        NO_CARRIER_HAS_IT,
        (lost.wasOnHold ? claim.row.status_reason : null) ?? NO_CARRIER_HAS_IT,
      )
    case 'ask_staff':
      return releaseDelivery(deps.db, claim.key, null, { reason: learnt.reason })
    case 'wait':
      return releaseDelivery(deps.db, claim.key, entry.nowMs() + learnt.waitMs)
    case 'unknown':
      return askLater(work, learnt.intent, learnt.others)
  }
}

/** `others`: after a restore, the further carriers that may have the delivery. */
async function askLater(
  { deps, entry, claim }: ClaimedDelivery,
  intent: BookingIntent,
  others: readonly Alternative[] = [],
): Promise<void> {
  const { key, option } = intent
  const held = { heldAtMs: intent.answeredAtMs, windowToMs: option.windowToMs }
  const dueAtMs = nextRecheckMs(held, entry.nowMs(), Math.random())
  const { carrierName } = option
  const reason = intent.lostPeriod
    ? formatGivenUp(carrierName, others)
    : `${carrierName} never said whether it accepted our booking ${key}. Drover has stopped asking.`
  // From now on a person may record the carriers' answers.
  if (dueAtMs === null && intent.lostPeriod) await adoptAlternative(deps.db, claim.key, intent, true)
  await releaseDelivery(deps.db, claim.key, dueAtMs, dueAtMs === null ? { reason } : {})
}

function formatNeverTaken({ key, option }: BookingIntent): string {
  return `${option.carrierName} has no booking ${key}: it never accepted the booking, and no courier will come for the parcels.`
}

/**
 * The delivery stays on hold without an open attempt, for `reason`: a person decides whether it is still wanted. If a
 * cancellation is pending, it is cancelled.
 */
async function recordNeverTaken(
  { deps, entry, claim }: ClaimedDelivery,
  { attempt }: BookingIntent,
  known: string,
  reason: string = known,
): Promise<void> {
  const nowMs = entry.nowMs()
  const { accountId, deliveryId, fence } = claim.key
  const eventFields = { atMs: nowMs, source: claim.source }
  const { cancel_requested_at: cancelRequestedAtMs, cancel_reason } = claim.row
  await changeDelivery(
    deps.db,
    { accountId, deliveryId, nowMs, guard: { statuses: ['on_hold'], fence, openAttempt: attempt } },
    {
      pending_attempt: null,
      due_at: null,
      ...(cancelRequestedAtMs === null ? { status_reason: reason } : cancelledAsRequested(cancel_reason)),
    },
    cancelRequestedAtMs === null
      ? [noteEvent(deps, { ...eventFields, detail: known })]
      : transitionEvents(deps, ['on_hold', 'cancelled'], { ...eventFields, detail: cancel_reason ?? known }),
    { attempt, state: 'void', message: known, lookAgainAtMs: firstLookMs(nowMs) },
  )
}
