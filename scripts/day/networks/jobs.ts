import { pickByShare, type Random, seeded } from '../../../test/harness/random.ts'
import { DAY_STORES, FAR_PLACES } from '../places.ts'
import { DAY_FROM_MS, DAY_TO_MS, type DayJob } from '../plan.ts'
import { type Journey, KINDS } from './kinds.ts'

export type NetworkJob = DayJob & { journey: Journey }

const CANCELLED = 0.04
const BOOKED_NOW = 0.1
const MINUTE_MS = 60_000

/** The same seed makes the same day. */
export function planNetworkDay(seed: number, count: number): NetworkJob[] {
  const chances = seeded(seed)
  return Array.from({ length: count }, (_, index) => jobOf(chances, index + 1)).sort(
    (a, b) => a.createAtMs - b.createAtMs,
  )
}

function jobOf({ below, chance, pick }: Random, number: number): NetworkJob {
  const kind = pickByShare(KINDS, ({ share }) => share, below(100)) ?? KINDS[0]!
  const journey = pickByShare(kind.journeys, ([, share]) => share, below(100))?.[0] ?? 'delivered'
  const store = pick(DAY_STORES)
  const place = pick(kind.far && chance(0.7) ? FAR_PLACES : store.near)
  const reference = `DAY-${number}-${kind.name}-${journey}`
  const createAtMs = DAY_FROM_MS + below((DAY_TO_MS - DAY_FROM_MS) / MINUTE_MS) * MINUTE_MS
  const readyAtMs = createAtMs + (20 + below(300)) * MINUTE_MS
  return {
    reference,
    journey,
    createAtMs,
    amendment: null,
    cancelAtMs: chance(CANCELLED) ? createAtMs + below(420) * MINUTE_MS : null,
    body: {
      store_reference: store.reference,
      reference,
      ready_for_pickup_at: new Date(readyAtMs).toISOString(),
      delivery_type: kind.type,
      ...(chance(BOOKED_NOW) ? { book_delivery_now: true } : {}),
      address: { address: `${1 + below(200)} High St`, ...place, country: 'AU' },
      customer: { first_name: 'Ada', last_name: 'Nguyen', phone: '0491 570 156', email: 'ada@example.com' },
      line_items: [
        { code: `SKU-${below(500)}`, name: 'Billy tea', price_cents: 500 + below(9_000), quantity: 1 },
      ],
      parcels: kind.parcels(below),
    },
  }
}
