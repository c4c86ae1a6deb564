import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { anyone, type Fixture, TUESDAY_TEN_MS, testFixture, WORLD_SECRET_KEY } from '../../../test/fixture.ts'
import { deliveryRequest, timestamp } from '../../../test/requests.ts'
import { until } from '../../../test/wait-until.ts'
import { sandboxCredentials } from '../../carriers/sandbox/sandbox-state.ts'
import type { Status } from '../../domain/delivery/status.ts'
import { createDelivery } from '../deliveries/create-delivery.ts'
import { deliveryTimeline } from '../deliveries/delivery-timeline.ts'
import { getDelivery } from '../delivery-lookup/get-delivery.ts'
import { applyCarrierEvents } from './apply-carrier-events.ts'
import { receiveCarrierWebhook } from './receive-carrier-webhook.ts'

const HOUR_MS = 3_600_000

test('a carrier event before its booking’s confirmation is retried, and none is lost', async (t) => {
  const fixture = await testFixture(t, { work: false })
  await create(fixture, 'E-lost-answer')
  assert.equal((await read(fixture, 'E-lost-answer')).status, 'requested')
  const job = await jobOf(fixture, 'E-lost-answer')
  await assert.rejects(report(fixture, job, 'driver_assigned'), { code: 'booking_in_progress' })

  // A job of another client that uses the same account at the carrier.
  const fee = { amount: '10.99', currency: 'AUD' }
  const theirs = { idempotency_key: 'their-own-key', job: { id: 'SW-THEIRS', fee, items: [] } }
  assert.deepEqual(await report(fixture, 'SW-THEIRS', 'driver_assigned', theirs), {
    accepted: 0,
    unreadable: 0,
  })
  await assert.rejects(report(fixture, 'SW-UNNAMED', 'driver_assigned'), { code: 'booking_in_progress' })

  fixture.parts.runner.start()
  await fixture.setClock(TUESDAY_TEN_MS + HOUR_MS)
  await untilStatus(fixture, 'E-lost-answer', 'booked')
  assert.deepEqual(await report(fixture, job, 'driver_assigned'), { accepted: 1, unreadable: 0 })
  assert.equal((await read(fixture, 'E-lost-answer')).status, 'assigned')
})

test('an event of an unknown job is dropped if no booking is in flight', async (t) => {
  const fixture = await testFixture(t, { work: false })
  assert.deepEqual(await report(fixture, 'SW-OTHER', 'dropped_off'), { accepted: 0, unreadable: 0 })
})

test('an event of an earlier booking does not change a delivery with a later one', async (t) => {
  const fixture = await testFixture(t, { work: false })
  await create(fixture, 'A-moved-on')
  const { id, status } = await read(fixture, 'A-moved-on')
  assert.equal(status, 'booked')
  const event = { eventId: 'one', atMs: TUESDAY_TEN_MS, subStatus: null, message: 'canceled' }
  const before = { ...event, consignmentNumber: 'SW-BEFORE', status: 'cancelled' as const }
  for (const updates of [before, { ...before, carrierReleased: true as const }]) {
    const row = await applyCarrierEvents(fixture.deps, fixture.demo(), id, [updates])
    assert.equal(row?.status, 'booked')
  }
})

test('a delivery that is collected and released in one update is not booked elsewhere', async (t) => {
  const fixture = await testFixture(t, { work: false })
  await create(fixture, 'A-on-the-way')
  const { id, consignmentNumber } = await read(fixture, 'A-on-the-way')
  const updates = { consignmentNumber: consignmentNumber ?? '', subStatus: null, message: 'told' }
  const row = await applyCarrierEvents(fixture.deps, fixture.demo(), id, [
    { ...updates, eventId: 'one', atMs: TUESDAY_TEN_MS, status: 'collected' },
    { ...updates, eventId: 'two', atMs: TUESDAY_TEN_MS + 1_000, status: 'cancelled', carrierReleased: true },
  ])
  assert.deepEqual([row?.status, row?.sub_status], ['collected', 'undeliverable'])
  assert.equal(row?.consignment_number, consignmentNumber)
})

test('an event dated in the future counts as now', async (t) => {
  const fixture = await testFixture(t, { work: false })
  await create(fixture, 'A-ahead')
  const { id, consignmentNumber } = await read(fixture, 'A-ahead')
  const updates = { consignmentNumber: consignmentNumber ?? '', subStatus: null, message: 'told' }
  const nowMs = fixture.demo().nowMs()
  const tell = (eventId: string, status: Status, atMs: number) =>
    applyCarrierEvents(fixture.deps, fixture.demo(), id, [{ ...updates, eventId, status, atMs }])
  const ahead = await tell('one', 'collected', nowMs + 24 * HOUR_MS)
  assert.ok((ahead?.carrier_event_at ?? 0) < nowMs + HOUR_MS)
  const retryLater = await tell('two', 'delivered', fixture.demo().nowMs() + 60_000)
  assert.deepEqual([ahead?.status, retryLater?.status], ['collected', 'delivered'])
})

test('events in any order of receipt end in the same status, and are listed oldest first', async (t) => {
  const fixture = await testFixture(t, { work: false })
  await create(fixture, 'A-disordered')
  const { id, consignmentNumber } = await read(fixture, 'A-disordered')
  const beganMs = fixture.demo().nowMs() - 2 * 60_000
  const tell = (minute: number, status: Status | null, subStatus: string | null = null) => {
    const atMs = beganMs + minute * 60_000
    const updates = { eventId: `at ${minute}`, atMs, status, subStatus, message: `${status} ${subStatus}` }
    return applyCarrierEvents(fixture.deps, fixture.demo(), id, [
      { ...updates, consignmentNumber: consignmentNumber ?? '' },
    ])
  }
  await tell(1, 'assigned')
  await tell(3, 'assigned')
  assert.equal((await tell(2, 'reassigned'))?.status, 'assigned', 'the next courier has it')
  await tell(6, null, 'delayed')
  const collected = await tell(5, 'collected')
  assert.deepEqual([collected?.status, collected?.sub_status], ['collected', 'delayed'])
  const attempted = await tell(4, 'collected', 'damaged')
  assert.deepEqual([attempted?.status, attempted?.sub_status], ['collected', 'delayed'])

  const timeline = await deliveryTimeline(fixture.deps, fixture.demo(), anyone, {
    idOrReference: 'A-disordered',
    storeReference: null,
  })
  assert.deepEqual(
    timeline
      .filter(({ source }) => source === 'carrier')
      .map(({ type, to, subStatus, atMs }) => [(atMs - beganMs) / 60_000, to ?? subStatus ?? '', type]),
    [
      [1, 'assigned', 'delivery.status_changed'],
      [2, '', 'delivery.carrier_update'],
      [3, '', 'delivery.carrier_update'],
      [4, 'damaged', 'delivery.carrier_update'],
      [4, 'damaged', 'delivery.exception'],
      [5, 'collected', 'delivery.status_changed'],
      [6, 'delayed', 'delivery.status_changed'],
      [6, 'delayed', 'delivery.exception'],
    ],
  )
})

async function create(fixture: Fixture, reference: string): Promise<void> {
  const request = {
    ...deliveryRequest,
    reference,
    storeReference: 'melbourne-cbd',
    deliveryType: 'fast',
    bookDeliveryNow: true,
    readyForPickupAt: timestamp('2026-11-24T16:00:00+11:00'),
  } as const
  const options = { idempotency: null, answer: () => ({ status: 201, headers: {}, body: '' }) }
  await createDelivery(fixture.deps, fixture.demo(), anyone, request, options)
}

function read(fixture: Fixture, idOrReference: string) {
  return getDelivery(fixture.deps, fixture.demo(), anyone, { idOrReference, storeReference: null })
}

async function untilStatus(fixture: Fixture, reference: string, status: string): Promise<void> {
  await until(async () => (await read(fixture, reference)).status === status, `${reference} is ${status}`)
}

/** The number that Swiftly assigned and that we never received. */
async function jobOf(fixture: Fixture, reference: string): Promise<string> {
  const { rows } = await fixture.deps.db.query(
    `select consignment_number from sandbox_ledger where reference = $1 and outcome = 'booked'`,
    [reference],
  )
  return rows[0].consignment_number
}

function report(fixture: Fixture, job: string, state: string, whole: object = {}) {
  const occurredAt = new Date(fixture.demo().nowMs()).toISOString()
  const events = [{ id: `${job}-${state}`, job_id: job, state, occurred_at: occurredAt, ...whole }]
  const body = Buffer.from(JSON.stringify({ events }))
  const { webhook_secret } = sandboxCredentials(WORLD_SECRET_KEY, 'demo', 'swiftly')
  const timestampNow = `${Math.floor(Date.now() / 1000)}`
  const digest = createHmac('sha256', webhook_secret).update(`${timestampNow}.`).update(body).digest('hex')
  const headers = { 'swiftly-timestamp': timestampNow, 'swiftly-signature': `v1=${digest}` }
  return receiveCarrierWebhook(fixture.deps, { accountId: 'demo', provider: 'swiftly', headers, body })
}
