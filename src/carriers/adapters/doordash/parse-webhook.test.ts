import assert from 'node:assert/strict'
import test from 'node:test'
import { parseWebhook } from './parse-webhook.ts'

const NOW_MS = Date.parse('2026-11-24T00:10:00Z')
const webhook = {
  external_delivery_id: 'dlv_01-1',
  event_name: 'DASHER_CONFIRMED',
  dasher_id: 1232142,
  updated_at: '2026-11-24T00:00:00Z',
}

function updates(body: unknown) {
  return parseWebhook(Buffer.from(JSON.stringify(body)), NOW_MS)
}

test('each event maps to one of our statuses', () => {
  const cases: [string, string | null, string | null][] = [
    ['DELIVERY_BATCHED', null, null],
    ['DASHER_CONFIRMED', 'assigned', null],
    ['DASHER_CONFIRMED_PICKUP_ARRIVAL', 'approaching', 'arrived_at_pickup'],
    ['DASHER_PICKED_UP', 'collected', 'out_for_delivery'],
    ['DASHER_CONFIRMED_DROPOFF_ARRIVAL', 'collected', 'arrived_at_dropoff'],
    ['DASHER_DROPPED_OFF', 'delivered', null],
    ['DELIVERY_CANCELLED', 'cancelled', null],
    ['DELIVERY_RETURN_INITIALIZED', 'pending_return', null],
    ['DELIVERY_RETURNED', 'returned', null],
    ['SOMETHING_NEW', null, null],
    ['__PROTO__', null, null],
  ]
  for (const [event_name, status, subStatus] of cases) {
    const [event] = updates({ ...webhook, event_name }).events
    assert.deepEqual([event?.status, event?.subStatus, event?.message], [status, subStatus, event_name])
  }
})

test('repeats of an event have the same id', () => {
  const repeated = { ...webhook, updated_at: '2026-11-24T00:00:09Z' }
  assert.equal(updates(webhook).events[0]?.eventId, updates(repeated).events[0]?.eventId)
  assert.notEqual(
    updates(webhook).events[0]?.eventId,
    updates({ ...webhook, dasher_id: 7 }).events[0]?.eventId,
  )
  const secondBooking = updates({ ...webhook, external_delivery_id: `${webhook.external_delivery_id}2` })
  assert.notEqual(updates(webhook).events[0]?.eventId, secondBooking.events[0]?.eventId)
})

test('an event has the carrier’s time, or else its arrival time', () => {
  const dropped = {
    ...webhook,
    event_name: 'DASHER_DROPPED_OFF',
    dropoff_time_actual: '2026-11-24T00:05:00Z',
  }
  assert.equal(updates(dropped).events[0]?.atMs, Date.parse('2026-11-24T00:05:00Z'))
  assert.equal(updates({ ...webhook, updated_at: 'soon' }).events[0]?.atMs, NOW_MS)
})

test('a Dasher’s location update is a position and no event', () => {
  const onTheWay = {
    ...webhook,
    event_name: 'dasher_enroute_to_dropoff',
    dasher_name: 'Doordash D.',
    dasher_location: { lat: -37.8, lng: 144.9 },
  }
  assert.deepEqual(updates(onTheWay), {
    events: [],
    positions: [
      {
        consignmentNumber: 'dlv_01-1',
        atMs: Date.parse(webhook.updated_at),
        lat: -37.8,
        lng: 144.9,
        courierName: 'Doordash D.',
      },
    ],
    bookings: [],
    unreadable: 0,
  })
})

test('a cancellation has its reason', () => {
  const failed = { ...webhook, event_name: 'DELIVERY_CANCELLED', reason: 'failed_to_return' }
  assert.equal(updates(failed).events[0]?.message, 'DELIVERY_CANCELLED: failed_to_return')
  const cases: [string | undefined, true | undefined, string | null][] = [
    ['failed_to_assign_and_refunded', true, null],
    ['failed_to_pickup', true, null],
    ['failed_to_deliver', undefined, 'undeliverable'],
    ['failed_to_return', undefined, 'undeliverable'],
    ['cancelled_by_creator', undefined, null],
    [undefined, undefined, null],
  ]
  for (const [reason, carrierReleased, subStatus] of cases) {
    const [event] = updates({ ...failed, reason }).events
    assert.deepEqual(
      [event?.status, event?.carrierReleased, event?.subStatus],
      ['cancelled', carrierReleased, subStatus],
      reason,
    )
  }
})

test('a body that is not a DoorDash event counts as unreadable', () => {
  for (const body of [null, [], {}, { event_name: 'X' }, { external_delivery_id: 'a' }]) {
    assert.deepEqual(updates(body), { events: [], positions: [], unreadable: 1 })
  }
})
