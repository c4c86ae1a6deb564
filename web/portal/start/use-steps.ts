import { useQuery } from '@tanstack/react-query'
import { api } from '../../shared/api.ts'
import { usePortal } from '../portal.ts'
import type { CarrierJson } from '../settings/carriers/carrier-queries.ts'
import { isCarrierReady } from './is-carrier-ready.ts'

export const STEPS = ['store', 'carrier', 'delivery', 'label', 'shop'] as const
export type Step = (typeof STEPS)[number]
export type DoneSteps = Readonly<Record<Step, boolean>>

const REFRESH_MS = 15_000
/** Statuses of parcels that have left: they had a label, whoever printed it. */
const GONE: readonly string[] = ['collected', 'delivered', 'pending_return', 'returned']

/**
 * Which steps of a new account are done, as its data says; undefined until that is known. `isAsking`: the first answer
 * is on its way, and nothing has failed.
 */
export function useSteps(isWanted = true): { done: DoneSteps | undefined; isAsking: boolean } {
  const { tenantId, stores } = usePortal()
  const { data, isLoading, failureCount } = useQuery({
    queryKey: ['getting-started', tenantId],
    queryFn: () => readProgress(tenantId),
    enabled: isWanted,
    refetchInterval: REFRESH_MS,
    // Someone who comes back from a step sees its tick at once.
    refetchOnMount: 'always',
  })
  const done = data && {
    store: stores.length > 0,
    carrier: data.hasCarrier,
    delivery: data.hasDelivery,
    label: data.hasLabel,
    shop: data.isConnected,
  }
  return { done, isAsking: isLoading && failureCount === 0 }
}

async function readProgress(tenant_id: string) {
  const path = { tenant_id }
  const [{ carriers = [] }, catalogue, secrets, deliveries, label, clients, webhooks] = await Promise.all([
    api.GET('/admin/accounts/{tenant_id}', { params: { path } }) as Promise<{
      carriers?: readonly CarrierJson[]
    }>,
    api.GET('/admin/accounts/{tenant_id}/carrier-catalogue', { params: { path } }),
    api.GET('/admin/accounts/{tenant_id}/secrets', { params: { path } }),
    api.GET('/{tenant_id}/deliveries', { params: { path, query: { limit: 50 } } }),
    api.GET('/admin/accounts/{tenant_id}/first-label', { params: { path } }),
    api.GET('/admin/accounts/{tenant_id}/clients', { params: { path } }),
    api.GET('/{tenant_id}/webhook-endpoints', { params: { path } }),
  ])
  const stored = new Set(secrets.data.map(({ name }) => name))
  return {
    hasCarrier: carriers.some((carrier) => isCarrierReady(carrier, catalogue.data, stored)),
    hasDelivery: deliveries.data.length > 0,
    hasLabel:
      label.data.fetched_at !== undefined || deliveries.data.some(({ status }) => GONE.includes(status)),
    isConnected: clients.data.some((one) => one.last_used_at !== undefined) || webhooks.data.length > 0,
  }
}
