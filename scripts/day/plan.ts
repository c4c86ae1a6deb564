import { orderOf } from '../../test/harness/orders.ts'
import { pickByShare, type Random, seeded } from '../../test/harness/random.ts'
import { CITY_TYPES, LOADS, type Load } from './loads.ts'
import { DAY_STORES, FAR_PLACES, type Place } from './places.ts'

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
  return planJobs(seed, count, jobOf)
}

export function planJobs<Job extends DayJob>(
  seed: number,
  count: number,
  jobOf: (random: Random, number: number) => Job,
): Job[] {
  const random = seeded(seed)
  const jobs = Array.from({ length: count }, (_, index) => jobOf(random, index + 1))
  return jobs.sort((a, b) => a.createAtMs - b.createAtMs)
}

function jobOf(random: Random, number: number): DayJob {
  const { below, chance, pick } = random
  const load = pickByShare(LOADS, ({ share }) => share, below(100)) ?? LOADS[0]!
  const type = pick(load.types)
  const stores = DAY_STORES.filter((one) => load.store === undefined || one.reference === load.store)
  const store = pick(stores)
  const near = CITY_TYPES.has(type) || chance(0.4)
  const place = pick(near ? store.near : FAR_PLACES)
  const reference = `DAY-${number}-${load.name}${pickByShare(FATES, ([, share]) => share, below(1_000))?.[0] ?? ''}`
  const { createAtMs, readyAtMs } = timesOf(random, 400)
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
    body: bodyOf(random, store.reference, reference, {
      ...{ readyAtMs, place, bookedNow: BOOKED_NOW, parcels: load.parcels },
      more: {
        ...(type === null ? {} : { delivery_type: type }),
        ...(pickup ? { delivery_mode: 'customer_pickup' } : {}),
        ...load.requirements,
      },
    }),
  }
}

/** When a delivery is created, and when it is ready: 20 minutes later, and up to `spreadMinutes` more. */
export function timesOf({ below }: Random, spreadMinutes: number) {
  const createAtMs = DAY_FROM_MS + below((DAY_TO_MS - DAY_FROM_MS) / MINUTE_MS) * MINUTE_MS
  return { createAtMs, readyAtMs: createAtMs + (20 + below(spreadMinutes)) * MINUTE_MS }
}

type Details = {
  readyAtMs: number
  place: Place
  /** The share of deliveries that are booked at once. */
  bookedNow: number
  parcels: Load['parcels']
  more: object
}

export function bodyOf(
  { below, chance }: Random,
  store: string,
  reference: string,
  { readyAtMs, place, bookedNow, parcels, more }: Details,
): Record<string, unknown> {
  return orderOf(store, reference, {
    ready_for_pickup_at: new Date(readyAtMs).toISOString(),
    ...more,
    ...(chance(bookedNow) ? { book_delivery_now: true } : {}),
    address: { address: `${1 + below(200)} High St`, ...place, country: 'AU' },
    line_items: [
      { code: `SKU-${below(500)}`, name: 'Billy tea', price_cents: 500 + below(9_000), quantity: 1 },
    ],
    parcels: parcels(below),
  })
}
