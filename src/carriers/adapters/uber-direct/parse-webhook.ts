import { entryOf, excerpt, jsonOf } from '../../kit/answer.ts'
import type { BookingNotice, CarrierEvent, CarrierUpdates, CourierPosition } from '../../port/carrier.ts'
import type { CarrierResponse } from '../../port/send.ts'
import { type MappedStatus, NO_CHANGE } from '../../port/status-mapping.ts'
import { bookingOf } from './parse.ts'
import { Details, ReportedWhole, Stands, Told } from './schemas.ts'
import { RETURN_STATUSES, STATUSES } from './statuses.ts'
import { REASON_COMES_MS } from './tables.ts'

const STATUS_KINDS = ['event.delivery_status', 'event.delivery_return']

/** Parses one webhook: a status change, or a courier position. Any other body counts as unreadable. */
export function parseWebhook(body: Buffer): CarrierUpdates {
  const json = jsonOf(body)
  const told = Told.safeParse(json).data
  if (!told) return { events: [], positions: [], unreadable: 1 }
  const positions = positionOf(told)
  // Sent every 20 seconds: it holds nothing beyond the status change except the position.
  const events = told.kind === 'event.courier_update' ? [] : [eventOf(told)]
  return { events, positions, bookings: bookingsOf(json), unreadable: 0 }
}

function bookingsOf(json: unknown): BookingNotice[] {
  const whole = ReportedWhole.safeParse(json).data?.data
  if (!whole) return []
  return [{ key: whole.external_id, consignmentNumber: whole.id, as: (asked) => bookingOf(whole, asked) }]
}

/**
 * Turns a polled status into an event; `returnId`: the return delivery, which has the more precise status.
 */
export function parseBookingState(
  response: CarrierResponse,
  askedAtMs: number,
): { event: CarrierEvent; returnId: string | null } | null {
  if (response.kind !== 'answered' || response.status !== 200) return null
  const stands = Stands.safeParse(response.body).data
  if (!stands) return null
  const { id: delivery_id, status, updated } = stands
  const data = Details.parse(response.body)
  // Only the webhook says who cancelled, and it may be on its way.
  if (status === 'canceled' && Math.abs(askedAtMs - (updated ?? 0)) < REASON_COMES_MS) return null
  const id = excerpt(`stands ${delivery_id.slice(0, 4)}${status}${data.imminent ? ' imminent' : ''}`)
  const told = { id, kind: 'event.delivery_status', created: updated ?? askedAtMs, delivery_id, status, data }
  return { event: { ...eventOf(told), standing: true }, returnId: data.returnId }
}

function eventOf(told: Told): CarrierEvent {
  const { id, kind, created, delivery_id, data } = told
  const status = told.status ?? data.status
  const goesBack = originalOf(told) !== delivery_id
  const meaning = goesBack ? entryOf(RETURN_STATUSES, status) : meaningOf(told, status)
  const what = (goesBack && status ? `return ${status}` : status) || kind
  return {
    consignmentNumber: originalOf(told),
    eventId: id,
    atMs: created,
    ...(meaning ?? NO_CHANGE),
    message: excerpt(data.reasons.length > 0 ? `${what}: ${data.reasons.join(', ')}` : what),
    ...(meaning?.status === 'cancelled' && data.isReleased ? { carrierReleased: true } : {}),
  }
}

function meaningOf({ kind, data }: Told, status: string): MappedStatus | undefined {
  if (!STATUS_KINDS.includes(kind)) return undefined
  // Cancelled after pickup: another delivery brings it back.
  if (status === 'canceled' && data.returnId) return STATUSES.returned
  return entryOf(STATUSES, data.imminent ? `${status} imminent` : status) ?? entryOf(STATUSES, status)
}

function positionOf(told: Told): CourierPosition[] {
  const { name, location = told.location } = told.data.courier ?? {}
  if (!location) return []
  const courierName = name ? excerpt(name) : null
  return [{ consignmentNumber: originalOf(told), atMs: told.created, ...location, courierName }]
}

/** A return leg is a delivery of its own, with its own id: `ret_X` brings back `del_X`. */
function originalOf({ delivery_id, data }: Told): string {
  return data.originalId ?? delivery_id.replace(/^ret_/, 'del_')
}
