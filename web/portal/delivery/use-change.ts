import { useMutation, useQueryClient } from '@tanstack/react-query'
import { usePortal } from '../portal.ts'

/** Something done to one delivery: what is shown of it is asked for again, whatever came of it. */
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
