import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ChainStore, chainAccount, withStores } from '../../../test/chain-account.ts'
import { TUESDAY_TEN } from '../../../test/jobs.ts'
import type { Account } from '../account/account.ts'
import { toIntervals } from '../calendar/intervals.ts'
import { formatLocal } from '../calendar/zone.ts'
import type { AllocationRequest } from './allocation.ts'
import { getStrategy, rankStores } from './rank-stores.ts'

const flinders = { lat: -37.8183, lng: 144.9671 }
const ask: AllocationRequest = {
  destination: flinders,
  readyForPickupAt: null,
  storeIds: null,
  storeReferences: null,
  count: 3,
}
const KM_IN_DEGREES = 1 / 111.19508

/** A store `km` kilometres north of the destination. */
function north(reference: string, km: number, more: Partial<ChainStore> = {}): ChainStore {
  return { reference, lat: flinders.lat + km * KM_IN_DEGREES, lng: flinders.lng, ...more }
}

function ranked(account: Account, changes: Partial<AllocationRequest> = {}, nowMs = TUESDAY_TEN): string {
  return rankStores(account, account.stores, { ...ask, ...changes }, nowMs)
    .map(({ storeReference, estDistanceKm }) => `${storeReference} ${estDistanceKm}`)
    .join(', ')
}

test('each strategy has its own order of the same stores', () => {
  const stores = [
    north('slow', 5.2, { processingMinutes: 90 }),
    north('quick', 4.8, { processingMinutes: 10 }),
    north('near', 1.4, { processingMinutes: 30 }),
    north('nearer', 1.3, { processingMinutes: 60 }),
    north('far', 40, { processingMinutes: 5 }),
  ]
  const cases = [
    ['distance_only', 'nearer 1, near 1, quick 5, slow 5, far 40'],
    ['time_and_distance', 'near 1, nearer 1, quick 5, slow 5, far 40'],
    ['timeline_over_distance', 'far 40, quick 5, near 1, nearer 1, slow 5'],
  ] as const
  for (const [strategy, order] of cases)
    assert.equal(ranked(chainAccount(strategy, stores), { count: 9 }), order, strategy)
})

test('distances that round to the same kilometre tie only if the strategy uses time', () => {
  const stores = [
    north('a', 4.6, { processingMinutes: 60 }),
    north('b', 5.4, { processingMinutes: 10 }),
    north('c', 5.6, { processingMinutes: 5 }),
  ]
  const cases = [
    ['distance_only', 'a 5, b 5, c 6'],
    ['time_and_distance', 'b 5, a 5, c 6'],
    ['timeline_over_distance', 'c 6, b 5, a 5'],
  ] as const
  for (const [strategy, order] of cases) {
    assert.equal(ranked(chainAccount(strategy, stores)), order, strategy)
    assert.equal(
      ranked(chainAccount(strategy, stores), { count: 1 }),
      order.split(', ')[0],
      `the first, ${strategy}`,
    )
  }
})

test('an account without brands and stores has no ranks', () => {
  const account = { ...chainAccount('distance_only', []), brands: [] }
  assert.deepEqual(rankStores(account, [], ask, TUESDAY_TEN), [])
})

test('stores at one place are sorted by reference', () => {
  const stores = ['d', 'b', 'a', 'c', 'e'].map((reference) => north(reference, 2))
  for (const strategy of ['distance_only', 'time_and_distance', 'timeline_over_distance'] as const) {
    assert.equal(ranked(chainAccount(strategy, stores)), 'a 2, b 2, c 2', strategy)
  }
})

test('ranks count from 1, up to the limit or the number of stores', () => {
  const account = chainAccount('distance_only', [north('a', 1), north('b', 2)])
  const ranksOf = (count: number) =>
    rankStores(account, account.stores, { ...ask, count }, TUESDAY_TEN).map(({ rank }) => rank)
  assert.deepEqual(ranksOf(1), [1])
  assert.deepEqual(ranksOf(2), [1, 2])
  assert.deepEqual(ranksOf(1000), [1, 2])
})

test('the result has both times if the strategy uses time', () => {
  for (const [strategy, rfp] of [
    ['distance_only', null],
    ['time_and_distance', '2026-11-24T10:30:00+11:00'],
    ['timeline_over_distance', '2026-11-24T10:30:00+11:00'],
  ] as const) {
    const account = chainAccount(strategy, [north('a', 1)])
    const [first] = rankStores(account, account.stores, ask, TUESDAY_TEN)
    const at = (ms: number | null) => ms && formatLocal(first!.zone, ms)
    assert.equal(at(first!.earliestProcessingMs), '2026-11-24T10:00:00+11:00', strategy)
    assert.equal(at(first!.earliestRfpMs), rfp, strategy)
  }
})

test('a store that never opens again comes last wherever time counts', () => {
  const open = chainAccount('timeline_over_distance', [north('shut', 1), north('open', 30)])
  const never = toIntervals([])
  const shut = (account: Account) =>
    withStores(
      account,
      account.stores.map((store) =>
        store.reference === 'shut'
          ? { ...store, calendar: { ...store.calendar, trading: never, pickup: never } }
          : store,
      ),
    )
  assert.equal(ranked(shut(open)), 'open 30, shut 1')
  assert.equal(
    ranked(shut(chainAccount('time_and_distance', [north('shut', 1), north('open', 1.2)]))),
    'open 1, shut 1',
  )
  const [last] = rankStores(shut(open), shut(open).stores, { ...ask, count: 2 }, TUESDAY_TEN).slice(1)
  assert.deepEqual([last!.earliestProcessingMs, last!.earliestRfpMs], [null, null])
})

test('of brands with different strategies, the first with a candidate decides', () => {
  const account = chainAccount('distance_only', [north('a', 1), north('b', 2)])
  const [first] = account.brands
  const second = {
    ...first!,
    id: 'brd_2',
    reference: 'second',
    colour: null,
    allocationStrategy: 'time_and_distance' as const,
  }
  const two = withStores(
    { ...account, brands: [first!, second] },
    account.stores.map((store) => (store.reference === 'b' ? { ...store, brand: second } : store)),
  )
  assert.equal(getStrategy(two, two.stores), 'distance_only')
  assert.equal(getStrategy(two, [two.storeByReference.get('b')!]), 'time_and_distance')
  assert.equal(getStrategy(two, []), 'distance_only')
})
