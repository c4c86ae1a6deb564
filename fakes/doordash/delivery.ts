import { onTheWay, type Place } from '../places.ts'
import type { DeliveryRequest } from './requests.ts'

export type Status =
  | 'quote'
  | 'created'
  | 'confirmed'
  | 'enroute_to_pickup'
  | 'arrived_at_pickup'
  | 'picked_up'
  | 'enroute_to_dropoff'
  | 'arrived_at_dropoff'
  | 'delivered'
  | 'enroute_to_return'
  | 'arrived_at_return'
  | 'returned'
  | 'cancelled'

export type CancellationReason =
  | 'cancelled_by_creator'
  | 'failed_to_assign_and_refunded'
  | 'failed_to_pickup'
  | 'failed_to_deliver'

export type Delivery = {
  id: string
  request: DeliveryRequest
  status: Status
  feeCents: number
  createdMs: number
  updatedMs: number
  /** Of a quote: until when it can be accepted. */
  acceptableUntilMs: number
  supportReference: string
  trackingId: string
  pickup: Place
  dropoff: Place
  /** Where the Dasher moves between two instants; null while there is no Dasher. */
  leg: { from: Place; to: Place; startMs: number; endMs: number } | null
  pickupEtaMs: number
  dropoffEtaMs: number
  pickedUpMs: number | null
  droppedOffMs: number | null
  returnEtaMs: number | null
  returnedMs: number | null
  cancellation: CancellationReason | null
  url: string
}

const DASHER_ID = 18_093_817

export function dasherPlace({ leg }: Delivery, nowMs: number): Place | null {
  if (!leg) return null
  return onTheWay(leg.from, leg.to, (nowMs - leg.startMs) / Math.max(1, leg.endMs - leg.startMs))
}

/** The delivery as DoorDash returns it: the request and its outcome. Unknown fields are left out. */
export function deliveryJson(delivery: Delivery, nowMs: number): Record<string, unknown> {
  const { request, url, id } = delivery
  const { pickup_time: _, dropoff_time: __, pickup_window: ___, dropoff_window: ____, ...echoed } = request
  const place = dasherPlace(delivery, nowMs)
  const image = (kind: string) => `${url}/pictures/${encodeURIComponent(id)}-${kind}.png`
  const photographed =
    request.contactless_dropoff || request.dropoff_options?.proof_of_delivery === 'photo_required'
  const signed = request.dropoff_requires_signature || request.dropoff_options?.signature === 'required'
  const common = {
    ...echoed,
    currency: 'AUD',
    delivery_status: delivery.status,
    cancellation_reason: delivery.cancellation,
    fee: delivery.feeCents,
    fee_components: [],
    tax: 0,
    tax_components: [],
    tip: request.tip ?? 0,
    order_value: request.order_value ?? 0,
    contactless_dropoff: request.contactless_dropoff ?? false,
    updated_at: iso(delivery.updatedMs),
    pickup_time_estimated: delivery.pickedUpMs === null ? iso(delivery.pickupEtaMs) : null,
    pickup_time_actual: iso(delivery.pickedUpMs),
    dropoff_time_estimated: delivery.droppedOffMs === null ? iso(delivery.dropoffEtaMs) : null,
    dropoff_time_actual: iso(delivery.droppedOffMs),
    return_time_estimated: delivery.returnedMs === null ? iso(delivery.returnEtaMs) : null,
    return_time_actual: iso(delivery.returnedMs),
    return_address: delivery.returnEtaMs === null ? null : request.pickup_address,
    dropoff_location: delivery.dropoff,
    support_reference: delivery.supportReference,
    tracking_url: `${url}/order/${delivery.trackingId}/track`,
    ...(delivery.pickedUpMs === null ? {} : { pickup_verification_image_url: image('pickup') }),
    ...(delivery.droppedOffMs !== null && photographed
      ? { dropoff_verification_image_url: image('dropoff') }
      : {}),
    ...(delivery.droppedOffMs !== null && signed ? { dropoff_signature_image_url: image('signature') } : {}),
    ...(place
      ? {
          dasher_id: DASHER_ID,
          dasher_name: 'Fay K.',
          dasher_dropoff_phone_number: '+61491570157',
          dasher_pickup_phone_number: '+61491570158',
          dasher_location: place,
          dasher_vehicle_make: 'Toyota',
          dasher_vehicle_model: 'Corolla',
          dasher_vehicle_year: '2022',
        }
      : {}),
  }
  return Object.fromEntries(
    Object.entries(common).filter(([, value]) => value !== null && value !== undefined),
  )
}

function iso(ms: number): string
function iso(ms: number | null): string | null
function iso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
