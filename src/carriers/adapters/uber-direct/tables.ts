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
