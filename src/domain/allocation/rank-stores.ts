import type { Account, Brand, Store } from '../account/account.ts'
import { distanceKm } from '../geo/distance.ts'
import type { AllocationRequest, StoreRank } from './allocation.ts'
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
  const strategy = ALLOCATION_STRATEGIES[getStrategy(account, candidates)]
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
  return selectFirst(compared, count, order).map((candidate, index) =>
    toRank(candidate, index + 1, strategy, times(candidate.store)),
  )
}

/**
 * A list has one order, so it follows one strategy. When the candidates' brands have different strategies,
 * the brand that comes first in the account document decides.
 */
export function getStrategy(account: Account, candidates: readonly Store[]): Brand['allocationStrategy'] {
  const strategies = new Set(account.brands.map((brand) => brand.allocationStrategy))
  const [only] = strategies
  if (strategies.size === 1 && only) return only
  const first = account.brands.find((brand) => candidates.some((store) => store.brand === brand))
  // An account without stores needs no brand either.
  return (first ?? account.brands[0])?.allocationStrategy ?? 'distance_only'
}

function byDistance(a: Candidate, b: Candidate): number {
  return a.distanceKm - b.distanceKm || (a.store.reference < b.store.reference ? -1 : 1)
}

function toRank(
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

/**
 * Top-k selection: the first `count` items in the order of `compare`. Same result as sorting and slicing, in
 * one pass.
 */
function selectFirst<T>(items: Iterable<T>, count: number, compare: (a: T, b: T) => number): T[] {
  const first: T[] = []
  for (const item of items) {
    const last = first.at(-1)
    if (first.length >= count && (last === undefined || compare(item, last) >= 0)) continue
    first.splice(findInsertionIndex(item, first, compare), 0, item)
    if (first.length > count) first.pop()
  }
  return first
}

function findInsertionIndex<T>(item: T, sorted: readonly T[], compare: (a: T, b: T) => number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compare(sorted[middle]!, item) <= 0) low = middle + 1
    else high = middle
  }
  return low
}
