import { formatLocal } from '../calendar/zone.ts'
import type { StoreRank } from './allocation.ts'

/** A store's rank in the interface's words: for answers, stored jobs and events. */
export type RankWords = {
  rank: number
  store_id: string
  store_reference: string
  est_distance_km: number
  earliest_processing_datetime?: string
  earliest_RFP_datetime?: string
}

export function rankWords(ranked: StoreRank): RankWords {
  const { zone, earliestProcessingMs, earliestRfpMs } = ranked
  return {
    rank: ranked.rank,
    store_id: ranked.storeId,
    store_reference: ranked.storeReference,
    est_distance_km: ranked.estDistanceKm,
    ...(earliestProcessingMs !== null && {
      earliest_processing_datetime: formatLocal(zone, earliestProcessingMs),
    }),
    ...(earliestRfpMs !== null && { earliest_RFP_datetime: formatLocal(zone, earliestRfpMs) }),
  }
}
