import { useQuery } from '@tanstack/react-query'
import { answerOf, api } from '../../shared/api.ts'
import { usePortal } from '../portal.ts'

/** The delivery with its record of why and what happened; all of it stale at once when there is news of it. */
export function useDelivery(deliveryId: string) {
  const { tenantId } = usePortal()
  const key = ['delivery', tenantId, deliveryId]
  const params = { path: { tenant_id: tenantId, delivery_id_or_reference: deliveryId } }
  const of = '/{tenant_id}/deliveries/{delivery_id_or_reference}' as const
  return {
    delivery: useQuery({
      queryKey: [...key, 'itself'],
      queryFn: async () => (await answerOf(api.GET(of, { params }))).data,
    }),
    decision: useQuery({
      queryKey: [...key, 'decision'],
      queryFn: async () => (await answerOf(api.GET(`${of}/decision`, { params }))).data,
    }),
    events: useQuery({
      queryKey: [...key, 'events'],
      queryFn: async () => (await answerOf(api.GET(`${of}/events`, { params }))).data,
    }),
    messages: useQuery({
      queryKey: [...key, 'messages'],
      queryFn: async () => {
        const query = { delivery_id: deliveryId, limit: 50 }
        const path = { tenant_id: tenantId }
        return (await answerOf(api.GET('/{tenant_id}/messages', { params: { path, query } }))).data
      },
    }),
  }
}
