import type { QuoteAnswer, QuoteRequest } from '../../shared/api.generated.ts'
import { eligibleOf } from '../delivery/decision-texts.ts'

/** The options in the panel, and the request that they belong to. */
type Shown = Pick<QuoteAnswer, 'data' | 'explanation'> & { of: string | null }

/**
 * The `quote_id` of the selected option, so that the clerk books what they see; null while the panel still shows an
 * earlier state of the form. `chosen`: a delivery type; null: the cheapest.
 */
export function quoteIdOf(
  shown: Shown | undefined,
  quote: QuoteRequest | null,
  chosen: string | null,
): string | null {
  if (!shown || quote === null || shown.of !== JSON.stringify(quote)) return null
  const type = chosen ?? eligibleOf(shown.explanation?.services ?? [])[0]?.delivery_type
  const option = Object.entries(shown.data).find(([name]) => name === type)?.[1]
  return option?.quote_id ?? null
}
