import { entryOf, excerpt, jsonOf } from '../../kit/answer.ts'
import type { BookingNotice, CarrierEvent, CarrierUpdates, CourierPosition } from '../../port/carrier.ts'
import type { CarrierResponse } from '../../port/send.ts'
import { NO_CHANGE } from '../../port/status-mapping.ts'
import { bookingOf } from './parse.ts'
import { Booked, Standing, Told } from './schemas.ts'
import { CARRIED, EVENTS, LOST, STANDINGS, TRANSITIONS } from './statuses.ts'

/**
 * Parses one webhook. It has no id of its own and is sent up to three times, so its event and delivery make
 * its id.
 */
export function parseWebhook(body: Buffer, receivedMs: number): CarrierUpdates {
  const json = jsonOf(body)
  const told = Told.safeParse(json).data
  const name = (told?.event_name ?? told?.event_type ?? '').toUpperCase()
  if (!told || !name) return { events: [], positions: [], unreadable: 1 }
  const positions = positionOf(told, receivedMs)
  const events = TRANSITIONS.has(name) ? [] : [eventOf(told, name, receivedMs)]
  return { events, positions, bookings: bookingsOf(json), unreadable: 0 }
}

/**
 * Its id is our key. Webhooks omit empty fields: without `support_reference`, the number that DoorDash's
 * staff use, the booking would get another number here than at DoorDash.
 */
function bookingsOf(json: unknown): BookingNotice[] {
  const delivery = Booked.safeParse(json).data
  if (!delivery?.support_reference) return []
  const { external_delivery_id: key } = delivery
  return [{ key, consignmentNumber: key, as: (asked) => bookingOf(delivery, asked) }]
}

/** Turns a polled status into the event that the webhook would have sent, under the same id. */
export function parseBookingState(response: CarrierResponse, askedAtMs: number): CarrierEvent[] {
  if (response.kind !== 'answered' || response.status !== 200) return []
  const told = Told.safeParse(response.body).data
  const status = Standing.safeParse(response.body).data?.delivery_status
  const name = status === undefined ? undefined : entryOf(STANDINGS, status)
  return told && name ? [{ ...eventOf(told, name, askedAtMs), standing: true }] : []
}

function eventOf(told: Told, name: string, receivedMs: number): CarrierEvent {
  const reason = told.cancellation_reason ?? told.reason
  const failed = name === 'DELIVERY_CANCELLED' && reason?.startsWith('failed_to_')
  const carried = CARRIED.has(reason ?? '')
  return {
    consignmentNumber: told.external_delivery_id,
    eventId: `${excerpt(name).slice(0, 60)} ${told.dasher_id ?? ''}`.trim(),
    atMs: timeOf(told, name) ?? told.updated_at ?? receivedMs,
    ...((failed && carried ? LOST : entryOf(EVENTS, name)) ?? NO_CHANGE),
    message: excerpt(reason ? `${name}: ${reason}` : name),
    ...(failed && !carried ? { carrierReleased: true } : {}),
  }
}

function timeOf(told: Told, name: string): number | null | undefined {
  if (name === 'DASHER_PICKED_UP') return told.pickup_time_actual
  return name === 'DASHER_DROPPED_OFF' ? told.dropoff_time_actual : null
}

function positionOf(told: Told, receivedMs: number): CourierPosition[] {
  if (!told.dasher_location) return []
  return [
    {
      consignmentNumber: told.external_delivery_id,
      atMs: told.updated_at ?? receivedMs,
      ...told.dasher_location,
      courierName: told.dasher_name ? excerpt(told.dasher_name) : null,
    },
  ]
}
