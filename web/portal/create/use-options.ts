import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { QuoteAnswer, QuoteRequest } from '../../shared/api.generated.ts'
import { answerOf, api } from '../../shared/api.ts'
import { eligibleOf } from '../delivery/why-words.ts'
import { usePortal } from '../portal.ts'

const TYPING_MS = 300

/** What could carry it, asked anew whenever one stops typing; each type's first option is held for the form. */
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
      const { data, explanation } = await answerOf(asked)
      return { explanation, held: heldOf(data), of: settled }
    },
  })
}

type Quotes = QuoteAnswer['data']

function heldOf(quotes: Quotes): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(quotes).map(([type, quote]) => [type, quote?.quote_id]))
}

/**
 * The token of the option that stands as taken, so that what is seen is what is booked; null while what is shown is of
 * an earlier state of the form.
 */
export function quoteIdOf(
  shown: Pick<NonNullable<ReturnType<typeof useOptions>['data']>, 'explanation' | 'held' | 'of'> | undefined,
  quote: QuoteRequest | null,
  chosen: string | null,
): string | null {
  if (!shown || quote === null || shown.of !== JSON.stringify(quote)) return null
  const type = chosen ?? eligibleOf(shown.explanation?.services ?? [])[0]?.delivery_type
  return (type && shown.held[type]) ?? null
}

function useSettled(value: string | null): string | null {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
