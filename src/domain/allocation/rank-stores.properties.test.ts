import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type ChainStore, chainAccount, withStores } from '../../../test/chain-account.ts'
import { TUESDAY_TEN } from '../../../test/jobs.ts'
import type { Account, Brand, Store } from '../account/account.ts'
import { addOpenMinutes, firstOpenAt } from '../calendar/intervals.ts'
import { distanceKm, type Position } from '../geo/distance.ts'
import { rankStores } from './rank-stores.ts'

const STRATEGIES = ['distance_only', 'time_and_distance', 'timeline_over_distance'] as const
const STORES_OF_MODELS = ['fitzroy', 'perth-cbd', 'hobart-cbd', 'melbourne-cbd']

/**
 * A town with streets of a few hundred metres, so that places and distances coincide; all of Australia; the
 * Earth.
 */
const inTown = fc.record({
  lat: fc.integer({ min: 0, max: 30 }).map((street) => -37.9 + street * 0.004),
  lng: fc.integer({ min: 0, max: 30 }).map((street) => 144.9 + street * 0.004),
})
const inAustralia = fc.record({
  lat: fc.double({ min: -44, max: -10, noNaN: true }),
  lng: fc.double({ min: 112, max: 154, noNaN: true }),
})
const onEarth = fc.record({
  lat: fc.oneof(fc.double({ min: -90, max: 90, noNaN: true }), fc.constantFrom(-90, 0, 90)),
  lng: fc.oneof(fc.double({ min: -180, max: 180, noNaN: true }), fc.constantFrom(-180, 0, 179.999, 180)),
})
/** Stores and destinations of one scale, with a few far from it. */
const scene = fc.constantFrom(inTown, inAustralia, onEarth).chain((place) =>
  fc.record({
    destination: fc.oneof({ weight: 4, arbitrary: place }, { weight: 1, arbitrary: onEarth }),
    stores: fc.array(
      fc.record({
        at: place,
        hoursOf: fc.constantFrom(...STORES_OF_MODELS),
        processingMinutes: fc.constantFrom(0, 30, 600),
      }),
      { minLength: 1, maxLength: 400, size: 'max' },
    ),
    count: fc.integer({ min: 1, max: 12 }),
    nowMs: fc.integer({ min: 0, max: 200 }).map((hours) => TUESDAY_TEN + hours * 3_600_000),
    strategy: fc.constantFrom(...STRATEGIES),
  }),
)
type Scene = {
  stores: { at: Position; hoursOf: string; processingMinutes: number }[]
  strategy: Brand['allocationStrategy']
}

function accountOf({ stores, strategy }: Scene): Account {
  const placed = stores.map(
    ({ at, ...store }, index): ChainStore => ({ ...store, ...at, reference: `s${index}` }),
  )
  return chainAccount(strategy, placed)
}

function referencesOf(
  account: Account,
  candidates: readonly Store[],
  scene: { destination: Position; count: number; nowMs: number },
) {
  const request = { ...scene, readyForPickupAt: null, storeIds: null, storeReferences: null }
  return rankStores(account, candidates, request, scene.nowMs).map(({ storeReference }) => storeReference)
}

/** The reference implementation, as documented: all times, all distances, all stores sorted. */
function slowly(
  account: Account,
  { destination, count, nowMs }: { destination: Position; count: number; nowMs: number },
): string[] {
  const keys = account.stores.map((store) => {
    const km = distanceKm(store, destination)
    const startMs = firstOpenAt(store.calendar.trading, nowMs)!
    const doneMs = addOpenMinutes(store.calendar.trading, startMs, store.processingMinutes)!
    const rfpMs = firstOpenAt(store.calendar.pickup, doneMs)!
    const order = {
      distance_only: [km],
      time_and_distance: [Math.round(km), rfpMs, km],
      timeline_over_distance: [rfpMs, Math.round(km), km],
    }[store.brand.allocationStrategy]
    return { reference: store.reference, order }
  })
  keys.sort((a, b) => {
    const place = a.order.findIndex((key, index) => key !== b.order[index])
    if (place >= 0) return a.order[place]! - b.order[place]!
    return a.reference < b.reference ? -1 : 1
  })
  return keys.slice(0, count).map(({ reference }) => reference)
}

test('the short list equals the first stores of a full sort', () => {
  fc.assert(
    fc.property(scene, (scene) => {
      const account = accountOf(scene)
      assert.deepEqual(referencesOf(account, account.stores, scene), slowly(account, scene))
    }),
    { numRuns: 400 },
  )
})

test('named candidates rank as in a full ranking, whatever their order', () => {
  fc.assert(
    fc.property(scene, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (scene, random) => {
      const account = accountOf(scene)
      const shuffled = account.stores
        .map((store) => ({ store, at: random.next().value as number }))
        .sort((a, b) => a.at - b.at)
        .map(({ store }) => store)
      const expected = referencesOf(account, account.stores, scene)
      assert.deepEqual(referencesOf(account, shuffled, scene), expected, 'as candidates')
      const other = withStores(account, shuffled)
      assert.deepEqual(referencesOf(other, other.stores, scene), expected, 'as the document’s order')
    }),
    { numRuns: 150 },
  )
})

test('a longer list starts with the shorter one', () => {
  fc.assert(
    fc.property(scene, fc.integer({ min: 0, max: 500 }), (scene, more) => {
      const account = accountOf(scene)
      const few = referencesOf(account, account.stores, scene)
      const many = referencesOf(account, account.stores, { ...scene, count: scene.count + more })
      assert.equal(few.length, Math.min(scene.count, account.stores.length))
      assert.equal(new Set(many).size, Math.min(scene.count + more, account.stores.length))
      assert.deepEqual(many.slice(0, few.length), few)
    }),
    { numRuns: 150 },
  )
})
