/** The parts of the API's answers that identify exceptions. */
export type OpenDelivery = {
  id: string
  reference: string
  store_reference: string
  status: string
  manifest_status: string
  booking_attempt?: string
  attention?: string
  status_reason?: string
  use_staff_couriers?: boolean
  status_remedy?: string
  to_datetime?: string
  provider?: string
  service_code?: string
  carrier_provider?: string
}
export type StoreDay = {
  reference: string
  name: string
  services: readonly { provider: string; carrier: string; service: string; closes_at?: string }[]
}
export type CarrierLine = {
  provider: string
  name: string
  on: boolean
  reason?: string
  outage_since?: string
}

export type Day = {
  deliveries: readonly OpenDelivery[]
  stores: readonly StoreDay[]
  carriers: readonly CarrierLine[]
  nowMs: number
}

const HOUR_MS = 3_600_000
const ENDED = new Set(['delivered', 'returned', 'cancelled'])

/** Each kind of delivery that needs a person, most urgent first. A delivery counts under the first kind that fits. */
const KINDS: readonly {
  kind: string
  tool: string
  next_step: string
  fits(delivery: OpenDelivery, nowMs: number): boolean
}[] = [
  {
    kind: 'booking_unanswered',
    tool: 'explain_decision',
    next_step: 'The carrier may have the booking. Ring them, then record in the portal whether they have it.',
    fits: ({ booking_attempt, status }) => booking_attempt === 'unanswered' && !ENDED.has(status),
  },
  {
    kind: 'on_hold',
    tool: 'compare_options',
    next_step: 'Read the reason and the remedy. Compare the current options, or explain the decision.',
    fits: ({ status }) => status === 'on_hold',
  },
  {
    kind: 'late',
    tool: 'track_delivery',
    next_step: 'The promised window has passed. See what the carrier last reported, then ring them.',
    fits: ({ status, to_datetime }, nowMs) =>
      !ENDED.has(status) && to_datetime !== undefined && Date.parse(to_datetime) < nowMs,
  },
  {
    kind: 'extra_booking',
    tool: 'list_extra_bookings',
    next_step: 'A carrier holds another booking. Cancel it with the carrier, or the merchant pays twice.',
    fits: ({ attention }) => attention !== undefined,
  },
  {
    kind: 'being_returned',
    tool: 'track_delivery',
    next_step: 'The parcels are on their way back. Ask the customer what to do.',
    fits: ({ status }) => status === 'pending_return',
  },
]

/** What needs a person now, most urgent first. A pure function of the API's answers. */
export function listExceptions(day: Day): Record<string, unknown>[] {
  const { deliveries, nowMs } = day
  const ofDeliveries = KINDS.flatMap((kind, at) =>
    deliveries
      .filter((one) => KINDS.findIndex(({ fits }) => fits(one, nowMs)) === at)
      .sort((a, b) => (a.to_datetime ?? '').localeCompare(b.to_datetime ?? ''))
      .map((delivery) => toException(kind, delivery)),
  )
  return [...ofDeliveries, ...listClosing(day), ...listCarriersOff(day)]
}

function toException({ kind, tool, next_step }: (typeof KINDS)[number], delivery: OpenDelivery) {
  const { id, reference, store_reference, status, carrier_provider, to_datetime } = delivery
  const { status_reason, use_staff_couriers, status_remedy, attention } = delivery
  return {
    ...{ kind, tool, next_step, id, reference, store_reference, status, carrier_provider, to_datetime },
    // With it, a driver’s own words are masked.
    ...{ status_reason, use_staff_couriers, status_remedy, attention },
  }
}

/** Services that close within the hour while deliveries wait for their manifest. */
function listClosing({ stores, deliveries, nowMs }: Day): Record<string, unknown>[] {
  return stores.flatMap(({ reference, services }) =>
    services.flatMap(({ provider, carrier, service, closes_at }) => {
      const closesMs = closes_at === undefined ? Number.NaN : Date.parse(closes_at)
      if (!(closesMs > nowMs && closesMs <= nowMs + HOUR_MS)) return []
      const waiting = deliveries.filter(
        (one) =>
          one.store_reference === reference &&
          one.provider === provider &&
          one.service_code === service &&
          one.status === 'booked' &&
          (one.manifest_status === 'pending' || one.manifest_status === 'ready'),
      )
      if (waiting.length === 0) return []
      const next_step = 'The service closes within the hour. Submit the manifest in the portal before then.'
      const what = { kind: 'closing_soon', tool: 'day_of_store', next_step, store_reference: reference }
      return [{ ...what, provider, carrier, service, closes_at, deliveries: waiting.length }]
    }),
  )
}

function listCarriersOff({ carriers }: Day): Record<string, unknown>[] {
  return carriers.flatMap(({ provider, name: carrier, on, reason, outage_since }) => {
    if (on && outage_since === undefined) return []
    const kind = on ? 'carrier_does_not_answer' : 'carrier_switched_off'
    const next_step = 'See which booked deliveries the carrier has not collected.'
    return [{ kind, tool: 'carrier_status', next_step, provider, carrier, reason, outage_since }]
  })
}
