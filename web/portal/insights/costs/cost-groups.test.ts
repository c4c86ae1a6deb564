import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Insights } from '../insights-page.tsx'
import { toCostGroups } from './cost-groups.ts'

const counts = { delivered_with_window: 0, early: 0, on_time: 0, late: 0, returned: 0 }
const nothing = { deliveries: 0, own_deliveries: 0, cost_cents: 0, ...counts }
const swiftly = { provider: 'swiftly', carrier: 'Swiftly' }
const own = { provider: null, carrier: null, service: null }
const october: Insights = {
  from: '2026-10-01',
  to: '2026-10-31',
  total: { ...nothing, deliveries: 9, own_deliveries: 4, cost_cents: 4_250 },
  before: nothing,
  cancelled: { deliveries: 0, quoted_cents: 0 },
  lost: { deliveries: 0, quoted_cents: 0 },
  services: [
    { ...nothing, ...swiftly, service: 'NOW', deliveries: 3, cost_cents: 2_670, bins: [] },
    { ...nothing, ...swiftly, service: 'TODAY', deliveries: 2, cost_cents: 1_580, bins: [] },
    { ...nothing, ...own, deliveries: 4, own_deliveries: 4, bins: [] },
  ],
  weeks: [
    { week: '2026-09-28', provider: 'swiftly', service: 'NOW', deliveries: 3, cost_cents: 2_670 },
    { week: '2026-10-26', provider: null, service: null, deliveries: 4, cost_cents: 0 },
    { week: '2026-10-26', provider: 'swiftly', service: 'TODAY', deliveries: 2, cost_cents: 1_580 },
  ],
  stores: [
    {
      ...nothing,
      store_reference: 'fitzroy',
      name: 'Fitzroy',
      deliveries: 9,
      own_deliveries: 4,
      cost_cents: 4_250,
    },
  ],
  exclusions: [],
  versions: [],
}
const september: Insights = {
  ...october,
  services: [
    { ...nothing, ...swiftly, service: 'NOW', deliveries: 1, cost_cents: 890, bins: [] },
    {
      ...nothing,
      provider: 'big_haul',
      carrier: 'Big Haul',
      service: 'FREIGHT',
      deliveries: 1,
      cost_cents: 5_000,
      bins: [],
    },
  ],
  stores: [],
}

const linesOf = (grouping: Parameters<typeof toCostGroups>[2]) =>
  toCostGroups(october, september, grouping).map((one) => [
    one.name,
    one.deliveries,
    one.own_deliveries,
    one.cost_cents,
    one.before_cents,
  ])

test('each grouping adds up to the total, and names what only the period before had', () => {
  assert.deepEqual(linesOf('carrier'), [
    ['Swiftly', 5, 0, 4_250, 890],
    ['Own couriers', 4, 4, 0, 0],
    ['Big Haul', 0, 0, 0, 5_000],
  ])
  assert.deepEqual(linesOf('service'), [
    ['Swiftly NOW', 3, 0, 2_670, 890],
    ['Swiftly TODAY', 2, 0, 1_580, 0],
    ['Own couriers', 4, 4, 0, 0],
    ['Big Haul FREIGHT', 0, 0, 0, 5_000],
  ])
  assert.deepEqual(linesOf('store'), [['Fitzroy', 9, 4, 4_250, 0]])
})

test('weeks are cut at the ends of the period, and have no period before', () => {
  assert.deepEqual(linesOf('week'), [
    ['1 Oct to 4 Oct', 3, 0, 2_670, null],
    ['26 Oct to 31 Oct', 6, 4, 1_580, null],
  ])
  assert.deepEqual(toCostGroups(october, september, 'week')[0]?.narrow, {
    ended_from: '2026-10-01',
    ended_to: '2026-10-04',
  })
})
