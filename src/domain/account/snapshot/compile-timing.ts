import type { Timing } from '../../calendar/timing.ts'
import type { TimingDocument } from '../document/document-timing.ts'
import { minutesOf, rangeMinutes } from '../document/primitives.ts'

export function compileTiming({ after_pickup, on_day }: TimingDocument): Timing {
  if (after_pickup) {
    return {
      kind: 'after_pickup',
      leadMinutes: after_pickup.lead_minutes,
      minutesPerKm: after_pickup.minutes_per_km,
      windowMinutes: after_pickup.window_minutes,
      lastPickup: after_pickup.last_pickup === undefined ? null : minutesOf(after_pickup.last_pickup),
      hours: after_pickup.hours === undefined ? null : rangeMinutes(after_pickup.hours),
    }
  }
  if (!on_day) throw new Error('A timing must be after_pickup or on_day.')
  return {
    kind: 'on_day',
    cutOff: minutesOf(on_day.cut_off),
    days: on_day.days,
    from: minutesOf(on_day.from),
    to: minutesOf(on_day.to),
  }
}
