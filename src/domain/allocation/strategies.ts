import type { Brand, Store } from '../account/account.ts'
import { distanceKm, type Position } from '../geo/distance.ts'
import { nearestStores, storesWithin } from './near-stores.ts'
import type { StoreTimes } from './store-times.ts'
import { nearestOfTimelines, type Timeline, timelinesOf } from './timelines.ts'

/** The values that stores are compared by; `rfpMs` is Infinity for a store that is never ready. */
export type Candidate = { store: Store; distanceKm: number; estDistanceKm: number; rfpMs: number }

/** A query over all stores of a snapshot. */
export type Search = {
  stores: readonly Store[]
  destination: Position
  count: number
  times(store: Store): StoreTimes
}

export type Strategy = {
  /** Whether times are part of the order and of the answer. */
  byTime: boolean
  /** The strategy's own comparison; after it, always the exact distance, then the reference. */
  compare(a: Candidate, b: Candidate): number
  /** A subset of the stores that certainly includes the first `count`. */
  shortlist(search: Search): readonly Store[]
}

export const ALLOCATION_STRATEGIES: Readonly<Record<Brand['allocationStrategy'], Strategy>> = {
  distance_only: {
    byTime: false,
    compare: () => 0,
    shortlist: ({ stores, destination, count }) => nearestStores(stores, destination, count),
  },
  time_and_distance: {
    byTime: true,
    compare: (a, b) => a.estDistanceKm - b.estDistanceKm || byRfp(a, b),
    shortlist: ({ stores, destination, count }) => {
      if (count >= stores.length) return stores
      // `count` stores lie within `reachKm`. A store whose distance rounds to more whole kilometres ranks
      // after all of them; any other store is within the next half kilometre.
      const reachKm = nearestStores(stores, destination, count)
        .slice(0, count)
        .reduce((farthest, store) => Math.max(farthest, distanceKm(store, destination)), 0)
      return storesWithin(stores, destination, Math.round(reachKm) + 0.5)
    },
  },
  timeline_over_distance: {
    byTime: true,
    compare: byRfp,
    shortlist: ({ stores, destination, count, times }) => {
      const runs = runsOf(timelinesOf(stores), times)
      const shortlist: Store[] = []
      // A store of a later run ranks after all of an earlier run; within a run only distance decides.
      for (const run of runs) {
        const wanted = count - shortlist.length
        if (wanted <= 0) break
        for (const store of nearestOfTimelines(run, destination, wanted)) shortlist.push(store)
      }
      return shortlist
    },
  },
}

/** Groups timelines that are ready at the same moment, in the order of those moments. */
function runsOf(timelines: readonly Timeline[], times: Search['times']): Timeline[][] {
  const rfpMsOf = (timeline: Timeline) => times(timeline.stores[0]!).rfpMs ?? Number.POSITIVE_INFINITY
  return [...Map.groupBy(timelines, rfpMsOf)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, run]) => run)
}

/** Not a subtraction: two stores that are never ready are equal (Infinity - Infinity is NaN). */
function byRfp(a: Candidate, b: Candidate): number {
  return a.rfpMs === b.rfpMs ? 0 : a.rfpMs < b.rfpMs ? -1 : 1
}
