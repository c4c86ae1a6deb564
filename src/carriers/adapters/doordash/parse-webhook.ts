import { entryOf, excerpt, jsonOf } from '../../kit/answer.ts'
import type { BookingNotice, CarrierEvent, CarrierUpdates, CourierPosition } from '../../port/carrier.ts'
import type { CarrierResponse } from '../../port/send.ts'
import { NO_CHANGE } from '../../port/status-mapping.ts'
import { bookingOf } from './parse.ts'
import { Booked, DeliveryState, DeliveryUpdate } from './schemas.ts'
import { CARRIED, EVENT_OF_STATUS, EVENTS, LOST, POSITION_EVENTS } from './statuses.ts'

/**
 * Parses one webhook. It has no id of its own and is sent up to three times, so its booking, event and Dasher make
 * its id.
 */
export function parseWebhook(body: Buffer, receivedMs: number): CarrierUpdates {
  const json = jsonOf(body)
  const update = DeliveryUpdate.safeParse(json).data
  const name = (update?.event_name ?? update?.event_type ?? '').toUpperCase()
  if (!update || !name) return { events: [], positions: [], unreadable: 1 }
  const positions = positionOf(update, receivedMs)
  const events = POSITION_EVENTS.has(name) ? [] : [eventOf(update, name, receivedMs)]
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
  return [{ key, consignmentNumber: key, toBooking: (ours) => bookingOf(delivery, ours) }]
}

/** Turns a polled status into the event that the webhook would have sent, under the same id. */
export function parseBookingState(response: CarrierResponse, polledMs: number): CarrierEvent[] {
  if (response.kind !== 'answered' || response.status !== 200) return []
  const update = DeliveryUpdate.safeParse(response.body).data
  const status = DeliveryState.safeParse(response.body).data?.delivery_status
  const name = status === undefined ? undefined : entryOf(EVENT_OF_STATUS, status)
  return update && name ? [{ ...eventOf(update, name, polledMs), isSnapshot: true }] : []
}

function eventOf(update: DeliveryUpdate, name: string, receivedMs: number): CarrierEvent {
  const reason = update.cancellation_reason ?? update.reason
  const failed = name === 'DELIVERY_CANCELLED' && reason?.startsWith('failed_to_')
  const carried = CARRIED.has(reason ?? '')
  return {
    consignmentNumber: update.external_delivery_id,
    eventId: `${update.external_delivery_id} ${excerpt(name).slice(0, 60)} ${update.dasher_id ?? ''}`.trim(),
    atMs: timeOf(update, name) ?? update.updated_at ?? receivedMs,
    ...((failed && carried ? LOST : entryOf(EVENTS, name)) ?? NO_CHANGE),
    message: excerpt(reason ? `${name}: ${reason}` : name),
    ...(failed && !carried ? { carrierReleased: true } : {}),
  }
}

function timeOf(update: DeliveryUpdate, name: string): number | null | undefined {
  if (name === 'DASHER_PICKED_UP') return update.pickup_time_actual
  return name === 'DASHER_DROPPED_OFF' ? update.dropoff_time_actual : null
}

function positionOf(update: DeliveryUpdate, receivedMs: number): CourierPosition[] {
  if (!update.dasher_location) return []
  return [
    {
      consignmentNumber: update.external_delivery_id,
      atMs: update.updated_at ?? receivedMs,
      ...update.dasher_location,
      courierName: update.dasher_name ? excerpt(update.dasher_name) : null,
    },
  ]
}
