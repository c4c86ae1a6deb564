import type { Account } from '../../domain/account/account.ts'
import type { CarrierRate, RateResponses } from '../../domain/quoting/carrier-rate.ts'
import { decide } from '../../domain/quoting/decide.ts'
import type { Option } from '../../domain/quoting/decision.ts'
import { heldOptions } from '../../domain/quoting/quote-token.ts'
import type { Alternative } from '../../store/deliveries/booking-intents.ts'
import { type DeliveryRow, toDelivery } from '../../store/deliveries/delivery-rows.ts'
import { toIntendedOption } from '../bookings/book-delivery.ts'
import { holdOn } from '../bookings/hold-of-delivery.ts'
import { serviceKey } from '../quoting/decide-now.ts'
import { toJob } from '../quoting/to-job.ts'

/** `option`: as decided, for the request to its carrier. */
export type ListedAlternative = { alternative: Alternative; option: Option }

/**
 * The services that could have been booked for a delivery after a restored moment, as decided at these moments of
 * account time: a cut-off between them excludes a service at one of them only. The option of a quote token comes first,
 * at the promised price and in the promised window. Carriers with prices of their own are not asked.
 */
export function listAlternatives(
  account: Account,
  row: DeliveryRow,
  momentsMs: readonly number[],
): ListedAlternative[] {
  const job = { ...toJob(account, toDelivery(row)), rateResponses: toUnknownPrices(account) }
  const decisions = momentsMs.map((atMs) => decide(account, job, atMs))
  const hold = holdOn(row)
  const held = hold ? decisions.flatMap((decision) => heldOptions(decision, hold, Date.now())) : []
  const byService = new Map<string, Option>()
  for (const option of [...held, ...decisions.flatMap(({ options }) => options)]) {
    const key = serviceKey(option.service)
    if (!byService.has(key)) byService.set(key, option)
  }
  return [...byService.values()].map((option) => ({
    option,
    alternative: toAlternative(account, row, option),
  }))
}

/** The customer's price is the one that the delivery shows at the moment, if it shows one of this service. */
function toAlternative(
  account: Account,
  { chosen, account_version }: DeliveryRow,
  option: Option,
): Alternative {
  const { provider, service, type } = option.service
  const intended = toIntendedOption(option, account_version)
  const shared = { provider, service }
  if (!option.quote)
    return { ...shared, option: intended, chargeCents: option.carrierCents, markupPercent: null }
  if (chosen?.provider === provider && chosen.service === service) {
    const { priceCents, lines, quote = null } = chosen
    const shown = { ...intended, priceCents, lines, quote }
    return { ...shared, option: shown, chargeCents: quote?.priceCents ?? null, markupPercent: null }
  }
  const isFixed = account.pricing.fixedCents[type] !== undefined
  const markupPercent = isFixed ? null : account.pricing.markupPercent
  return { ...shared, option: { ...intended, quote: null }, chargeCents: null, markupPercent }
}

/** A price of zero for each service that has its carrier's own: the booking that is found has the real one. */
function toUnknownPrices({ services }: Account): RateResponses {
  const live = Map.groupBy(
    services.filter(({ livePrice }) => livePrice),
    ({ provider }) => provider,
  )
  const unknown = { priceCents: 0, lines: [], quoteId: null, expiresAtMs: 0, window: null }
  const toRate = (carrierCode: string): CarrierRate => ({ carrierCode, ...unknown })
  return new Map(
    [...live].map(([provider, own]) => {
      const byCode = new Map(own.map(({ carrierCode }) => [carrierCode, toRate(carrierCode)]))
      return [provider, { kind: 'rates' as const, byCode }]
    }),
  )
}
