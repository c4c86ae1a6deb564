import type { QuoteAnswer, QuoteRequest } from '../../shared/api.generated.ts'
import { type Eligible, optionsOf, type Service } from '../delivery/decision-texts.ts'
import type { Draft } from './draft.ts'

/** The options in the panel, and the request that they belong to. */
type Shown = Pick<QuoteAnswer, 'data' | 'explanation'> & { of: string | null }

type Choice = Pick<Draft, 'deliveryType' | 'service'>

/**
 * The `quote_id` of the selected option, so that the clerk books what they see; null while the panel still shows an
 * earlier state of the form, and for a service that is not the first of its type: only the first is held.
 */
export function quoteIdOf(
  shown: Shown | undefined,
  quote: QuoteRequest | null,
  choice: Choice,
): string | null {
  if (choice.service || !shown || quote === null || shown.of !== JSON.stringify(quote)) return null
  const type = findChosenOption(shown.explanation?.services ?? [], choice)?.delivery_type
  const option = Object.entries(shown.data).find(([name]) => name === type)?.[1]
  return option?.quote_id ?? null
}

/** The service of each delivery type that is booked if a request names only the type, in booking order. */
export function listFirstOfTypes(services: readonly Service[]): Eligible[] {
  const options = optionsOf(services)
  return options.filter(
    (option) => options.find(({ delivery_type }) => delivery_type === option.delivery_type) === option,
  )
}

/** What a request names to get this service: its delivery type, and the service itself if another one is first. */
export function toChoice(option: Eligible, services: readonly Service[]): Choice {
  const { delivery_type, provider, service } = option
  const isFirst = listFirstOfTypes(services).includes(option)
  return { deliveryType: delivery_type, service: isFirst ? null : { provider, service } }
}

/** The service that is booked first for a choice; undefined if none can take the delivery. */
export function findChosenOption(
  services: readonly Service[],
  { deliveryType, service }: Choice,
): Eligible | undefined {
  if (service)
    return optionsOf(services).find(
      (one) => one.provider === service.provider && one.service === service.service,
    )
  const firsts = listFirstOfTypes(services)
  return deliveryType === null ? firsts[0] : firsts.find((one) => one.delivery_type === deliveryType)
}

/** Whether the account may name a service in `provider_options`: only then does a quote name its carriers. */
export function namesCarriers(data: QuoteAnswer['data'] | undefined): boolean {
  return Object.values(data ?? {}).some((option) => option?.provider !== undefined)
}
