import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Delivery, StoreService } from '../../shared/api.generated.ts'
import { classify } from './classify.ts'
import { groupRows } from './group-rows.ts'
import { nextOf, soonOf, toManifest } from './to-manifest.ts'

const at = (clock: string) => Date.parse(`2026-11-24T${clock}:00+11:00`)
const road = {
  carrier_code: 'SP-ROAD',
  service: 'ROAD',
  closes_at: '2026-11-24T15:00:00+11:00',
} as StoreService
const booked = {
  status: 'booked',
  manifest_status: 'pending',
  consignment_number: 'SP1',
  carrier_provider: 'Southern Parcels',
  carrier_code: 'SP-ROAD',
  service_code: 'ROAD',
  ready_for_pickup_at: '2026-11-24T10:00:00+11:00',
  from_datetime: '2026-11-25T08:00:00+11:00',
  to_datetime: '2026-11-25T18:00:00+11:00',
  parcels: [{ quantity: 2 }],
} as unknown as Delivery

const THREE = [{ reference: 'P1', quantity: 3 }] as Delivery['parcels']
const ASKED = { at: '2026-11-23T23:42:00.000Z', purpose: 'replan' } as const

const classified = (over: Partial<Delivery>, clock = '10:42') => {
  const { group, word, cause, remedy } = classify({ ...booked, ...over } as Delivery, [road], at(clock))
  return [group, word, cause, remedy].filter((message) => message !== null).join(' | ')
}

test('each delivery has its group, and one that needs attention has a reason', () => {
  const today = { from_datetime: '2026-11-24T09:24:00+11:00', to_datetime: '2026-11-24T10:24:00+11:00' }
  for (const [over, clock, message] of [
    [{}, '10:42', 'hand_over | Booked'],
    [{}, '14:00', 'needs | Closing | ROAD closes in 1 h. | This delivery isn’t on a manifest yet.'],
    [{}, '15:01', 'hand_over | Booked'],
    [{ ready_for_pickup_at: '2026-11-24T15:01:00+11:00' }, '14:30', 'hand_over | Booked'],
    [{ manifest_status: 'manifested' }, '14:30', 'hand_over | Booked'],
    [{ pending_cancellation: ASKED }, '14:00', 'hand_over | Cancelling'],
    [
      { ...today, pending_cancellation: ASKED },
      '10:42',
      'needs | Late | The delivery window ended 18 min ago.',
    ],
    [{ ...today, status: 'collected' }, '10:24', 'road | On the road'],
    [{ ...today, status: 'collected' }, '10:42', 'needs | Late | The delivery window ended 18 min ago.'],
    [{ ...today, status: 'delivered' }, '10:42', 'done | Delivered'],
    [{ ...today, status: 'pending_return' }, '10:42', 'road | Coming back'],
    [
      { ...today, status: 'pending_return', sub_status: 'undeliverable' },
      '10:42',
      'needs | Stranded | The carrier can’t complete this delivery. | Ring the carrier and ask where the parcels are.',
    ],
    [
      { ...today, status: 'delivered', left_behind: [{ reference: 'P1', quantity: 1 }], parcels: THREE },
      '10:42',
      'needs | Left behind | 1 of the 3 P1 parcels stayed at the store. | Create a new delivery for what was left behind.',
    ],
    [{ status: 'requested' }, '10:42', 'waiting | Waiting'],
    [{ status: 'requested', staff_courier: { phone: '+61491570156' } }, '10:42', 'hand_over | Courier asked'],
    [
      { ...today, status: 'delivered', attention: 'Uber has an extra booking of this order. Ring Uber.' },
      '10:42',
      'needs | Booked twice | A carrier has an extra booking. | Uber has an extra booking of this order. Ring Uber.',
    ],
    [
      {
        status: 'on_hold',
        status_reason: 'Nobody took it.',
        attention: 'Uber has an extra booking. Ring Uber.',
      },
      '10:42',
      'needs | Booked twice | A carrier has an extra booking. | Uber has an extra booking. Ring Uber. Nobody took it.',
    ],
    [
      { status: 'on_hold', status_reason: 'Big Haul never answered.', status_remedy: 'Ring them.' },
      '10:42',
      'needs | On hold | Big Haul never answered. | Ring them.',
    ],
    [
      {
        status: 'on_hold',
        status_reason: 'Big Haul never answered.',
        status_remedy: 'Ring them.',
        pending_cancellation: { ...ASKED, purpose: 'cancel' },
      },
      '10:42',
      'needs | To be cancelled | Big Haul never answered. | Ring them.',
    ],
  ] as [Partial<Delivery>, string, string][]) {
    assert.equal(classified(over, clock), message)
  }
})

const air = { carrier_code: 'SP-AIR', service: 'AIR', closes_at: '2026-11-24T16:00:00+11:00' } as StoreService
const byAir = { ...booked, carrier_code: 'SP-AIR', service_code: 'AIR' } as Delivery
const manifested = { ...booked, manifest_status: 'manifested' } as Delivery

test('each carrier has one line: its deliveries without a manifest, or that all are on one', () => {
  const pallet = { ...manifested, carrier_provider: 'Big Haul' } as Delivery
  const [southern, haul, ...more] = toManifest([byAir, booked, booked, manifested, pallet], [road, air])
  assert.deepEqual(southern, {
    carrier: 'Southern Parcels',
    deliveries: 3,
    units: 6,
    closings: [
      { service: 'ROAD', atMs: at('15:00'), deliveries: 2 },
      { service: 'AIR', atMs: at('16:00'), deliveries: 1 },
    ],
  })
  assert.deepEqual(haul, { carrier: 'Big Haul', deliveries: 0, units: 0, closings: [] })
  assert.deepEqual(more, [])
})

test('a line is closing within the hour before its next cut-off', () => {
  const [line] = toManifest([booked, byAir], [road, air])
  assert.ok(line)
  for (const [clock, next, soon] of [
    ['13:59', 'ROAD', undefined],
    ['14:00', 'ROAD', 'ROAD'],
    ['15:00', 'ROAD', 'ROAD'],
    ['15:01', 'AIR', 'AIR'],
    ['16:01', undefined, undefined],
  ] as const) {
    assert.equal(nextOf(line, at(clock))?.service, next, clock)
    assert.equal(soonOf(line, at(clock))?.service, soon, clock)
  }
})

test('a carrier that closes soon is sorted by its cut-off, others come last', () => {
  const hold = (id: string, clock: string) =>
    ({ ...booked, id, status: 'on_hold', to_datetime: `2026-11-24T${clock}:00+11:00` }) as Delivery
  const deliveries = [hold('late', '18:00'), hold('early', '12:00'), { ...booked, id: 'booked' } as Delivery]
  const placed = (clock: string, over: Partial<Delivery> = {}) => {
    const all = deliveries.map((one) => (one.id === 'booked' ? { ...one, ...over } : one)) as Delivery[]
    const classified = all.map((delivery) => ({
      delivery,
      classification: classify(delivery, [], at(clock)),
    }))
    return groupRows(classified, toManifest(all, [road]), at(clock))
  }
  const line = 'line Southern Parcels'
  assert.deepEqual(placed('10:42').needs, ['early', 'late', line])
  assert.deepEqual(placed('14:30').needs, ['early', line, 'late'])
  assert.deepEqual(placed('14:30').hand_over, ['booked'])
  assert.deepEqual(placed('14:30', { manifest_status: 'manifested' }).needs, ['early', 'late'])
})
