import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byCarrier } from './by-carrier.ts'
import {
  formatVersion,
  labelsOf,
  mondaysOf,
  spreadLabels,
  toCostSeries,
  versionsByWeek,
} from './cost-series.ts'

const figures = {
  own_deliveries: 0,
  delivered_with_window: 0,
  early: 0,
  on_time: 0,
  late: 0,
  returned: 0,
  bins: [],
}
const services = [
  { provider: 'swiftly', carrier: 'Swiftly', service: 'NOW', deliveries: 3, cost_cents: 2_670, ...figures },
  { provider: 'swiftly', carrier: 'Swiftly', service: 'TODAY', deliveries: 2, cost_cents: 1_580, ...figures },
  {
    provider: null,
    carrier: null,
    service: null,
    deliveries: 4,
    cost_cents: 0,
    ...figures,
    own_deliveries: 4,
  },
]
const weeks = [
  { week: '2026-11-16', provider: 'swiftly', service: 'NOW', deliveries: 3, cost_cents: 2_670 },
  { week: '2026-11-23', provider: null, service: null, deliveries: 4, cost_cents: 0 },
  { week: '2026-11-23', provider: 'swiftly', service: 'TODAY', deliveries: 2, cost_cents: 1_580 },
]

test('the line of all carriers comes first, then services by volume', () => {
  assert.deepEqual(toCostSeries({ weeks, services }), [
    {
      name: 'All carriers',
      points: [
        { week: '2026-11-16', cents: 890 },
        { week: '2026-11-23', cents: 790 },
      ],
    },
    { name: 'Swiftly NOW', points: [{ week: '2026-11-16', cents: 890 }] },
    { name: 'Swiftly TODAY', points: [{ week: '2026-11-23', cents: 790 }] },
  ])
})

test('a carrier is the sum of its services', () => {
  assert.deepEqual(
    byCarrier(services).map(({ name, deliveries, cost_cents }) => [name, deliveries, cost_cents]),
    [
      ['Swiftly', 5, 4_250],
      ['Own couriers', 4, 0],
    ],
  )
})

test('a period has all its weeks, and each account version is in its week', () => {
  assert.deepEqual(mondaysOf({ from: '2026-11-01', to: '2026-11-23' }), [
    '2026-10-26',
    '2026-11-02',
    '2026-11-09',
    '2026-11-16',
    '2026-11-23',
  ])
  const applied = versionsByWeek([
    { version: 38, applied_at: '2026-11-08T23:59:00+11:00' },
    { version: 39, applied_at: '2026-11-16T00:00:00+11:00' },
    { version: 41, applied_at: '2026-11-22T10:00:00+11:00' },
  ])
  assert.deepEqual(
    [...applied].map(([week, span]) => [week, formatVersion(span)]),
    [
      ['2026-11-02', 'version 38'],
      ['2026-11-16', 'versions 39–41'],
    ],
  )
})

test('labels neither overlap nor pass the edge', () => {
  assert.deepEqual(spreadLabels([10, 100, 12, 11], 18, 200), [10, 100, 46, 28])
  assert.deepEqual(spreadLabels([195, 199, 40], 18, 200), [182, 200, 40])
  const marks = [
    { x: 0, from: 1, to: 1 },
    { x: 40, from: 2, to: 2 },
    { x: 200, from: 3, to: 4 },
  ]
  assert.deepEqual(labelsOf(marks, { edge: 220, width: 80 }), [
    { x: 0, from: 1, to: 2, start: 0, atEnd: false },
    { x: 200, from: 3, to: 4, start: 120, atEnd: true },
  ])
})
