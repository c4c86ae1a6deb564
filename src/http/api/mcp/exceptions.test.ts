import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Day, listExceptions, type OpenDelivery } from './exceptions.ts'
import { present } from './present.ts'

const nowMs = Date.parse('2026-11-24T15:00:00+11:00')
const booked: OpenDelivery = {
  ...{
    id: 'dlv_1',
    reference: 'A-1',
    store_reference: 'fitzroy',
    status: 'booked',
    manifest_status: 'ready',
  },
  ...{ to_datetime: '2026-11-24T17:00:00+11:00', provider: 'swiftly', service_code: 'same_day' },
}
const quiet: Day = { deliveries: [booked], stores: [], carriers: [], nowMs }
const kindsOf = (over: Partial<Day>) => listExceptions({ ...quiet, ...over }).map(({ kind }) => kind)

test('a day without problems has no exceptions', () => {
  const swiftly = { provider: 'swiftly', name: 'Swiftly', on: true }
  assert.deepEqual(kindsOf({ carriers: [swiftly] }), [])
})

test('each problem is found, the most urgent first, and a delivery counts once', () => {
  const late = '2026-11-24T14:00:00+11:00'
  const deliveries = [
    { ...booked, status: 'pending_return', to_datetime: '2026-11-25T14:00:00+11:00' },
    { ...booked, attention: 'Big Haul has another booking.' },
    { ...booked, to_datetime: late },
    { ...booked, status: 'on_hold', to_datetime: late },
    { ...booked, booking_attempt: 'unanswered', status: 'on_hold' },
    { ...booked, status: 'delivered', to_datetime: late },
  ]
  assert.deepEqual(kindsOf({ deliveries }), [
    'booking_unanswered',
    'on_hold',
    'late',
    'extra_booking',
    'being_returned',
  ])
})

test('a service that closes within the hour counts if a delivery waits for its manifest', () => {
  const closing = (closes_at: string) => {
    const services = [{ provider: 'swiftly', carrier: 'Swiftly', service: 'same_day', closes_at }]
    return { stores: [{ reference: 'fitzroy', name: 'Fitzroy', services }] }
  }
  assert.deepEqual(kindsOf(closing('2026-11-24T16:00:00+11:00')), ['closing_soon'])
  const pending = [{ ...booked, manifest_status: 'pending' }]
  assert.deepEqual(kindsOf({ ...closing('2026-11-24T16:00:00+11:00'), deliveries: pending }), [
    'closing_soon',
  ])
  assert.deepEqual(kindsOf(closing('2026-11-24T16:00:01+11:00')), [])
  assert.deepEqual(kindsOf(closing('2026-11-24T15:00:00+11:00')), [], 'it has closed')
  const deliveries = [{ ...booked, manifest_status: 'manifested' }]
  assert.deepEqual(kindsOf({ ...closing('2026-11-24T16:00:00+11:00'), deliveries }), [])
})

test('a carrier that is off or does not answer is an exception', () => {
  const carriers = [
    { provider: 'swiftly', name: 'Swiftly', on: true, outage_since: '2026-11-24T03:00:00.000Z' },
    { provider: 'bighaul', name: 'Big Haul', on: false, reason: 'Strike' },
  ]
  assert.deepEqual(kindsOf({ carriers }), ['carrier_does_not_answer', 'carrier_switched_off'])
})

test('a driver’s words about a customer are masked', () => {
  const delivery = { ...booked, status: 'on_hold', use_staff_couriers: true, status_reason: 'Ada was rude' }
  const [ours] = listExceptions({ ...quiet, deliveries: [{ ...delivery, use_staff_couriers: false }] })
  const [theirs] = listExceptions({ ...quiet, deliveries: [delivery] })
  const shown = (one: unknown) =>
    JSON.stringify(present(one, { includePersonalData: false, hasCustomers: true }))
  assert.match(shown(ours), /Ada was rude/)
  assert.doesNotMatch(shown(theirs), /Ada was rude/)
})
