import assert from 'node:assert/strict'
import { test } from 'node:test'
import { around } from 'geokdbush'
import KDBush from 'kdbush'
import { chainOf } from '../../../test/chains.ts'
import { TUESDAY_TEN } from '../../../test/jobs.ts'
import { rankStores } from './rank-stores.ts'

const CITIES = [
  [-37.81, 144.96],
  [-33.87, 151.2],
  [-27.47, 153.02],
  [-31.95, 115.86],
] as const
const HOURS = ['fitzroy', 'sydney-cbd', 'brisbane-cbd', 'perth-cbd', 'hobart-cbd']

/** The same places in every run: a sum of three sawtooths is thick in the middle of a city. */
function placeOf(index: number): { lat: number; lng: number } {
  const [lat, lng] = CITIES[index % CITIES.length]!
  const spread = (step: number) =>
    ((index * step) % 1) + ((index * step * 3.7) % 1) + ((index * step * 9.1) % 1) - 1.5
  return { lat: lat + spread(0.618034) * 0.4, lng: lng + spread(0.754878) * 0.4 }
}

test('a chain of 100,000 stores is ranked in microseconds (printed, not asserted)', (t) => {
  const stores = Array.from({ length: 100_000 }, (_, index) => ({
    reference: `s${index}`,
    hoursOf: HOURS[index % HOURS.length]!,
    ...placeOf(index),
  }))
  const destinations = Array.from({ length: 50 }, (_, index) => placeOf(index * 1_999 + 7))
  const tree = new KDBush(stores.length)
  for (const { lng, lat } of stores) tree.add(lng, lat)
  tree.finish()
  const limit = microseconds(destinations, ({ lng, lat }) => around(tree, lng, lat, 3))
  t.diagnostic(`geokdbush alone: ${limit.toFixed(1)} µs`)

  for (const strategy of ['distance_only', 'time_and_distance', 'timeline_over_distance'] as const) {
    const account = chainOf(strategy, stores)
    const rank = (destination: { lat: number; lng: number }) =>
      rankStores(
        account,
        account.stores,
        { destination, readyForPickupAt: null, storeIds: null, storeReferences: null, count: 3 },
        TUESDAY_TEN,
      )
    const took = microseconds(destinations, rank)
    t.diagnostic(`${strategy}: ${took.toFixed(1)} µs, ${(took / limit).toFixed(1)} times geokdbush`)
    assert.deepEqual(
      rank(destinations[0]!).map(({ rank }) => rank),
      [1, 2, 3],
    )
  }
})

/** Of the middle one of the calls, after as many to warm up. */
function microseconds<T>(inputs: readonly T[], work: (input: T) => unknown): number {
  for (let round = 0; round < 4; round++) for (const input of inputs) work(input)
  const took = inputs.map((input) => {
    const startMs = performance.now()
    work(input)
    return (performance.now() - startMs) * 1_000
  })
  return took.sort((a, b) => a - b)[took.length >> 1]!
}
