import { useQuery } from '@tanstack/react-query'
import { usePortal } from '../portal.ts'
import { optionsOf } from './decision-texts.ts'
import { askOptions } from './use-delivery.ts'

/** Alternatives at their current prices: fetched each time, and only on request. */
export function useAlternatives(deliveryId: string, wanted: boolean) {
  const { tenantId } = usePortal()
  const { data, error } = useQuery({
    queryKey: ['elsewhere', tenantId, deliveryId],
    enabled: wanted,
    gcTime: 0,
    retry: false,
    queryFn: () => askOptions(tenantId, deliveryId, true),
  })
  return { data, error, nobody: data !== undefined && optionsOf(data.explanation.services).length === 0 }
}
