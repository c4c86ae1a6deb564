import type { DeliveryCostsAnswer } from '../../../shared/api.generated.ts'
import { api } from '../../../shared/api.ts'

export type DeliveryCost = DeliveryCostsAnswer['data'][number]

/** The period and store of the page; `in_total` false: only cancelled and lost deliveries. */
export type CostScope = { from: string; to: string; store_reference?: string; in_total?: boolean }

const PAGE = 1_000

/** Every delivery of the period with its costs, page after page. */
export async function readCosts(tenantId: string, scope: CostScope): Promise<DeliveryCost[]> {
  const all: DeliveryCost[] = []
  for (let after: string | null = ''; after !== null; ) {
    const query = { ...scope, limit: PAGE, ...(after && { after }) }
    const page: DeliveryCostsAnswer = await api.GET('/{tenant_id}/insights/deliveries', {
      params: { path: { tenant_id: tenantId }, query },
    })
    all.push(...page.data)
    after = page.pagination.next
  }
  return all
}
