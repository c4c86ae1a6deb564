import { type MappedStatus, statusChange } from '../../port/status-mapping.ts'

/** Names of webhook events, in capitals. An unlisted event changes no status and is stored as received. */
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

/** Reasons of a cancel after the Dasher collected the parcel; before that another carrier may take it. */
export const CARRIED: ReadonlySet<string> = new Set(['failed_to_deliver', 'failed_to_return'])
export const LOST = statusChange('cancelled', 'undeliverable')

/** `delivery_status` of a look-up, as the event that the webhook would have sent. */
export const EVENT_OF_STATUS: Readonly<Record<string, string>> = {
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

/** Repeated events while a Dasher drives: only the position matters. */
export const POSITION_EVENTS = new Set([
  'DASHER_ENROUTE_TO_PICKUP',
  'DASHER_ENROUTE_TO_DROPOFF',
  'DASHER_ENROUTE_TO_RETURN',
])
