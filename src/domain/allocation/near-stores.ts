import { around } from 'geokdbush'
import KDBush from 'kdbush'
import type { Store } from '../account/account.ts'
import { distanceKm, type Position } from '../geo/distance.ts'
import { boxesAround } from './boxes-around.ts'

/**
 * Nearest-neighbour search: returns stores that certainly include the `count` nearest, plus those that are
 * hardly farther. In order of distance, within a metre. `stores` must be the list of a snapshot: its index is
 * built once and lives as long as the list.
 */
export function nearestStores(stores: readonly Store[], at: Position, count: number): readonly Store[] {
  if (count >= stores.length) return stores
  const tree = treeOf(stores)
  for (let asked = count + 1; ; asked *= 2) {
    const found = around(tree, at.lng, at.lat, asked).map((index) => stores[index]!)
    if (found.length < asked) return found
    // A store that was not found is at least as far away as the last one found. Once that one is farther than
    // the count-th by more than the search's error, `count` stores are nearer than all that were not found.
    if (distanceKm(found.at(-1)!, at) > distanceKm(found[count - 1]!, at) + SLACK_KM) return found
  }
}

/** Stores that certainly include all within `km`. */
export function storesWithin(stores: readonly Store[], at: Position, km: number): Store[] {
  const tree = treeOf(stores)
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
function treeOf(stores: readonly Store[]): KDBush {
  const known = trees.get(stores)
  if (known) return known
  const tree = new KDBush(stores.length)
  for (const { lng, lat } of stores) tree.add(lng, lat)
  trees.set(stores, tree.finish())
  return tree
}
