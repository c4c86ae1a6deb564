import { type MappedStatus, statusChange } from '../../port/status-mapping.ts'

// Uber Direct API reference, Create Delivery: note length and minimum lengths of windows.
export const NOTE_LENGTH = 280
export const MINUTE_MS = 60_000
export const PICKUP_WINDOW_MS = 10 * MINUTE_MS
export const PICKUP_NOTICE_MS = 20 * MINUTE_MS
export const DROPOFF_WINDOW_MS = 20 * MINUTE_MS
export const ADULT = 18
/** Within this time a webhook arrives, with most of its retries. */
export const REASON_COMES_MS = 10 * MINUTE_MS

/** The proof at an ordinary handover, as the account sets it. */
export const ORDINARY_PROOFS = {
  picture: { picture: true },
  pin: { pincode: { enabled: true } },
  none: {},
} as const

/** Uber describes sizes by how an item is carried; the measures are ours. */
export const SIZES = [
  { size: 'small', sideCm: 25, kg: 2 },
  { size: 'medium', sideCm: 45, kg: 8 },
  { size: 'large', sideCm: 75, kg: 20 },
] as const

/**
 * Statuses of a delivery on its way to the customer; `pickup imminent` is `pickup` with `courier_imminent`.
 */
export const STATUSES: Readonly<Record<string, MappedStatus>> = {
  pending: statusChange(null),
  pickup: statusChange('assigned'),
  'pickup imminent': statusChange('approaching', 'pickup_imminent'),
  pickup_complete: statusChange('collected'),
  dropoff: statusChange('collected', 'out_for_delivery'),
  'dropoff imminent': statusChange('collected', 'arrived_at_dropoff'),
  delivered: statusChange('delivered'),
  canceled: statusChange('cancelled'),
  // "Canceled, and a new delivery was created" for the return leg, whose own status shows when it has
  // arrived.
  returned: statusChange('pending_return'),
}

/** Statuses of the return delivery: for the merchant it is still the same delivery. */
export const RETURN_STATUSES: Readonly<Record<string, MappedStatus>> = {
  pending: statusChange('pending_return'),
  pickup: statusChange('pending_return'),
  pickup_complete: statusChange('pending_return'),
  dropoff: statusChange('pending_return'),
  delivered: statusChange('returned'),
  canceled: statusChange('pending_return', 'undeliverable'),
}

/**
 * `primary_reason` of a cancel by the courier or by Uber. The values are not published: one that doesn't
 * start like these may be the merchant's own cancel in Uber's dashboard.
 */
export const LET_GO = /^(couriers?|uber|no_couriers?)(_|$)/i
