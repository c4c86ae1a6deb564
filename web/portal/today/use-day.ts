import { useQuery } from '@tanstack/react-query'
import type { Delivery } from '../../shared/api.generated.ts'
import { answerOf, api } from '../../shared/api.ts'
import { usePortal } from '../portal.ts'

const PAGE = 200

/** Everything that the chosen store has to do with on a day; kept fresh by the live news. */
export function useDay(day: string) {
  const { tenantId, store } = usePortal()
  return useQuery({
    queryKey: ['day', tenantId, store.reference, day],
    queryFn: () => allOf(tenantId, store.reference, day),
    // What is there stays while the same store's next day comes.
    placeholderData: (before, query) => (query?.queryKey[2] === store.reference ? before : undefined),
  })
}

async function allOf(tenantId: string, store: string, day: string): Promise<Delivery[]> {
  const all: Delivery[] = []
  for (let after: string | undefined; ; ) {
    const query = { store_reference: store, on_day: day, limit: PAGE, ...(after && { after }) }
    const { data, pagination } = await answerOf(
      api.GET('/{tenant_id}/deliveries', { params: { path: { tenant_id: tenantId }, query } }),
    )
    all.push(...data)
    if (pagination.next === null) return all
    after = pagination.next
  }
}
