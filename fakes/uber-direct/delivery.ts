import { onTheWay, type Place } from '../places.ts'
import type { Address } from './address.ts'
import type { DeliveryRequest, Verification } from './requests.ts'

export type Status =
  | 'pending'
  | 'pickup'
  | 'pickup_complete'
  | 'dropoff'
  | 'delivered'
  | 'canceled'
  | 'returned'

/** The courier's timetable, in epoch milliseconds. */
export type CourierPlan = {
  assignedMs: number
  pickupImminentMs: number
  pickupMs: number
  dropoffImminentMs: number
  dropoffMs: number
}

export type Waypoint = {
  name: string
  phone: string
  address: Address
  notes: string
  sellerNotes: string
  requirements: Omit<Verification, 'pincode'> & {
    pincode?: { enabled: boolean; value?: string } | undefined
  }
  /** Set once the courier has been there. */
  done: { status: 'completed' | 'failed'; atMs: number; proof: Readonly<Record<string, unknown>> } | null
}

export type Delivery = {
  id: string
  token: string
  quoteId: string | null
  request: DeliveryRequest
  status: Status
  imminent: boolean
  createdMs: number
  updatedMs: number
  plan: CourierPlan
  pickup: Waypoint
  dropoff: Waypoint
  /** Includes the tip, as Uber's does. */
  feeCents: number
  tipCents: number
  undeliverable: { action: '' | 'returned' | 'left_at_door'; reason: string }
  related: { id: string; relationship: 'return' | 'original' } | null
  /** Sent by webhooks only. */
  cancelation: { primary_reason: string; secondary_reason: string } | null
  externalStoreId: string | null
  url: string
}

/** Roughly 1.5 km from the shop, where its courier starts. */
const START_DEGREES = 0.012

export const isComplete = ({ status }: Delivery) =>
  status === 'delivered' || status === 'canceled' || status === 'returned'

export function courierPlace({ plan, pickup, dropoff }: Delivery, nowMs: number): Place {
  const shop = pickup.address.place
  if (nowMs >= plan.pickupMs) {
    const share = (nowMs - plan.pickupMs) / Math.max(1, plan.dropoffMs - plan.pickupMs)
    return onTheWay(shop, dropoff.address.place, share)
  }
  const start = { lat: shop.lat + START_DEGREES, lng: shop.lng }
  return onTheWay(start, shop, (nowMs - plan.assignedMs) / Math.max(1, plan.pickupMs - plan.assignedMs))
}

/** The delivery as Uber returns it. */
export function deliveryJson(delivery: Delivery, nowMs: number): Record<string, unknown> {
  const { request, plan, status } = delivery
  const onTheRoad = status === 'pickup' || status === 'pickup_complete' || status === 'dropoff'
  return {
    id: delivery.id,
    ...(delivery.quoteId ? { quote_id: delivery.quoteId } : {}),
    status,
    complete: isComplete(delivery),
    kind: 'delivery',
    live_mode: false,
    created: iso(delivery.createdMs),
    updated: iso(delivery.updatedMs),
    uuid: Buffer.from(delivery.token, 'base64url').toString('hex').toUpperCase(),
    tracking_url: `${delivery.url}/orders/${delivery.token}`,
    fee: delivery.feeCents,
    tip: delivery.tipCents,
    currency: 'aud',
    courier_imminent: delivery.imminent,
    ...(onTheRoad ? { courier: courierJson(delivery, nowMs) } : {}),
    pickup: waypointJson(delivery.pickup, delivery.externalStoreId),
    pickup_eta: iso(plan.pickupMs),
    pickup_ready: request.pickup_ready_dt ?? iso(delivery.createdMs),
    pickup_deadline: request.pickup_deadline_dt ?? iso(plan.pickupMs + HALF_HOUR_MS),
    dropoff: waypointJson(delivery.dropoff, delivery.externalStoreId),
    dropoff_eta: iso(plan.dropoffMs),
    dropoff_ready: request.dropoff_ready_dt ?? iso(delivery.createdMs),
    dropoff_deadline: request.dropoff_deadline_dt ?? iso(plan.dropoffMs + HALF_HOUR_MS),
    dropoff_identifier: '',
    deliverable_action: request.deliverable_action,
    undeliverable_action: delivery.undeliverable.action,
    undeliverable_reason: delivery.undeliverable.reason,
    manifest: {
      reference: request.manifest_reference ?? '',
      description: request.manifest_items.map(({ quantity, name }) => `${quantity} x ${name}`).join('\n'),
      total_value: request.manifest_total_value ?? 0,
    },
    manifest_items: request.manifest_items,
    ...(request.external_id === undefined ? {} : { external_id: request.external_id }),
    ...(delivery.related ? { related_deliveries: [delivery.related] } : {}),
  }
}

const HALF_HOUR_MS = 1_800_000

function courierJson(delivery: Delivery, nowMs: number) {
  return {
    name: 'Robo C.',
    rating: 5,
    vehicle_type: 'car',
    phone_number: '+61491570006',
    location: courierPlace(delivery, nowMs),
    img_href: `${delivery.url}/pictures/courier.png`,
  }
}

function waypointJson(waypoint: Waypoint, externalStoreId: string | null) {
  const { address, done, requirements } = waypoint
  return {
    name: waypoint.name,
    phone_number: waypoint.phone,
    address: address.text,
    detailed_address: address.detailed,
    notes: waypoint.notes,
    seller_notes: waypoint.sellerNotes,
    courier_notes: '',
    location: address.place,
    ...(Object.keys(requirements).length > 0 ? { verification_requirements: requirements } : {}),
    ...(done ? { verification: done.proof, status: done.status, status_timestamp: iso(done.atMs) } : {}),
    ...(externalStoreId === null ? {} : { external_store_id: externalStoreId }),
  }
}

export function iso(ms: number): string {
  return new Date(ms).toISOString()
}
