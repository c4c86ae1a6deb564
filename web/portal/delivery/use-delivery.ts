import { useQuery } from '@tanstack/react-query'
import { api } from '../../shared/api.ts'
import { usePortal } from '../portal.ts'

const ONE = '/{tenant_id}/deliveries/{delivery_id_or_reference}'

/** One delivery, as a query. */
export function deliveryItself(tenantId: string, deliveryId: string) {
  const params = { path: { tenant_id: tenantId, delivery_id_or_reference: deliveryId } }
  return {
    queryKey: ['delivery', tenantId, deliveryId, 'itself'],
    queryFn: async () => (await api.GET(ONE, { params })).data,
  }
}

/** The decision and its attempts, as a query. */
export function decisionOf(tenantId: string, deliveryId: string) {
  const params = { path: { tenant_id: tenantId, delivery_id_or_reference: deliveryId } }
  return {
    queryKey: ['delivery', tenantId, deliveryId, 'decision'],
    queryFn: async () => (await api.GET(`${ONE}/decision`, { params })).data,
  }
}

/**
 * The options at this moment; `elsewhere`: alternatives to the current carrier. Carriers with live rates are called.
 */
export async function askOptions(tenantId: string, deliveryId: string, elsewhere: boolean) {
  const path = { tenant_id: tenantId, delivery_id_or_reference: deliveryId }
  return (
    await api.GET(`${ONE}/options`, { params: { path, query: { exclude_current_carrier: elsewhere } } })
  ).data
}

/** The delivery with its decision and its history; an update of it makes all of them stale. */
export function useDelivery(deliveryId: string) {
  const { tenantId } = usePortal()
  const key = ['delivery', tenantId, deliveryId]
  const params = { path: { tenant_id: tenantId, delivery_id_or_reference: deliveryId } }
  const events = useQuery({
    queryKey: [...key, 'events'],
    queryFn: async () => (await api.GET(`${ONE}/events`, { params })).data,
  })
  return {
    delivery: useQuery(deliveryItself(tenantId, deliveryId)),
    decision: useQuery(decisionOf(tenantId, deliveryId)),
    events,
    updates: useQuery({
      queryKey: [...key, 'news'],
      enabled: events.data?.some(({ source }) => source === 'carrier') ?? false,
      queryFn: async () => (await api.GET(`${ONE}/carrier-events`, { params })).data,
    }),
    messages: useQuery({
      queryKey: [...key, 'messages'],
      queryFn: async () => {
        const query = { delivery_id: deliveryId, limit: 50 }
        const path = { tenant_id: tenantId }
        return (await api.GET('/{tenant_id}/messages', { params: { path, query } })).data
      },
    }),
  }
}
