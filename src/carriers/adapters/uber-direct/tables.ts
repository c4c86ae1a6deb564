// Uber Direct API reference, Create Delivery: notes and the least lengths of windows.
export const NOTE_LENGTH = 280
export const MINUTE_MS = 60_000
export const PICKUP_WINDOW_MS = 10 * MINUTE_MS
export const PICKUP_NOTICE_MS = 20 * MINUTE_MS
export const DROPOFF_WINDOW_MS = 20 * MINUTE_MS
export const ADULT = 18
/** In which a webhook comes, with most of its repeats. */
export const REASON_COMES_MS = 10 * MINUTE_MS

/** What is taken at an ordinary handover, by the account's wish. */
export const ORDINARY_PROOFS = {
  picture: { picture: true },
  pin: { pincode: { enabled: true } },
  none: {},
} as const

/** Uber describes sizes by how a thing is carried; the measures are ours. */
export const SIZES = [
  { size: 'small', sideCm: 25, kg: 2 },
  { size: 'medium', sideCm: 45, kg: 8 },
  { size: 'large', sideCm: 75, kg: 20 },
] as const
