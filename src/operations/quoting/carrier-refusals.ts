import type { Decision } from '../../domain/quoting/decision.ts'
import type { BookingIntent } from '../../store/deliveries/booking-intents.ts'
import type { DeliveryRow } from '../../store/deliveries/delivery-rows.ts'

type Refusable = Pick<DeliveryRow, 'refusals_valid_from_attempt' | 'content_version'>

/** A refusal holds for what was offered, until a person asks for it to be tried again. */
export function listRefusingServices(
  { refusals_valid_from_attempt, content_version }: Refusable,
  intents: readonly BookingIntent[],
): ReadonlyMap<string, BookingIntent> {
  const holding = intents.filter(
    ({ state, attempt, contentVersion }) =>
      state === 'rejected' && attempt > refusals_valid_from_attempt && contentVersion === content_version,
  )
  return new Map(holding.map((intent) => [serviceKey(intent), intent]))
}

export function serviceKey({ provider, service }: { provider: string; service: string }): string {
  return `${provider}/${service}`
}

/** The decision as a booking goes by it: what has refused the delivery is not asked again, so it is no option. */
export function withoutRefused(
  decision: Decision,
  row: Refusable,
  intents: readonly BookingIntent[],
): Decision {
  const refused = listRefusingServices(row, intents)
  if (refused.size === 0) return decision
  const isOpen = ({ service }: Decision['options'][number]) => !refused.has(serviceKey(service))
  const exclusions = decision.options.flatMap(({ service }) => {
    const intent = refused.get(serviceKey(service))
    if (!intent) return []
    const message = intent.message === null ? '.' : `: ${intent.message}`
    return [{ service, rule: 'refused' as const, detail: `${service.carrierName} refused it${message}` }]
  })
  return {
    ...decision,
    options: decision.options.filter(isOpen),
    exclusions: [...exclusions, ...decision.exclusions],
  }
}
