import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { QuoteRequest } from '../../shared/api.generated.ts'
import { api } from '../../shared/api.ts'
import { usePortal } from '../portal.ts'

const TYPING_MS = 300

/** The options for the form, fetched again when the clerk stops typing; the first option of each type is held. */
export function useOptions(quote: QuoteRequest | null) {
  const { tenantId } = usePortal()
  const settled = useSettled(quote === null ? null : JSON.stringify(quote))
  return useQuery({
    queryKey: ['options', tenantId, settled],
    enabled: settled !== null,
    retry: false,
    placeholderData: (before) => before,
    queryFn: async () => {
      const params = { path: { tenant_id: tenantId }, query: { explain: true, hold: true } }
      const body = JSON.parse(settled as string) as QuoteRequest
      const asked = api.POST('/{tenant_id}/deliveries/quote-next-available', { params, body })
      const { data, explanation } = await asked
      return { data, of: settled, ...(explanation && { explanation }) }
    },
  })
}

function useSettled(value: string | null): string | null {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
