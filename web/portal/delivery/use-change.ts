import { useMutation, useQueryClient } from '@tanstack/react-query'
import { usePortal } from '../portal.ts'

/** A change of one delivery: its queries are loaded again, whatever the result. */
export function useChange<Input>(
  deliveryId: string,
  work: (input: Input) => Promise<unknown>,
  done: () => void,
) {
  const { tenantId } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: work,
    onSuccess: done,
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: ['delivery', tenantId, deliveryId] })
      await queries.invalidateQueries({ queryKey: ['day', tenantId] })
    },
  })
}
