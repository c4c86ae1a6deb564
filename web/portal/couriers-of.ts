import { useQuery } from '@tanstack/react-query'
import type { StaffCourierProfile } from '../shared/api.generated.ts'
import { api } from '../shared/api.ts'
import { usePortal } from './portal.ts'

/** Every staff courier of the account, loaded page by page. */
export function useCouriers() {
  const { tenantId } = usePortal()
  return useQuery({ queryKey: ['couriers', tenantId], queryFn: () => allOf(tenantId) })
}

async function allOf(tenantId: string): Promise<StaffCourierProfile[]> {
  const all: StaffCourierProfile[] = []
  for (let page = 1; ; page++) {
    const { data, pagination } = await api.GET('/{tenant_id}/staff-couriers', {
      params: { path: { tenant_id: tenantId }, query: { page } },
    })
    all.push(...data)
    if (page >= pagination.total_pages) return all
  }
}
