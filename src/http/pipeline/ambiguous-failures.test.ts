import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AuspostFixture, auspostFixture } from '../../../test/auspost-fixture.ts'
import { read } from '../../../test/booked-deliveries.ts'
import { countBookings, create, get, networks, untilDelivery } from '../../../test/courier-networks.ts'
import { anyone } from '../../../test/fixture.ts'
import { control } from '../../../test/live-carriers.ts'
import { wholeStore } from '../../../test/manifest-requests.ts'
import { deliveryRequest, timestamp } from '../../../test/requests.ts'
import { until } from '../../../test/wait-until.ts'
import { requestCancel } from '../../operations/bookings/request-cancel.ts'
import { createDelivery } from '../../operations/deliveries/create-delivery.ts'
import { getManifest } from '../../operations/manifests/get-manifest.ts'
import { manifestStore } from '../../operations/manifests/manifest-store.ts'

const MINUTE_MS = 60_000

for (const network of ['uber_direct', 'doordash'] as const) {
  test(`${network} answers with a timeout or failure but has the delivery: one courier is booked`, async (t) => {
    const { api, uber, dash } = await networks(t)
    const fake = network === 'uber_direct' ? uber : dash
    // With webhooks lost, only the response and later polls can report the booking.
    for (const one of [uber, dash]) await control(one, '/_fake/webhook-troubles', { lost_every: 1 })
    if (network === 'doordash') await control(uber, '/_fake/couriers', { free: false })
    fake.faults.add({ operation: 'create_delivery', kind: 'failed_answer' })
    const { id } = await create(api)
    await api.fixture.setClock(api.fixture.demo().nowMs() + MINUTE_MS)
    const booked = await untilDelivery(api, id, ({ status }) => status !== 'requested')
    assert.deepEqual([booked.status, booked.carrier_provider], ['booked', network])
    assert.equal(countBookings(uber) + countBookings(dash), 1)
  })

  test(`a cancel that ${network} answers with a failure is retried until its outcome is known`, async (t) => {
    const { api, uber, dash } = await networks(t)
    const fake = network === 'uber_direct' ? uber : dash
    for (const one of [uber, dash]) await control(one, '/_fake/webhook-troubles', { lost_every: 1 })
    if (network === 'doordash') await control(uber, '/_fake/couriers', { free: false })
    const { id } = await create(api)
    fake.faults.add({ operation: 'cancel_delivery', kind: 'failed_answer' })
    const refused = await api.call(`PATCH /demo/deliveries/${id}/request-cancel`)
    assert.deepEqual([refused.status, refused.json.code], [409, 'cancellation_pending'])
    await api.fixture.setClock(api.fixture.demo().nowMs() + 5 * MINUTE_MS)
    await untilDelivery(api, id, ({ status }) => status === 'cancelled')
    assert.equal(countBookings(uber) + countBookings(dash), 1)
  })
}

test('a cancel right after the booking, while DoorDash still creates it, is retried and succeeds', async (t) => {
  const { api, uber, dash } = await networks(t)
  await control(uber, '/_fake/couriers', { free: false })
  await control(dash, '/_fake/creation', { seconds: 20 })
  const { id, status } = await create(api)
  assert.equal(status, 'booked')
  // The first gets delivery_creation_in_progress, the second duplicate_request.
  for (const _ of ['first', 'second']) {
    const refused = await api.call(`PATCH /demo/deliveries/${id}/request-cancel`)
    assert.deepEqual([refused.status, refused.json.code], [409, 'cancellation_pending'])
  }
  assert.equal((await get(api, id)).status, 'booked')
  dash.clock.advance(21_000)
  await api.fixture.setClock(api.fixture.demo().nowMs() + 5 * MINUTE_MS)
  await untilDelivery(api, id, ({ status }) => status === 'cancelled')
  assert.deepEqual([countBookings(dash), dash.ledger.entries({ what: 'delivery_cancelled' }).length], [1, 1])
})

test('the next carrier is tried if Uber does not find the address', async (t) => {
  const { api, uber, dash } = await networks(t)
  await control(uber, '/_fake/map', { unknown: 'Carlton' })
  const { status, carrier_provider } = await create(api)
  assert.deepEqual([status, carrier_provider], ['booked', 'doordash'])
  assert.deepEqual([countBookings(uber), countBookings(dash)], [0, 1])
})

test('an Australia Post system error after a shipment, an order or a delete duplicates none of them', async (t) => {
  const { fixture, fake } = await auspostFixture(t)
  const count = (what: string) => fake.ledger.entries({ what }).length
  for (const [reference, status] of [
    ['S-1', 400],
    ['S-2', 422],
  ] as const) {
    fake.faults.add({ operation: 'create_shipments', kind: 'failed_answer', status })
    await createStandard(fixture, reference)
    const there = await until(async () => {
      const delivery = await read(fixture, reference)
      return delivery.status !== 'requested' && delivery
    }, 'its booking is found')
    assert.equal(there.status, 'booked', there.statusReason ?? '')
  }
  assert.equal(count('shipment_created'), 2)

  fake.faults.add({ operation: 'delete_shipment', kind: 'failed_answer' })
  const name = { idOrReference: 'S-2', storeReference: null }
  const request = { reason: null, carrierReleaseConfirmed: false }
  await assert.rejects(
    requestCancel(fixture.deps, fixture.demo(), anyone, name, request),
    /not confirmed the cancellation yet/,
  )
  await fixture.setClock(fixture.demo().nowMs() + 5 * MINUTE_MS)
  await until(async () => (await read(fixture, 'S-2')).status === 'cancelled', 'it is cancelled')
  assert.equal(count('shipment_deleted'), 1)

  fake.faults.add({ operation: 'order_shipments', kind: 'failed_answer' })
  const [countBookings] = await manifestStore(fixture.deps, fixture.demo(), anyone, wholeStore, null)
  await until(async () => {
    const { manifest } = await getManifest(fixture.deps, fixture.demo(), anyone, countBookings!.manifest.id)
    return manifest.state === 'submitted'
  }, 'its order is found')
  assert.equal(count('order_created'), 1)
})

async function createStandard(fixture: AuspostFixture['fixture'], reference: string): Promise<void> {
  const request = {
    ...deliveryRequest,
    storeReference: 'melbourne-cbd',
    readyForPickupAt: timestamp('2026-11-24T12:00:00+11:00'),
    deliveryType: 'standard' as const,
    bookDeliveryNow: true,
    reference,
  }
  const options = { idempotency: null, answer: () => ({ status: 201, headers: {}, body: '' }) }
  await createDelivery(fixture.deps, fixture.demo(), anyone, request, options)
}
