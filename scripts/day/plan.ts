import { pickByShare, type Random, seeded } from '../../test/harness/random.ts'
import { CITY_TYPES, LOADS } from './loads.ts'
import { DAY_STORES, FAR_PLACES } from './places.ts'

/** One delivery of the day; all times are account time. */
export type DayJob = {
  reference: string
  createAtMs: number
  body: Record<string, unknown>
  /** An amendment sent right after the create; null: no change. */
  amendment: Record<string, unknown> | null
  cancelAtMs: number | null
}

/** A Tuesday followed by two weeks without a holiday: 7:00 to 19:00 in Melbourne. */
export const DAY_FROM_MS = Date.parse('2026-11-24T07:00:00+11:00')
export const DAY_TO_MS = Date.parse('2026-11-24T19:00:00+11:00')

const MINUTE_MS = 60_000

/** How many of a thousand deliveries get each sandbox outcome. */
const FATES: readonly (readonly [string, number])[] = [
  ['-rejected', 12],
  ['-down', 8],
  ['-slow', 12],
  ['-lost-answer', 12],
  ['-duplicate-events', 20],
  ['-late-events', 15],
  ['-damaged', 6],
  ['-returned', 10],
]
const AMENDED = 0.03
const CANCELLED = 0.04
const BOOKED_NOW = 0.15
const CUSTOMER_PICKUP = 0.04

/** The same seed makes the same day. */
export function planDay(seed: number, count: number): DayJob[] {
  const chances = seeded(seed)
  const jobs = Array.from({ length: count }, (_, index) => jobOf(chances, index + 1))
  return jobs.sort((a, b) => a.createAtMs - b.createAtMs)
}

function jobOf(chances: Random, number: number): DayJob {
  const { below, chance, pick } = chances
  const load = pickByShare(LOADS, ({ share }) => share, below(100)) ?? LOADS[0]!
  const type = pick(load.types)
  const stores = DAY_STORES.filter((one) => load.store === undefined || one.reference === load.store)
  const store = pick(stores)
  const near = CITY_TYPES.has(type) || chance(0.4)
  const place = pick(near ? store.near : FAR_PLACES)
  const reference = `DAY-${number}-${load.name}${pickByShare(FATES, ([, share]) => share, below(1_000))?.[0] ?? ''}`
  const createAtMs = DAY_FROM_MS + below((DAY_TO_MS - DAY_FROM_MS) / MINUTE_MS) * MINUTE_MS
  const readyAtMs = createAtMs + (20 + below(400)) * MINUTE_MS
  const pickup = store.takesPickups && load.name === 'small' && !near && chance(CUSTOMER_PICKUP * 2)
  return {
    reference,
    createAtMs,
    amendment: chance(AMENDED)
      ? {
          special_instructions: 'Please ring twice.',
          ready_for_pickup_at: new Date(readyAtMs + 30 * MINUTE_MS).toISOString(),
        }
      : null,
    cancelAtMs: chance(CANCELLED) ? createAtMs + below(600) * MINUTE_MS : null,
    body: {
      store_reference: store.reference,
      reference,
      ready_for_pickup_at: new Date(readyAtMs).toISOString(),
      ...(type === null ? {} : { delivery_type: type }),
      ...(pickup ? { delivery_mode: 'customer_pickup' } : {}),
      ...(chance(BOOKED_NOW) ? { book_delivery_now: true } : {}),
      ...load.requirements,
      address: { address: `${1 + below(200)} High St`, ...place, country: 'AU' },
      customer: { first_name: 'Ada', last_name: 'Nguyen', phone: '0491 570 156', email: 'ada@example.com' },
      line_items: [
        { code: `SKU-${below(500)}`, name: 'Billy tea', price_cents: 500 + below(9_000), quantity: 1 },
      ],
      parcels: load.parcels(below),
    },
  }
}
