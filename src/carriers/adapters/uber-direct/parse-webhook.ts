import { entryOf, excerpt, jsonOf } from '../../kit/answer.ts'
import type { BookingNotice, CarrierEvent, CarrierUpdates, CourierPosition } from '../../port/carrier.ts'
import type { CarrierResponse } from '../../port/send.ts'
import { type MappedStatus, NO_CHANGE } from '../../port/status-mapping.ts'
import { bookingOf } from './parse.ts'
import { DeliverySnapshot, DeliveryUpdate, Details, ReportedWhole } from './schemas.ts'
import { REASON_COMES_MS, RETURN_STATUSES, STATUSES } from './tables.ts'

const STATUS_KINDS = ['event.delivery_status', 'event.delivery_return']

/** Parses one webhook: a status change, or a courier position. Any other body counts as unreadable. */
export function parseWebhook(body: Buffer): CarrierUpdates {
  const json = jsonOf(body)
  const update = DeliveryUpdate.safeParse(json).data
  if (!update) return { events: [], positions: [], unreadable: 1 }
  const positions = positionOf(update)
  // Sent every 20 seconds: it holds nothing beyond the status change except the position.
  const events = update.kind === 'event.courier_update' ? [] : [eventOf(update)]
  return { events, positions, bookings: bookingsOf(json), unreadable: 0 }
}

function bookingsOf(json: unknown): BookingNotice[] {
  const data = ReportedWhole.safeParse(json).data?.data
  if (!data) return []
  return [{ key: data.external_id, consignmentNumber: data.id, toBooking: (ours) => bookingOf(data, ours) }]
}

/**
 * Turns a polled status into an event; `returnId`: the return delivery, which has the more precise status.
 */
export function parseBookingState(
  response: CarrierResponse,
  nowMs: number,
): { event: CarrierEvent; returnId: string | null } | null {
  if (response.kind !== 'answered' || response.status !== 200) return null
  const state = DeliverySnapshot.safeParse(response.body).data
  if (!state) return null
  const { id: delivery_id, status, updated } = state
  const data = Details.parse(response.body)
  // Only the webhook says who cancelled, and it may be on its way.
  if (status === 'canceled' && Math.abs(nowMs - (updated ?? 0)) < REASON_COMES_MS) return null
  const id = excerpt(`stands ${delivery_id} ${status}${data.imminent ? ' imminent' : ''}`)
  const update = { id, kind: 'event.delivery_status', created: updated ?? nowMs, delivery_id, status, data }
  return { event: { ...eventOf(update), isSnapshot: true }, returnId: data.returnId }
}

function eventOf(update: DeliveryUpdate): CarrierEvent {
  const { id, kind, created, delivery_id, data } = update
  const status = update.status ?? data.status
  const goesBack = originalOf(update) !== delivery_id
  const meaning = goesBack ? entryOf(RETURN_STATUSES, status) : meaningOf(update, status)
  const statusText = (goesBack && status ? `return ${status}` : status) || kind
  return {
    consignmentNumber: originalOf(update),
    eventId: id,
    atMs: created,
    ...(meaning ?? NO_CHANGE),
    message: excerpt(data.reasons.length > 0 ? `${statusText}: ${data.reasons.join(', ')}` : statusText),
    ...(meaning?.status === 'cancelled' && data.isReleased ? { carrierReleased: true } : {}),
  }
}

function meaningOf({ kind, data }: DeliveryUpdate, status: string): MappedStatus | undefined {
  if (!STATUS_KINDS.includes(kind)) return undefined
  // Cancelled after pickup: another delivery brings it back.
  if (status === 'canceled' && data.returnId) return STATUSES.returned
  return entryOf(STATUSES, data.imminent ? `${status} imminent` : status) ?? entryOf(STATUSES, status)
}

function positionOf(update: DeliveryUpdate): CourierPosition[] {
  const { name, location: reported } = update.data.courier ?? {}
  const location = reported ?? update.location
  if (!location) return []
  const courierName = name ? excerpt(name) : null
  return [{ consignmentNumber: originalOf(update), atMs: update.created, ...location, courierName }]
}

/** A return leg is a delivery of its own, with its own id: `ret_X` brings back `del_X`. */
function originalOf({ delivery_id, data }: DeliveryUpdate): string {
  return data.originalId ?? delivery_id.replace(/^ret_/, 'del_')
}
