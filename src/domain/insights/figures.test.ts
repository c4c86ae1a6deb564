import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BINS, byService, byStore, byWeek, type Tally, toFigures } from './figures.ts'

const now: Tally = {
  storeId: 'fitzroy',
  provider: 'swiftly',
  carrier: 'Swiftly',
  service: 'NOW',
  week: '2026-11-23',
  status: 'delivered',
  bin: BINS.indexOf('tenth_1'),
  deliveries: 3,
  costCents: 2_670,
}
const late: Tally = { ...now, bin: BINS.indexOf('late_15_min'), deliveries: 1, costCents: 890 }
const own: Tally = {
  ...now,
  provider: null,
  carrier: null,
  service: null,
  bin: null,
  deliveries: 2,
  costCents: 0,
}
const returned: Tally = {
  ...now,
  storeId: 'perth',
  week: '2026-11-16',
  status: 'returned',
  bin: null,
  deliveries: 1,
  costCents: 890,
}
const all = [now, late, own, returned]

test('counts deliveries within, before and after their promised window, and ignores those without one', () => {
  assert.deepEqual(toFigures(all), {
    deliveries: 7,
    ownDeliveries: 2,
    costCents: 4_450,
    returned: 1,
    deliveredWithWindow: 4,
    early: 0,
    onTime: 3,
    late: 1,
  })
  assert.deepEqual(toFigures([]), {
    deliveries: 0,
    ownDeliveries: 0,
    costCents: 0,
    returned: 0,
    deliveredWithWindow: 0,
    early: 0,
    onTime: 0,
    late: 0,
  })
})

test('services, weeks and stores add up to the total', () => {
  for (const parts of [byService(all), byWeek(all), byStore(all)]) {
    assert.equal(
      parts.reduce((sum, { deliveries }) => sum + deliveries, 0),
      7,
    )
    assert.equal(
      parts.reduce((sum, { costCents }) => sum + costCents, 0),
      4_450,
    )
  }
  const [busiest] = byService(all)
  assert.equal(busiest?.service, 'NOW')
  assert.equal(
    busiest?.bins.reduce((sum, count) => sum + count, 0),
    busiest?.deliveredWithWindow,
  )
  assert.deepEqual(
    byWeek(all).map(({ week }) => week),
    ['2026-11-16', '2026-11-23', '2026-11-23'],
  )
})
