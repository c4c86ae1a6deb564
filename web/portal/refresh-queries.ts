import { type InfiniteData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Delivery, DeliveryListAnswer, Event } from '../shared/api.generated.ts'
import { deliveryItself } from './delivery/use-delivery.ts'

/** Up to this many deliveries are loaded one by one; for more, the lists that are shown are loaded again. */
const MAX_ONE_BY_ONE = 20
/** After one of these events a delivery may move within a list, or leave it. */
const MOVES = new Set(['delivery.created', 'delivery.requested', 'delivery.amended'])

/**
 * Loads the deliveries of the events again, and nothing more: a day of thousands is not loaded again for one of
 * them.
 */
export async function tell(queries: QueryClient, tenantId: string, events: readonly Event[]): Promise<void> {
  const stale = (...key: string[]) =>
    queries.invalidateQueries({ queryKey: [key[0], tenantId, ...key.slice(1)] })
  const kinds = new Set(events.map(({ type }) => type.split('.')[0]))
  if (kinds.has('manifest')) void stale('manifests')
  for (const id of new Set(events.flatMap(({ data }) => data.manifest_id ?? []))) void stale('manifest', id)
  if (events.some(({ type }) => type === 'manifest.submitted')) {
    // Its deliveries have no events of their own.
    void stale('to-manifest')
    void stale('day')
  }
  if (kinds.has('link')) void stale('links')
  const stores = new Set(events.flatMap(({ data }) => data.store_reference ?? []))
  for (const store of stores) void stale('to-manifest', store)
  const created = events.filter(({ type }) => type === 'delivery.created')
  if (created.length > 0) {
    const references = created.flatMap(({ data }) => data.store_reference ?? [])
    queries.setQueryData<readonly string[]>(newerKey(tenantId), (before) => [
      ...new Set([...(before ?? []), ...references]),
    ])
  }

  const ids = [...new Set(events.flatMap(({ data }) => data.delivery_id ?? []))]
  for (const id of ids) void stale('delivery', id)
  const each = ids.length <= MAX_ONE_BY_ONE
  const fresh = each ? await Promise.all(ids.map((id) => read(queries, tenantId, id))) : []
  const byId = new Map(fresh.flatMap((one) => (one ? [[one.id, one] as const] : [])))
  queries.setQueriesData<InfiniteData<DeliveryListAnswer>>(
    { queryKey: ['deliveries', tenantId] },
    (list) =>
      list && { ...list, pages: list.pages.map((page) => ({ ...page, data: renewed(page.data, byId) })) },
  )
  if (!each) void stale('deliveries')
  for (const store of stores) {
    const theirs = events.filter(({ data }) => data.store_reference === store)
    const days = { queryKey: ['day', tenantId, store] }
    queries.setQueriesData<Delivery[]>(days, (list) => list && renewed(list, byId))
    const lists = queries.getQueriesData<Delivery[]>(days)
    const known = (id: string) => lists.every(([, list]) => list?.some((one) => one.id === id) ?? true)
    const isMove = ({ type, data }: Event) =>
      !each || MOVES.has(type) || data.delivery_id === undefined || !known(data.delivery_id)
    if (theirs.some(isMove)) void queries.invalidateQueries(days)
  }
}

/**
 * Whether there are new deliveries of the store, or of any store without one, that the list of all days does not show;
 * and a function that shows them.
 */
export function useNewer(tenantId: string, storeReference: string | undefined) {
  const queries = useQueryClient()
  const queryKey = newerKey(tenantId)
  const { data = [] } = useQuery({
    queryKey,
    queryFn: (): readonly string[] => [],
    staleTime: Number.POSITIVE_INFINITY,
  })
  const show = () => {
    queries.setQueryData(queryKey, [])
    return queries.resetQueries({ queryKey: ['deliveries', tenantId] })
  }
  const there = storeReference === undefined ? data.length > 0 : data.includes(storeReference)
  return { there, show }
}

const newerKey = (tenantId: string) => ['newer', tenantId]

/** The current delivery; null if it cannot be read: then the list stays unchanged. */
function read(queries: QueryClient, tenantId: string, id: string): Promise<Delivery | null> {
  return queries.fetchQuery({ ...deliveryItself(tenantId, id), staleTime: 0 }).catch(() => null)
}

function renewed(list: Delivery[], byId: ReadonlyMap<string, Delivery>): Delivery[] {
  return list.some(({ id }) => byId.has(id)) ? list.map((one) => byId.get(one.id) ?? one) : list
}
