import type { RateZone } from '../values.ts'

/**
 * Lead time, last pickup and cut-off: when a delivery type or a carrier's service could deliver. Minutes of
 * the day (`lastPickup`, `cutOff`, `hours`) are on the store's wall clock; `from` and `to` are on the destination's.
 */
export type Timing = AfterPickup | OnDay

/** Starts `leadMinutes + minutesPerKm * km` after the pickup. Couriers pick up only within `hours`. */
export type AfterPickup = {
  kind: 'after_pickup'
  leadMinutes: number
  minutesPerKm: number
  windowMinutes: number
  /** The last minute of the day when a pickup may happen, inclusive. */
  lastPickup: number | null
  hours: { open: number; close: number } | null
}

/** On the n-th business day after the day of pickup; a pickup after the cut-off counts for the next open day. */
export type OnDay = {
  kind: 'on_day'
  cutOff: number
  days: number | Readonly<Record<RateZone, number>>
  from: number
  to: number
}
