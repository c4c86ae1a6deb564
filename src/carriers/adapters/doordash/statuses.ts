import { type MappedStatus, statusChange } from '../../port/status-mapping.ts'

/** Names of webhook events, in capitals. One that is not here moves nothing and is kept as it was said. */
export const EVENTS: Readonly<Record<string, MappedStatus>> = {
  DELIVERY_CREATED: statusChange(null),
  DELIVERY_BATCHED: statusChange(null),
  DASHER_CONFIRMED: statusChange('assigned'),
  DASHER_CONFIRMED_PICKUP_ARRIVAL: statusChange('approaching', 'arrived_at_pickup'),
  DASHER_PICKED_UP: statusChange('collected', 'out_for_delivery'),
  DASHER_CONFIRMED_DROPOFF_ARRIVAL: statusChange('collected', 'arrived_at_dropoff'),
  DASHER_DROPPED_OFF: statusChange('delivered'),
  DELIVERY_CANCELLED: statusChange('cancelled'),
  DELIVERY_RETURN_INITIALIZED: statusChange('pending_return'),
  DASHER_CONFIRMED_RETURN_ARRIVAL: statusChange('pending_return', 'arrived_at_pickup'),
  DELIVERY_RETURNED: statusChange('returned'),
}

/** Reasons of a cancel when the Dasher has it; before that another may carry it. */
export const CARRIED: ReadonlySet<string> = new Set(['failed_to_deliver', 'failed_to_return'])
export const LOST = statusChange('cancelled', 'undeliverable')

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
