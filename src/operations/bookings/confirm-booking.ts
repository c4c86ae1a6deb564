import type { Booking, Carrier } from '../../carriers/port/carrier.ts'
import { getUrgency, pollIntervalMs, untilWholeMinuteMs } from '../../domain/delivery/polling-interval.ts'
import type { Status } from '../../domain/delivery/status.ts'
import { formatDollars } from '../../domain/text/format-dollars.ts'
import type { BookingIntent } from '../../store/deliveries/booking-intents.ts'
import { changeDeliveryTogether } from '../../store/deliveries/change-delivery.ts'
import type { ChangeTarget, DeliveryPatch } from '../../store/deliveries/delivery-change.ts'
import type { DeliveryRow } from '../../store/deliveries/delivery-rows.ts'
import { retryWhileUnavailable } from '../concurrency/retry-while-unavailable.ts'
import { findCarrier } from '../directory/find-carrier.ts'
import { transitionEvents } from '../events/status-events.ts'
import { type ReportSource, recordOrphanedBooking } from '../orphaned-bookings/record-orphaned-booking.ts'
import { keepLabelEarly } from '../paperwork/carrier-label.ts'

type Track = NonNullable<Carrier['track']>

const MINUTE_MS = 60_000

/** The statuses from which a booking can be confirmed: still waiting for it, or on hold since the time limit ended. */
const TRANSITIONS: readonly { way: readonly [Status, ...Status[]]; cancelRequestedAtMs?: null }[] = [
  { way: ['requested', 'booked'], cancelRequestedAtMs: null },
  // A cancellation may be pending: it is sent to the carrier at once, whether or not the carrier sends webhooks.
  { way: ['requested', 'booked'] },
  { way: ['on_hold', 'requested', 'booked'] },
]

/**
 * Stores the carrier's acceptance. While the attempt is open no process can have a newer outcome, so no fencing token
 * is checked: the first confirmation ends the wait, and a second one finds the attempt closed. `decision`: the options
 * that were compared, if this attempt was decided now. Null: the delivery no longer awaits it, so it is recorded as
 * orphaned.
 */
export async function confirmBooking(
  learnt: ReportSource,
  intent: BookingIntent,
  booking: Booking,
  decision: string | null,
): Promise<DeliveryRow | null> {
  // Some carriers cannot be asked again, so their acceptance must survive a failover. If the database's answer to the
  // first write was lost, the retry may find the attempt closed: then the booking is recognised as the delivery's own.
  const booked = await retryWhileUnavailable(() => writeBooked(learnt, intent, booking, decision))
  if (!booked) {
    await recordOrphanedBooking(learnt, intent, booking)
    return null
  }
  if (booked.cancel_requested_at !== null) learnt.deps.wake()
  if (learnt.claim.source === 'worker') await keepLabelEarly(learnt.deps, booked)
  return booked
}

async function writeBooked(
  { deps, entry, claim }: ReportSource,
  intent: BookingIntent,
  booking: Booking,
  decision: string | null,
): Promise<DeliveryRow | null> {
  const nowMs = entry.nowMs()
  const { accountId, deliveryId } = claim.key
  const carrier = await findCarrier(deps, accountId, intent.provider)
  const track = carrier?.track
  const patch: DeliveryPatch = {
    ...bookedFields(intent, booking),
    ...(decision === null ? {} : { decision, decided_at: nowMs }),
    booked_at: nowMs,
  }
  const eventFields = {
    atMs: nowMs,
    source: claim.source,
    consignmentNumber: booking.consignmentNumber,
    detail: bookedWords(intent, booking),
  }
  for (const { way, ...condition } of TRANSITIONS) {
    const guard = { statuses: [way[0]], openAttempt: intent.attempt, ...condition }
    const target: ChangeTarget = { accountId, deliveryId, nowMs, guard }
    // The staff of a courier without an API read its bookings on our pages, as they were requested.
    const dropsRequest = carrier !== null && !carrier.reportedManually
    const ended = { attempt: intent.attempt, state: 'accepted', message: null, dropsRequest } as const
    const mayBeCancelled = condition.cancelRequestedAtMs === undefined
    const due_at = mayBeCancelled ? nowMs : track ? firstPollMs(track, intent, nowMs) : null
    const set = { ...patch, due_at }
    const events = transitionEvents(deps, way, eventFields)
    const booked = await changeDeliveryTogether(deps.db, { target, patch: set, events, intent: ended })
    if (booked) return booked
  }
  return null
}

/**
 * A carrier has no tracking updates for a consignment it has just accepted, so the first poll comes one interval later,
 * together with others booked now.
 */
function firstPollMs(
  { everyMinutes }: Pick<Track, 'everyMinutes'>,
  { option }: BookingIntent,
  nowMs: number,
) {
  const { windowFromMs } = option
  const urgency = getUrgency({ status: 'booked', subStatus: null, windowFromMs }, nowMs)
  return nowMs + untilWholeMinuteMs(nowMs, pollIntervalMs(urgency, everyMinutes * MINUTE_MS))
}

/** Without a price if a person confirmed it. */
export type ConfirmedBooking = Omit<Booking, 'costCents'> & Partial<Pick<Booking, 'costCents'>>

/** The fields of a booked delivery; its times are not among them. */
export function bookedFields({ option, provider }: BookingIntent, booking: ConfirmedBooking): DeliveryPatch {
  const { deliveryType, windowFromMs, windowToMs, accountVersion, manifestStatus, ...chosen } = option
  return {
    status: 'booked',
    status_reason: null,
    delivery_type: deliveryType,
    chosen: { ...chosen, ...(booking.costCents !== undefined && { costCents: booking.costCents }) },
    window_from: windowFromMs,
    window_to: windowToMs,
    carrier_provider: provider,
    consignment_number: booking.consignmentNumber,
    carrier_ref: booking.carrierRef ?? null,
    articles: booking.articles,
    manifest_status: manifestStatus,
    account_version: accountVersion,
    pending_attempt: null,
  }
}

/** The event text; mentions it if the carrier charges other than it quoted. */
function bookedWords({ option, service }: BookingIntent, { costCents }: Booking): string {
  const quoted = option.quote?.priceCents
  const named = `${option.carrierName} ${service}`
  if (quoted === undefined || quoted === costCents) return named
  return `${named}: it quoted ${formatDollars(quoted)} and charges ${formatDollars(costCents)}`
}
