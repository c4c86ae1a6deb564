import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleAccount } from '../../../test/demo-account.ts'
import { deliveryRequest } from '../../../test/requests.ts'
import type { Delivery, DeliveryEvent } from '../delivery/delivery.ts'
import { STATUSES, type Status } from '../delivery/status.ts'
import { resolveDelivery } from '../quoting/resolve/resolve-delivery.ts'
import { toFirstName } from './status-labels.ts'
import { type TrackingFacts, toTracking } from './tracking.ts'

const account = exampleAccount('demo-account')
const store = account.storeByReference.get('fitzroy')!
const nowMs = Date.parse('2026-11-24T11:51:00+11:00')
const resolved = resolveDelivery(account, deliveryRequest, { sight: () => true, nowMs })
if ('issues' in resolved) throw new Error(JSON.stringify(resolved.issues))
const { content } = resolved
const minutes = (count: number) => count * 60_000

const window = {
  fromMs: Date.parse('2026-11-24T11:32:00+11:00'),
  toMs: Date.parse('2026-11-24T12:32:00+11:00'),
}
const at = (to: Status, time: string): DeliveryEvent =>
  ({ to, atMs: Date.parse(`2026-11-24T${time}:00+11:00`) }) as DeliveryEvent
const sam = {
  firstName: 'Sam',
  place: {
    ...content.destination,
    lat: content.destination.lat + 0.018,
    atMs: nowMs - minutes(1),
    stopsBefore: 0,
  },
}

function track(over: Partial<Delivery> = {}, facts: Partial<TrackingFacts> = {}) {
  const delivery = {
    reference: 'WC-1',
    status: 'collected',
    subStatus: null,
    content,
    articles: [],
    window,
    readyForPickupAtMs: Date.parse('2026-11-24T10:45:00+11:00'),
    updatedAtMs: nowMs,
    ...over,
  } as Delivery
  const events = [at('booked', '10:00'), at('collected', '11:38')]
  return toTracking({ delivery, events, store, courier: sam, proof: null, nowMs, ...facts })
}
const reverse = { content: { ...content, deliveryMode: 'customer_pickup' as const } }

test('every status has its sentence, in both directions', () => {
  for (const status of STATUSES) {
    for (const direction of [{}, reverse]) {
      const { headline } = track({ status, ...direction }).message
      assert.match(headline, /^[A-Z].*\.$/)
    }
  }
  assert.equal(track({ status: 'assigned' }).message.headline, 'Sam will bring it.')
  assert.equal(track({ status: 'assigned' }, { courier: null }).message.headline, 'A courier will bring it.')
  assert.equal(track({ status: 'approaching', ...reverse }).message.headline, 'Sam is at your door.')
  assert.equal(track({ status: 'collected', ...reverse }).message.headline, 'It is on its way to the store.')
  assert.deepEqual(track({ status: 'on_hold' }).message, {
    headline: 'We have your order.',
    more: 'The store is sorting something out.',
  })
})

test('a late delivery says so first', () => {
  const late = track({}, { nowMs: window.toMs + minutes(1), courier: null })
  assert.equal(late.late, true)
  assert.deepEqual(late.message, { headline: 'We are late.', more: 'It is on its way.' })
  assert.deepEqual(track({ status: 'on_hold' }, { nowMs: window.toMs + 1 }).message, {
    headline: 'We are late.',
    more: 'The store is sorting something out.',
  })
  assert.equal(track({}, { nowMs: window.toMs }).late, false, 'the minute itself is in')
  assert.equal(track({ status: 'delivered' }, { nowMs: window.toMs + minutes(60) }).late, false)
})

test('a customer sees only a courier on the way to their address', () => {
  const cases: [Partial<Delivery>, boolean, boolean][] = [
    [{ status: 'booked' }, false, false],
    [{ status: 'assigned' }, true, false],
    [{ status: 'approaching' }, true, false],
    [{ status: 'collected' }, true, true],
    [{ status: 'collected', subStatus: 'attempted' }, true, false],
    [{ status: 'delivered' }, false, false],
    [{ status: 'on_hold' }, false, false],
    [{ status: 'assigned', ...reverse }, true, false],
    [{ status: 'approaching', ...reverse }, true, true],
    [{ status: 'collected', ...reverse }, true, false],
  ]
  for (const [over, named, seen] of cases) {
    const { courier } = track(over)
    assert.equal(courier !== null, named, `${over.status} named`)
    assert.equal(courier?.position != null, seen, `${over.status} seen`)
    const busy = { ...sam, place: { ...sam.place, stopsBefore: 1 } }
    const elsewhere = track(over, { courier: busy }).courier
    assert.equal(elsewhere !== null, named, `${over.status} named before another stop`)
    assert.equal(elsewhere?.position ?? null, null, `${over.status} with another customer first`)
    assert.equal(elsewhere?.km ?? null, null, `${over.status} distance with another customer first`)
  }
  const old = { ...sam, place: { ...sam.place, atMs: nowMs - minutes(11) } }
  assert.equal(track({}, { courier: old }).courier?.position, null, 'an old place is none')
})

test('the estimate is shown while the courier is visible and heading to this address next', () => {
  // 2 km at 20 km/h are 6 minutes from the courier's position a minute ago, plus 2 minutes at the customer's.
  assert.equal(track().likelyMs, Date.parse('2026-11-24T11:59:00+11:00'))
  const busy = { ...sam, place: { ...sam.place, stopsBefore: 1 } }
  assert.equal(track({}, { courier: busy }).likelyMs, null)
  const here = { ...sam, place: { ...sam.place, ...content.destination, atMs: nowMs - minutes(9) } }
  assert.equal(track({}, { courier: here }).likelyMs, nowMs + minutes(1), 'never in the past')
  assert.equal(track({ status: 'assigned' }).likelyMs, null)
})

test('shows four steps and the current one', () => {
  const states = (over: Partial<Delivery>, facts?: Partial<TrackingFacts>) =>
    track(over, facts)
      .steps.map(({ state }) => state)
      .join(' ')
  assert.equal(states({ status: 'requested' }), 'now ahead ahead ahead')
  assert.equal(states({ status: 'booked' }), 'done now ahead ahead')
  assert.equal(states({ status: 'booked', readyForPickupAtMs: nowMs + 1 }), 'now ahead ahead ahead')
  assert.equal(states({ status: 'collected' }), 'done done now ahead')
  assert.equal(states({ status: 'delivered' }), 'done done done done')
  assert.equal(states({ status: 'returned' }), 'done done')
  assert.equal(states({ status: 'cancelled' }), '')
  assert.equal(track().steps[1]?.atMs, at('collected', '11:38').atMs)
})

test('events are shown once each, in the customer’s words', () => {
  const updates = { ...at('collected', '12:10'), to: null, subStatus: 'attempted' } as DeliveryEvent
  const quiet = { ...at('collected', '12:11'), to: null, subStatus: 'in_transit' } as DeliveryEvent
  const events = [
    at('created', '09:00'),
    at('requested', '09:00'),
    at('on_hold', '09:30'),
    at('booked', '10:00'),
    at('assigned', '10:05'),
    at('collected', '11:38'),
    updates,
    quiet,
  ]
  assert.deepEqual(
    track({}, { events }).history.map(({ text }) => text),
    [
      'We have your order.',
      'A courier is arranged.',
      'A courier will bring it.',
      'It is on its way.',
      'The courier was at the door and could not hand it over. The store knows.',
    ],
  )
})

test('a photo is shown only of a parcel left at the door', () => {
  const proof = { left: 'at_door', photo: true, atMs: nowMs } as const
  const events = [at('delivered', '12:04')]
  const delivered = (over: object) =>
    track({ status: 'delivered' }, { events, proof: { ...proof, ...over } }).delivered
  assert.deepEqual(delivered({}), { atMs: at('delivered', '12:04').atMs, left: 'at_door', photo: true })
  assert.equal(delivered({ left: 'with_person' })?.photo, false)
  assert.equal(delivered({ left: null })?.photo, false)
  assert.equal(track({ status: 'collected' }, { proof }).delivered, null)
})

test('couriers are shown by first name', () => {
  for (const [name, first] of [
    ['Sam Okafor', 'Sam'],
    ['  Mia  Tran ', 'Mia'],
    ['Nguyễn', 'Nguyễn'],
    ['', ''],
  ]) {
    assert.equal(toFirstName(name as string), first)
  }
})

test('after a failed attempt no arrival estimate is shown', () => {
  assert.ok(track().likelyMs, 'before it, they are')
  for (const subStatus of ['attempted', 'refused', 'no_id', 'under_18', 'undeliverable'])
    assert.equal(track({ subStatus }).likelyMs, null, subStatus)
})
