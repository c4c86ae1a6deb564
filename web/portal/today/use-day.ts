import { useQuery } from '@tanstack/react-query'
import type { Delivery } from '../../shared/api.generated.ts'
import { api } from '../../shared/api.ts'
import { usePortal } from '../portal.ts'

const PAGE = 200

/** All deliveries of the selected store for a day; the live updates keep them current. */
export function useDay(day: string) {
  const { tenantId, store } = usePortal()
  return useQuery({
    queryKey: ['day', tenantId, store.reference, day],
    queryFn: () => allOf(tenantId, store.reference, day),
    // The old rows stay until those of the same store's next day arrive.
    placeholderData: (before, query) => (query?.queryKey[2] === store.reference ? before : undefined),
  })
}

async function allOf(tenantId: string, store: string, day: string): Promise<Delivery[]> {
  const all: Delivery[] = []
  for (let after: string | undefined; ; ) {
    const query = { store_reference: store, on_day: day, limit: PAGE, ...(after && { after }) }
    const { data, pagination } = await api.GET('/{tenant_id}/deliveries', {
      params: { path: { tenant_id: tenantId }, query },
    })
    all.push(...data)
    if (pagination.next === null) return all
    after = pagination.next
  }
}
