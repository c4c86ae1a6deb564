import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { MANIFEST_STATUSES } from '../../../src/domain/delivery/delivery.ts'
import { STATUSES } from '../../../src/domain/delivery/status.ts'
import { TIMELINESS } from '../../../src/domain/insights/figures.ts'
import type { Delivery } from '../../shared/api.generated.ts'
import { api } from '../../shared/api.ts'
import type { DeliveriesSearch } from '../routes.tsx'

const PAGE = 200
export const EVERYWHERE = 'everywhere'

export type Filter = ReturnType<typeof filterOf>

/** The query from the address of the page; unknown values are left out. */
export function filterOf(search: DeliveriesSearch, chosen: string) {
  const { q, status, manifest, store, ended_from, ended_to, timeliness, carrier, service } = search
  const where = store ?? chosen
  return {
    ...(where !== EVERYWHERE && { store_reference: where }),
    ...(q && { q }),
    ...(isOne(STATUSES, status) && { status }),
    ...(isOne(MANIFEST_STATUSES, manifest) && { manifest_status: manifest }),
    ...(isDate(ended_from) && { ended_from }),
    ...(isDate(ended_to) && { ended_to }),
    ...(isOne(TIMELINESS, timeliness) && { timeliness }),
    ...(carrier && { provider: carrier }),
    ...(service && { service }),
  }
}

/** Deliveries of all days, newest first; older ones are loaded near the end of the list. */
export function useDeliveries(tenantId: string, filter: Filter) {
  const { data, ...query } = useInfiniteQuery({
    queryKey: ['deliveries', tenantId, filter],
    initialPageParam: '',
    queryFn: ({ pageParam }) => lazyPage(tenantId, filter, pageParam),
    getNextPageParam: ({ pagination }) => pagination.next,
    // Only the first page is loaded again: `LiveUpdates` keeps the rest of the screen current.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const all = useMemo(() => data?.pages.flatMap((page) => page.data), [data])
  return { ...query, all }
}

/** All deliveries that the filter finds, page after page, up to `max`. */
export async function readAll(
  tenantId: string,
  filter: Filter,
  max: number,
): Promise<{ deliveries: Delivery[]; isCut: boolean }> {
  const all: Delivery[] = []
  let after: string | null = ''
  while (after !== null && all.length < max) {
    const { data, pagination } = await lazyPage(tenantId, filter, after)
    all.push(...data)
    after = pagination.next
  }
  return { deliveries: all.slice(0, max), isCut: after !== null || all.length > max }
}

function lazyPage(tenantId: string, filter: Filter, after: string) {
  const query = { ...filter, limit: PAGE, ...(after && { after }) }
  return api.GET('/{tenant_id}/deliveries', { params: { path: { tenant_id: tenantId }, query } })
}

function isDate(value: string | undefined): value is string {
  return value !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(value)
}

function isOne<T extends string>(all: readonly T[], value: string | undefined): value is T {
  return value !== undefined && (all as readonly string[]).includes(value)
}
