import { useQuery } from '@tanstack/react-query'
import type { Delivery } from '../../shared/api.generated.ts'
import { api } from '../../shared/api.ts'
import { usePortal } from '../portal.ts'

/** All deliveries of the store without a manifest, booked or still to be. */
export function useToManifest() {
  const { tenantId, store } = usePortal()
  return useQuery({
    queryKey: ['to-manifest', tenantId, store.reference],
    queryFn: async () => {
      const lists = await Promise.all(
        (['pending', 'ready'] as const).map((one) => allOf(tenantId, store.reference, one)),
      )
      return lists.flat()
    },
  })
}

async function allOf(tenantId: string, store: string, status: 'pending' | 'ready'): Promise<Delivery[]> {
  const all: Delivery[] = []
  for (let after: string | undefined; ; ) {
    const query = { store_reference: store, manifest_status: status, limit: 200, ...(after && { after }) }
    const { data, pagination } = await api.GET('/{tenant_id}/deliveries', {
      params: { path: { tenant_id: tenantId }, query },
    })
    all.push(...data)
    if (pagination.next === null) return all
    after = pagination.next
  }
}
