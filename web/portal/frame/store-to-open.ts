import type { Delivery, Store } from '../../shared/api.generated.ts'
import { classify, type Group } from '../today/classify.ts'

/** The weight of each group: one delivery that needs attention outweighs any number of others. */
const RANKS: readonly Group[] = ['needs', 'hand_over', 'waiting', 'road']

/** The store with the most urgent work, for a browser without a choice yet; null if none has work. */
export function storeToOpen(
  stores: readonly Store[],
  deliveries: readonly Delivery[],
  nowMs: number,
): Store | null {
  const counts = stores.map((store) => {
    const own = deliveries.filter(({ store_id }) => store_id === store.id)
    const groups = own.map((delivery) => classify(delivery, store.services, nowMs).group)
    return { store, work: RANKS.map((rank) => groups.filter((group) => group === rank).length) }
  })
  const [first] = counts.toSorted((one, other) => compareWork(other.work, one.work))
  return first?.work.some((count) => count > 0) ? first.store : null
}

function compareWork(one: readonly number[], other: readonly number[]): number {
  const index = one.findIndex((count, at) => count !== other[at])
  return index === -1 ? 0 : (one[index] ?? 0) - (other[index] ?? 0)
}
