import { pickByShare, type Random } from '../../../test/harness/random.ts'
import { DAY_STORES, FAR_PLACES } from '../places.ts'
import { bodyOf, type DayJob, planJobs, timesOf } from '../plan.ts'
import { type Journey, KINDS } from './kinds.ts'

export type NetworkJob = DayJob & { journey: Journey }

const CANCELLED = 0.04
const BOOKED_NOW = 0.1
const MINUTE_MS = 60_000

/** The same seed makes the same day. */
export function planNetworkDay(seed: number, count: number): NetworkJob[] {
  return planJobs(seed, count, jobOf)
}

function jobOf(random: Random, number: number): NetworkJob {
  const { below, chance, pick } = random
  const kind = pickByShare(KINDS, ({ share }) => share, below(100)) ?? KINDS[0]!
  const journey = pickByShare(kind.journeys, ([, share]) => share, below(100))?.[0] ?? 'delivered'
  const store = pick(DAY_STORES)
  const place = pick(kind.far && chance(0.7) ? FAR_PLACES : store.near)
  const reference = `DAY-${number}-${kind.name}-${journey}`
  const { createAtMs, readyAtMs } = timesOf(random, 300)
  return {
    ...{ reference, journey, createAtMs, amendment: null },
    cancelAtMs: chance(CANCELLED) ? createAtMs + below(420) * MINUTE_MS : null,
    body: bodyOf(random, store.reference, reference, {
      ...{ readyAtMs, place, bookedNow: BOOKED_NOW, parcels: kind.parcels },
      more: { delivery_type: kind.type },
    }),
  }
}
