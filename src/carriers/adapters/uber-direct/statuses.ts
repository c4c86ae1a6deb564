import { type Meaning, moves } from '../../port/meaning.ts'

/** Statuses of a delivery on its way to the customer; `pickup imminent` is `pickup` with `courier_imminent`. */
export const STATUSES: Readonly<Record<string, Meaning>> = {
  pending: moves(null),
  pickup: moves('assigned'),
  'pickup imminent': moves('approaching', 'pickup_imminent'),
  pickup_complete: moves('collected'),
  dropoff: moves('collected', 'out_for_delivery'),
  'dropoff imminent': moves('collected', 'arrived_at_dropoff'),
  delivered: moves('delivered'),
  canceled: moves('cancelled'),
  // "Canceled, and a new delivery was created" for the way back: that one tells when it has arrived.
  returned: moves('pending_return'),
}

/** Statuses of the delivery that brings it back: to the merchant it is still the same one. */
export const RETURN_STATUSES: Readonly<Record<string, Meaning>> = {
  pending: moves('pending_return'),
  pickup: moves('pending_return'),
  pickup_complete: moves('pending_return'),
  dropoff: moves('pending_return'),
  delivered: moves('returned'),
  canceled: moves('pending_return', 'undeliverable'),
}

/**
 * `primary_reason` of a cancel that is the courier's or Uber's own. The values are not published: one that does not
 * begin like these may be the merchant's, who calls it off in Uber's dashboard too.
 */
export const LET_GO = /^(couriers?|uber|no_couriers?)(_|$)/i
