import type { Timestamp } from '../calendar/timestamp.ts'
import type { Zone } from '../calendar/zone.ts'
import type { Position } from '../geo/distance.ts'

/** Which stores should send an order to a place. Plain data: a job in the background keeps it as it is. */
export type AllocationRequest = {
  destination: Position
  /** Null: ready at once. Without an offset it is the time of each store. */
  readyForPickupAt: Timestamp | null
  /** Candidates; null: not named so. Ids win over references, as `store_id` does elsewhere. */
  storeIds: readonly string[] | null
  storeReferences: readonly string[] | null
  /** Stores wanted; fewer are answered where there are fewer. */
  count: number
}

export const DEFAULT_COUNT = 3
/** An answer of a thousand stores is 200 kB. */
export const MOST_COUNT = 1_000

/** A store's place in the list. */
export type StoreRank = {
  rank: number
  storeId: string
  storeReference: string
  zone: Zone
  estDistanceKm: number
  /** Null: the store does not open before the calendar ends with 2030. */
  earliestProcessingMs: number | null
  /** Null as well where the strategy does not tell it. */
  earliestRfpMs: number | null
}
