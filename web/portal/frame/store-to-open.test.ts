import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Delivery, Store } from '../../shared/api.generated.ts'
import { storeToOpen } from './store-to-open.ts'

const NOW = Date.parse('2026-11-24T10:42:00+11:00')
const stores = ['carlton', 'fitzroy', 'richmond'].map(
  (reference) => ({ id: `sto_${reference}`, reference, services: [] }) as unknown as Store,
)
const at = (store: string, status: string, count: number) =>
  Array.from(
    { length: count },
    () =>
      ({
        ...{ store_id: `sto_${store}`, status, parcels: [] },
        ready_for_pickup_at: '2026-11-24T10:00:00+11:00',
        from_datetime: '2026-11-25T08:00:00+11:00',
        to_datetime: '2026-11-25T18:00:00+11:00',
      }) as unknown as Delivery,
  )
const opened = (...deliveries: Delivery[]) => storeToOpen(stores, deliveries, NOW)?.reference ?? null

test('a new browser opens the store with deliveries that need attention', () => {
  assert.equal(opened(...at('fitzroy', 'booked', 15)), 'fitzroy', 'the first store has no work')
  assert.equal(opened(...at('carlton', 'booked', 15), ...at('richmond', 'on_hold', 1)), 'richmond')
  assert.equal(opened(...at('carlton', 'requested', 3), ...at('richmond', 'booked', 2)), 'richmond')
  assert.equal(opened(...at('fitzroy', 'booked', 2), ...at('richmond', 'booked', 3)), 'richmond')
})

test('no store is preferred if none has work', () => {
  assert.equal(opened(), null)
  assert.equal(opened(...at('fitzroy', 'delivered', 4)), null)
})
