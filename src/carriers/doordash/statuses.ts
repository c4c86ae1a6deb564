import type { Status } from '../../domain/delivery/status.ts'

type Meaning = { status: Status | null; subStatus: string | null }

/** Names of webhook events, in capitals. One that is not here moves nothing and is kept as it was said. */
export const EVENTS: Readonly<Record<string, Meaning>> = {
  DELIVERY_CREATED: { status: null, subStatus: null },
  DELIVERY_BATCHED: { status: null, subStatus: null },
  DASHER_CONFIRMED: { status: 'assigned', subStatus: null },
  DASHER_CONFIRMED_PICKUP_ARRIVAL: { status: 'approaching', subStatus: 'arrived_at_pickup' },
  DASHER_PICKED_UP: { status: 'collected', subStatus: 'out_for_delivery' },
  DASHER_CONFIRMED_DROPOFF_ARRIVAL: { status: 'collected', subStatus: 'arrived_at_dropoff' },
  DASHER_DROPPED_OFF: { status: 'delivered', subStatus: null },
  DELIVERY_CANCELLED: { status: 'cancelled', subStatus: null },
  DELIVERY_RETURN_INITIALIZED: { status: 'pending_return', subStatus: null },
  DASHER_CONFIRMED_RETURN_ARRIVAL: { status: 'pending_return', subStatus: 'arrived_at_pickup' },
  DELIVERY_RETURNED: { status: 'returned', subStatus: null },
}

/** `delivery_status` of a delivery that was asked for, as the event that would have told it. */
export const STANDINGS: Readonly<Record<string, string>> = {
  confirmed: 'DASHER_CONFIRMED',
  enroute_to_pickup: 'DASHER_CONFIRMED',
  arrived_at_pickup: 'DASHER_CONFIRMED_PICKUP_ARRIVAL',
  picked_up: 'DASHER_PICKED_UP',
  enroute_to_dropoff: 'DASHER_PICKED_UP',
  arrived_at_dropoff: 'DASHER_CONFIRMED_DROPOFF_ARRIVAL',
  delivered: 'DASHER_DROPPED_OFF',
  cancelled: 'DELIVERY_CANCELLED',
  enroute_to_return: 'DELIVERY_RETURN_INITIALIZED',
  arrived_at_return: 'DASHER_CONFIRMED_RETURN_ARRIVAL',
  returned: 'DELIVERY_RETURNED',
}

/** A Dasher's way, told again and again: only where he is matters. */
export const WAYS = new Set([
  'DASHER_ENROUTE_TO_PICKUP',
  'DASHER_ENROUTE_TO_DROPOFF',
  'DASHER_ENROUTE_TO_RETURN',
])
