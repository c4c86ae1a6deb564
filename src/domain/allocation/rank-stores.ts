import type { Account, Brand, Store } from '../account/account.ts'
import { distanceKm } from '../geo/distance.ts'
import type { AllocationRequest, StoreRank } from './allocation.ts'
import { firstOf } from './first-of.ts'
import { type StoreTimes, storeTimes } from './store-times.ts'
import { ALLOCATION_STRATEGIES, type Candidate, type Strategy } from './strategies.ts'

/**
 * The best candidates for a destination, ranked from 1 without gaps by the strategy of their brand.
 *
 * For all stores of the account, the strategy takes a short list from an index; stores that the caller named
 * are compared one by one. The order is the same either way, and total, because references are unique.
 */
export function rankStores(
  account: Account,
  candidates: readonly Store[],
  { destination, readyForPickupAt, count }: AllocationRequest,
  nowMs: number,
): StoreRank[] {
  const strategy = ALLOCATION_STRATEGIES[strategyOf(account, candidates)]
  const times = storeTimes({ readyForPickupAt, nowMs })
  const stores =
    candidates === account.stores
      ? strategy.shortlist({ stores: candidates, destination, count, times })
      : candidates
  const compared = stores.map((store): Candidate => {
    const km = distanceKm(store, destination)
    const rfpMs = strategy.byTime ? (times(store).rfpMs ?? Number.POSITIVE_INFINITY) : 0
    return { store, distanceKm: km, estDistanceKm: Math.round(km), rfpMs }
  })
  const order = (a: Candidate, b: Candidate) => strategy.compare(a, b) || byDistance(a, b)
  return firstOf(compared, count, order).map((candidate, index) =>
    rankOf(candidate, index + 1, strategy, times(candidate.store)),
  )
}

/**
 * A list has one order, so it follows one strategy. When the candidates' brands have different strategies,
 * the brand that comes first in the account document decides.
 */
export function strategyOf(account: Account, candidates: readonly Store[]): Brand['allocationStrategy'] {
  const strategies = new Set(account.brands.map((brand) => brand.allocationStrategy))
  const [only] = strategies
  if (strategies.size === 1 && only) return only
  const first = account.brands.find((brand) => candidates.some((store) => store.brand === brand))
  return (first ?? account.brands[0]!).allocationStrategy
}

function byDistance(a: Candidate, b: Candidate): number {
  return a.distanceKm - b.distanceKm || (a.store.reference < b.store.reference ? -1 : 1)
}

function rankOf(
  { store, estDistanceKm }: Candidate,
  rank: number,
  { byTime }: Strategy,
  { processingMs, rfpMs }: StoreTimes,
): StoreRank {
  return {
    rank,
    storeId: store.id,
    storeReference: store.reference,
    zone: store.zone,
    estDistanceKm,
    earliestProcessingMs: processingMs,
    earliestRfpMs: byTime ? rfpMs : null,
  }
}
