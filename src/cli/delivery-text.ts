import { formatDollars } from '../domain/text/format-dollars.ts'
import { instantWords, type WindowPlace, windowWords } from './format.ts'
import { table } from './table.ts'

/** The fields of a delivery that people see. */
export type DeliveryShown = {
  id: string
  reference: string
  store_reference: string
  status: string
  sub_status?: string
  status_reason?: string
  delivery_type: string
  carrier_provider?: string
  service_code?: string
  consignment_number?: string
  ready_for_pickup_at: string
  from_datetime?: string
  to_datetime?: string
  service_quote?: { price_cents: number }
  delivery_mode?: string
  address: { address: string; city: string; state: string; post_code: string }
}

/** The place of the delivery window, for its time zone. */
export function windowPlace({ delivery_mode: mode, address }: Partial<DeliveryShown>): WindowPlace {
  return { mode, state: address?.state, postCode: address?.post_code }
}

export type ServiceShown = { provider: string; service: string; delivery_type: string } & (
  | {
      eligible: true
      price_cents: number
      lines: { name: string; cents: number; detail?: string }[]
      from_datetime: string
      to_datetime: string
    }
  | { eligible: false; rule: string; detail: string }
)

export type DecisionShown = {
  explanation: { services: ServiceShown[]; warnings: string[] } | null
  attempts: {
    attempt: number
    provider: string
    service: string
    state: string
    message: string | null
    at: string
  }[]
}

export function deliveryText(delivery: DeliveryShown): string {
  const { address, service_quote, sub_status } = delivery
  const lines: [string, string | undefined][] = [
    ['Delivery', `${delivery.reference} (${delivery.id})`],
    ['Status', sub_status ? `${delivery.status} (${sub_status})` : delivery.status],
    ['Because', delivery.status_reason],
    ['From', delivery.store_reference],
    ['To', `${address.address}, ${address.city} ${address.state} ${address.post_code}`],
    ['Type', delivery.delivery_type],
    ['Ready', instantWords(delivery.ready_for_pickup_at)],
    ['Arrives', windowWords(delivery.from_datetime, delivery.to_datetime, windowPlace(delivery))],
    ['Price', service_quote && formatDollars(service_quote.price_cents)],
    ['Carrier', [delivery.carrier_provider, delivery.service_code].filter(Boolean).join(' ')],
    ['Consignment', delivery.consignment_number],
  ]
  return lines.flatMap(([name, value]) => (value ? `${name.padEnd(12)} ${value}` : [])).join('\n')
}

/**
 * Each service that was considered, with its price by line or the rule that excludes it; then the booking
 * attempts.
 */
export function decisionText({ explanation, attempts }: DecisionShown, place: WindowPlace): string {
  const weighed = explanation
    ? servicesText(explanation, place)
    : 'No service was considered: the account books no carrier for it.'
  if (attempts.length === 0) return `${weighed}\n\nNo carrier has been tried yet.`
  const rows = attempts.map(({ attempt, provider, service, state, message, at }) => [
    `${attempt}`,
    instantWords(at),
    `${provider} ${service}`,
    state,
    message ?? '',
  ])
  return `${weighed}\n\n${table(['Attempt', 'At (UTC)', 'Service', 'Outcome', 'Message'], rows)}`
}

export function servicesText(
  { services, warnings }: { services: readonly ServiceShown[]; warnings: readonly string[] },
  place: WindowPlace,
): string {
  const rows = services.map((one) => [
    `${one.provider} ${one.service}`,
    one.delivery_type,
    one.eligible ? formatDollars(one.price_cents) : '',
    one.eligible ? windowWords(one.from_datetime, one.to_datetime, place) : '',
    one.eligible
      ? one.lines.map(({ name, cents }) => `${name} ${formatDollars(cents)}`).join(' + ')
      : `no: ${one.detail}`,
  ])
  return [table(['Service', 'Type', 'Price', 'Arrives', 'Why'], rows), ...warnings].join('\n')
}
