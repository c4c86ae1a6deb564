import type { Timestamp } from '../calendar/timestamp.ts'
import type { Zone } from '../calendar/zone.ts'
import type { Position } from '../geo/distance.ts'

/**
 * A request for the stores that should send an order to a destination. Plain data, so that a background job
 * can store it.
 */
export type AllocationRequest = {
  destination: Position
  /** Null: ready at once. A time without an offset is local to each store. */
  readyForPickupAt: Timestamp | null
  /** Candidates; null: not named this way. Ids win over references, as for `store_id`. */
  storeIds: readonly string[] | null
  storeReferences: readonly string[] | null
  /** Stores wanted. The answer has fewer when there are fewer. */
  count: number
}

export const DEFAULT_COUNT = 3
/** An answer with a thousand stores is 200 kB. */
export const MAX_COUNT = 1_000

/** A store's place in the list. */
export type StoreRank = {
  rank: number
  storeId: string
  storeReference: string
  zone: Zone
  estDistanceKm: number
  /** Null: the store does not open before the calendar ends with 2030. */
  earliestProcessingMs: number | null
  /** Also null when the strategy does not use it. */
  earliestRfpMs: number | null
}
