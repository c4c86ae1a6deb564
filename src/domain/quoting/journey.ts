import { type Zone, zone } from '../calendar/zone.ts'
import type { Position } from '../geo/distance.ts'
import { zoneNameOf } from '../geo/states.ts'
import type { State } from '../values.ts'
import type { Job } from './job.ts'

export type JourneyEnd = Position & { state: State; zone: Zone }

/** Where the parcels start and end: under `customer_pickup` they start at the customer's and end in the store. */
export function journeyOf({ mode, store, destination }: Pick<Job, 'mode' | 'store' | 'destination'>): {
  from: JourneyEnd
  to: JourneyEnd
} {
  const { lat, lng, state, postCode } = destination
  const door = { lat, lng, state, zone: zone(zoneNameOf(state, postCode)) }
  return mode === 'customer_pickup' ? { from: door, to: store } : { from: store, to: door }
}
