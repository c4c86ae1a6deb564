import { around } from 'geokdbush'
import KDBush from 'kdbush'
import type { Brand, Store } from '../account/account.ts'
import { distanceKm, EARTH_RADIUS_KM, type Position } from '../geo/distance.ts'
import type { StoreTimes } from './store-times.ts'
import { nearestOfTimelines, type Timeline, toTimelines } from './timelines.ts'

/** Degrees. */
type Box = { minLng: number; minLat: number; maxLng: number; maxLat: number }

/**
 * Bounding boxes that together contain every point within `km`: two when the circle crosses the date line.
 * The meridians that touch a circle of angle r around latitude φ lie asin(sin r / cos φ) to its sides. A
 * circle that reaches a pole touches no meridian, so its box spans all longitudes.
 */
function boxesAround({ lat, lng }: Position, km: number): Box[] {
  const angle = km / EARTH_RADIUS_KM
  const minLat = lat - angle / RADIANS
  const maxLat = lat + angle / RADIANS
  if (minLat <= -90 || maxLat >= 90) return [{ minLng: -180, minLat, maxLng: 180, maxLat }]
  const side = Math.asin(Math.min(1, Math.sin(angle) / Math.cos(lat * RADIANS))) / RADIANS
  const [minLng, maxLng] = [lng - side, lng + side]
  if (minLng <= -180) return split({ minLng: minLng + 360, minLat, maxLng, maxLat })
  if (maxLng >= 180) return split({ minLng, minLat, maxLng: maxLng - 360, maxLat })
  return [{ minLng, minLat, maxLng, maxLat }]
}

/** Splits a box at the date line when its west edge is east of its east edge. */
function split({ minLng, minLat, maxLng, maxLat }: Box): Box[] {
  return [
    { minLng, minLat, maxLng: 180, maxLat },
    { minLng: -180, minLat, maxLng, maxLat },
  ]
}

const RADIANS = Math.PI / 180

/**
 * Nearest-neighbour search: returns stores that certainly include the `count` nearest, plus those that are
 * hardly farther. In order of distance, within a metre. `stores` must be the list of a snapshot: its index is
 * built once and lives as long as the list.
 */
function nearestStores(stores: readonly Store[], at: Position, count: number): readonly Store[] {
  if (count >= stores.length) return stores
  const tree = buildTree(stores)
  for (let candidates = count + 1; ; candidates *= 2) {
    const found = around(tree, at.lng, at.lat, candidates).map((index) => stores[index]!)
    if (found.length < candidates) return found
    // A store that was not found is at least as far away as the last one found. Once that one is farther than
    // the count-th by more than the search's error, `count` stores are nearer than all that were not found.
    if (distanceKm(found.at(-1)!, at) > distanceKm(found[count - 1]!, at) + SLACK_KM) return found
  }
}

/** Stores that certainly include all within `km`. */
function storesWithin(stores: readonly Store[], at: Position, km: number): Store[] {
  const tree = buildTree(stores)
  return boxesAround(at, km + SLACK_KM).flatMap(({ minLng, minLat, maxLng, maxLat }) =>
    tree.range(minLng, minLat, maxLng, maxLat).map((index) => stores[index]!),
  )
}

/**
 * The search's distances differ from ours by rounding: some 10 nm on this side of the Earth, half a metre at
 * its far end, where the sine is flat.
 */
const SLACK_KM = 0.001

const trees = new WeakMap<readonly Store[], KDBush>()

/** Builds the index: 30 ms and 2 MB for 100,000 stores. */
function buildTree(stores: readonly Store[]): KDBush {
  const known = trees.get(stores)
  if (known) return known
  const tree = new KDBush(stores.length)
  for (const { lng, lat } of stores) tree.add(lng, lat)
  trees.set(stores, tree.finish())
  return tree
}

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
      const runs = toRuns(toTimelines(stores), times)
      const shortlist: Store[] = []
      // A store of a later run ranks after all of an earlier run; within a run only distance decides.
      for (const run of runs) {
        const missing = count - shortlist.length
        if (missing <= 0) break
        for (const store of nearestOfTimelines(run, destination, missing)) shortlist.push(store)
      }
      return shortlist
    },
  },
}

/** Groups timelines that are ready at the same moment, in the order of those moments. */
function toRuns(timelines: readonly Timeline[], times: Search['times']): Timeline[][] {
  const getRfpMs = (timeline: Timeline) => times(timeline.stores[0]!).rfpMs ?? Number.POSITIVE_INFINITY
  return [...Map.groupBy(timelines, getRfpMs)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, run]) => run)
}

/** Not a subtraction: two stores that are never ready are equal (Infinity - Infinity is NaN). */
function byRfp(a: Candidate, b: Candidate): number {
  return a.rfpMs === b.rfpMs ? 0 : a.rfpMs < b.rfpMs ? -1 : 1
}
