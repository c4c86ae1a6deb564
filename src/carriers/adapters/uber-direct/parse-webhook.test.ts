import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import test from 'node:test'
import { UBER_DIRECT } from './index.ts'
import { parseBookingState, parseWebhook } from './parse-webhook.ts'

const AT = '2026-11-24T00:00:00.500Z'
const webhook = {
  id: 'evt_1',
  kind: 'event.delivery_status',
  status: 'pickup',
  created: AT,
  live_mode: false,
  delivery_id: 'del_X1',
  data: { courier_imminent: false },
}

function updates(body: unknown) {
  return parseWebhook(Buffer.from(JSON.stringify(body)))
}

test('each Uber status maps to one of ours', () => {
  const cases: [string, boolean, string | null, string | null][] = [
    ['pending', false, null, null],
    ['pickup', false, 'assigned', null],
    ['pickup', true, 'approaching', 'pickup_imminent'],
    ['pickup_complete', false, 'collected', null],
    ['dropoff', false, 'collected', 'out_for_delivery'],
    ['dropoff', true, 'collected', 'arrived_at_dropoff'],
    ['delivered', true, 'delivered', null],
    ['canceled', false, 'cancelled', null],
    ['returned', false, 'pending_return', null],
    ['beamed_up', false, null, null],
    ['constructor', false, null, null],
  ]
  for (const [status, courier_imminent, expected, subStatus] of cases) {
    const [event] = updates({ ...webhook, status, data: { courier_imminent } }).events
    assert.deepEqual([event?.status, event?.subStatus, event?.message], [expected, subStatus, status], status)
    assert.equal(event?.atMs, Date.parse(AT))
  }
})

test('the return trip is a separate delivery at Uber and the same one for the merchant', () => {
  const back = { ...webhook, kind: 'event.delivery_return', delivery_id: 'ret_X1', status: 'dropoff' }
  const linked = { related_deliveries: [{ id: 'del_X1', relationship: 'original' }] }
  for (const body of [back, { ...back, delivery_id: 'del_R9', data: linked }]) {
    const [onTheWay] = updates(body).events
    assert.deepEqual([onTheWay?.consignmentNumber, onTheWay?.status], ['del_X1', 'pending_return'])
    const [home] = updates({ ...body, status: 'delivered' }).events
    assert.deepEqual([home?.consignmentNumber, home?.status], ['del_X1', 'returned'])
  }
  const forward = { related_deliveries: { id: 'ret_X1', relationship: 'return' } }
  assert.equal(updates({ ...webhook, status: 'canceled', data: forward }).events[0]?.status, 'pending_return')
})

test('a cancellation has its reason', () => {
  const cancelation_reason = { primary_reason: 'UBER_CANCEL', secondary_reason: 'NO_COURIERS' }
  const [event] = updates({ ...webhook, status: 'canceled', data: { cancelation_reason } }).events
  assert.equal(event?.message, 'canceled: UBER_CANCEL, NO_COURIERS')
})

test('only a cancellation by the courier or Uber allows another carrier', () => {
  const back = { related_deliveries: [{ id: 'ret_X1', relationship: 'return' }] }
  const cases: [string | null, object, string, true | undefined][] = [
    ['UBER_CANCEL', {}, 'cancelled', true],
    ['COURIER_CANCEL', {}, 'cancelled', true],
    ['NO_COURIERS', {}, 'cancelled', true],
    ['CUSTOMER_CANCEL', {}, 'cancelled', undefined],
    ['MERCHANT_CANCEL', {}, 'cancelled', undefined],
    ['SOMETHING_NEW', {}, 'cancelled', undefined],
    [null, {}, 'cancelled', undefined],
    ['COURIER_CANCEL', { data: back }, 'pending_return', undefined],
    ['COURIER_CANCEL', { delivery_id: 'ret_X1' }, 'pending_return', undefined],
  ]
  for (const [primary_reason, changes, status, carrierReleased] of cases) {
    const { data = {}, ...rest } = changes as { data?: object }
    const cancelation_reason = primary_reason === null ? undefined : { primary_reason }
    const body = { ...webhook, status: 'canceled', ...rest, data: { ...data, cancelation_reason } }
    const [event] = updates(body).events
    assert.deepEqual(
      [event?.status, event?.carrierReleased],
      [status, carrierReleased],
      JSON.stringify([primary_reason, changes]),
    )
  }
})

test('a cancelled status waits for the webhook with its reason, and allows no other carrier without one', () => {
  const delivery = { id: 'del_X1', status: 'canceled', updated: AT }
  const after = (minutes: number, changes: object = {}) =>
    parseBookingState(
      { kind: 'answered', status: 200, body: { ...delivery, ...changes } },
      Date.parse(AT) + minutes * 60_000,
    )?.event
  assert.equal(after(1), undefined)
  assert.deepEqual([after(11)?.status, after(11)?.carrierReleased], ['cancelled', undefined])
  assert.equal(after(11, { updated: undefined })?.status, 'cancelled')
  assert.equal(after(1, { status: 'delivered' })?.status, 'delivered')
})

test('a courier update has a position and no event', () => {
  const courier = { name: 'Cori R.', location: { lat: -37.81, lng: 144.97 } }
  assert.deepEqual(
    updates({ ...webhook, kind: 'event.courier_update', status: undefined, data: { courier } }),
    {
      events: [],
      positions: [
        {
          consignmentNumber: 'del_X1',
          atMs: Date.parse(AT),
          lat: -37.81,
          lng: 144.97,
          courierName: 'Cori R.',
        },
      ],
      bookings: [],
      unreadable: 0,
    },
  )
  const lost = { name: 'Cori R.', location: { lat: 400, lng: 0 } }
  assert.deepEqual(updates({ ...webhook, data: { courier: lost } }).positions, [])
})

test('a body that is not an Uber event counts as unreadable; a malformed part loses only itself', () => {
  for (const body of [null, [], 'x', {}, { ...webhook, created: 'soon' }, { ...webhook, delivery_id: '' }]) {
    assert.deepEqual(updates(body), { events: [], positions: [], unreadable: 1 })
  }
  assert.equal(parseWebhook(Buffer.from('{')).unreadable, 1)
  assert.equal(
    updates({ ...webhook, data: { courier: 'x', related_deliveries: 7 } }).events[0]?.status,
    'assigned',
  )
})

test('accepts only a signature by the webhook’s key over the exact bytes', () => {
  const body = Buffer.from(JSON.stringify(webhook))
  const signature = createHmac('sha256', 'key').update(body).digest('hex')
  const isBelieved = (headers: Record<string, string>, bytes: Buffer, webhook_signing_key: string) => {
    const send = async () => ({ kind: 'not_sent', message: '' }) as const
    const carrier = UBER_DIRECT.make({ send, credentials: { webhook_signing_key }, wallMs: () => 0 })
    return carrier.readWebhook!({ headers, body: bytes }) !== null
  }
  assert.ok(isBelieved({ 'x-uber-signature': signature }, body, 'key'))
  assert.ok(isBelieved({ 'x-postmates-signature': signature }, body, 'key'))
  const cases: [Record<string, string>, Buffer, string][] = [
    [{}, body, 'key'],
    [{ 'x-uber-signature': signature }, body, 'other'],
    [{ 'x-uber-signature': signature }, Buffer.from(`${body} `), 'key'],
    [{ 'x-uber-signature': signature.slice(2) }, body, 'key'],
    [{ 'x-uber-signature': createHmac('sha256', '').update(body).digest('hex') }, body, ''],
  ]
  for (const [headers, bytes, key] of cases) assert.equal(isBelieved(headers, bytes, key), false)
})

test('the same status of two bookings has different event ids', () => {
  const idOf = (id: string) =>
    parseBookingState(
      { kind: 'answered', status: 200, body: { id, status: 'pickup', updated: AT } },
      Date.parse(AT),
    )?.event.eventId
  assert.ok(idOf('del_X1'))
  assert.equal(idOf('del_X1'), idOf('del_X1'))
  assert.notEqual(idOf('del_X1'), idOf('del_X2'))
})

test('the update’s position is used if its courier has none', () => {
  const location = { lat: -37.81, lng: 144.96 }
  const body = {
    ...webhook,
    kind: 'event.courier_update',
    location,
    data: { courier: { name: 'Ada', location: null } },
  }
  assert.equal(updates(body).positions?.[0]?.lat, location.lat)
})
