import type { RateZone } from '../values.ts'

/**
 * When a delivery type or a carrier's service could deliver (decisions.md section 6). Minutes of the day
 * (`lastPickup`, `cutOff`, `hours`) are the store's wall clock; `from` and `to` are the destination's.
 */
export type Timing = AfterPickup | OnDay

/** Starts `leadMinutes + minutesPerKm * km` after the pickup. Couriers pick up within `hours` only. */
export type AfterPickup = {
  kind: 'after_pickup'
  leadMinutes: number
  minutesPerKm: number
  windowMinutes: number
  /** Last minute of the day at which a pickup may happen; itself still in. */
  lastPickup: number | null
  hours: { open: number; close: number } | null
}

/** On the n-th business day after the day of pickup; a pickup after the cut-off is the next open day's. */
export type OnDay = {
  kind: 'on_day'
  cutOff: number
  days: number | Readonly<Record<RateZone, number>>
  from: number
  to: number
}
