import { useQuery } from '@tanstack/react-query'
import { usePortal } from '../portal.ts'
import { askOptions } from './use-delivery.ts'
import { optionsOf } from './why-words.ts'

/** Who else could carry it, by their word of now: asked anew each time, and never while it is not wanted. */
export function useElsewhere(deliveryId: string, wanted: boolean) {
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
