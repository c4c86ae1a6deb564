import type { QuoteAnswer, QuoteRequest } from '../../shared/api.generated.ts'
import { type Eligible, optionsOf, type Service } from '../delivery/decision-texts.ts'

/** The options in the panel, and the request that they belong to. */
type Shown = Pick<QuoteAnswer, 'data' | 'explanation'> & { of: string | null }

/**
 * The `quote_id` of the selected option, so that the clerk books what they see; null while the panel still shows an
 * earlier state of the form. `chosen`: a delivery type; null: the service that would be booked first.
 */
export function quoteIdOf(
  shown: Shown | undefined,
  quote: QuoteRequest | null,
  chosen: string | null,
): string | null {
  if (!shown || quote === null || shown.of !== JSON.stringify(quote)) return null
  const type = chosen ?? optionsOf(shown.explanation?.services ?? [])[0]?.delivery_type
  const option = Object.entries(shown.data).find(([name]) => name === type)?.[1]
  return option?.quote_id ?? null
}

/**
 * The services that a clerk can choose, in booking order. A request has only a delivery type, and the first service of
 * the type is booked.
 */
export function choosableOf(services: readonly Service[]): Eligible[] {
  const options = optionsOf(services)
  return options.filter(
    (option) => options.find(({ delivery_type }) => delivery_type === option.delivery_type) === option,
  )
}
