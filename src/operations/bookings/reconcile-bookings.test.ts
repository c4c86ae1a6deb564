import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AuspostFixture, auspostFixture } from '../../../test/auspost-fixture.ts'
import { book, freight, read } from '../../../test/booked-deliveries.ts'
import { ON_CITUS } from '../../../test/database.ts'
import { AUSPOST, callerOf } from '../../../test/fake-auspost.ts'
import { anyone, TUESDAY_TEN_MS, testFixture } from '../../../test/fixture.ts'
import { keepRequests } from '../../../test/keep-requests.ts'
import { recordSteps } from '../../../test/kills/record-steps.ts'
import { wholeStore } from '../../../test/manifest-requests.ts'
import { deliveryRequest, timestamp } from '../../../test/requests.ts'
import { until } from '../../../test/wait-until.ts'
import { type AnyIntent, hasRequest, listIntents } from '../../store/deliveries/booking-intents.ts'
import { createDelivery } from '../deliveries/create-delivery.ts'
import { deliveryTimeline } from '../deliveries/delivery-timeline.ts'
import { manifestStore } from '../manifests/manifest-store.ts'
import {
  cancelOrphanedBookings,
  claimOrphanedBookings,
} from '../orphaned-bookings/cancel-orphaned-bookings.ts'
import { claimSuperseded, reconcileBookings } from './reconcile-bookings.ts'
import { reconcileReportedBookings } from './reconcile-reported-bookings.ts'
import { requestCancel } from './request-cancel.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

test('an orphaned booking that the carrier’s list missed once is cancelled when it appears; the current one never is', async (t) => {
  const auspost = await auspostFixture(t)
  const { id, first, second } = await bookedTwice(auspost, 'TWICE-1')
  assert.deepEqual(standing(auspost), [first, second])

  await auspost.advance(11 * MINUTE_MS)
  await until(() => !standing(auspost).includes(first), 'the orphaned booking is cancelled')
  assert.deepEqual(standing(auspost), [second])
  const report = await until(() => surplusReported(auspost, id), 'the merchant gets an event')
  assert.match(
    report.detail ?? '',
    /Australia Post has an extra booking for this delivery, .*, that Drover had abandoned: they have cancelled it\.$/,
  )
  const delivery = await read(auspost.fixture, 'TWICE-1')
  assert.deepEqual([delivery.status, delivery.attention], ['booked', null])

  const before = looked(auspost, 1)
  await auspost.advance(48 * HOUR_MS)
  await settled(auspost)
  assert.equal(looked(auspost, 1), before, 'once it is found, it is looked for no more')
  assert.deepEqual(standing(auspost), [second])
})

test('each earlier key is looked up three times, the current one never', async (t) => {
  const auspost = await auspostFixture(t)
  const { fixture, fake } = auspost
  // A refusal by the carrier itself, and a lookup whose result is correct.
  fake.faults.add({ operation: 'create_shipments', kind: 'cut' })
  await create(auspost, 'NOT-THERE')
  const { id } = await bookedOn(auspost, 'NOT-THERE')
  const intents = await listIntents(fixture.deps.db, 'demo', id)
  assert.deepEqual(
    intents.map(({ state }) => state),
    ['void', 'accepted'],
  )
  assert.equal(looked(auspost, 1), 1)
  for (const [ms, times] of [
    [9 * MINUTE_MS, 1],
    [2 * MINUTE_MS, 2],
    [50 * MINUTE_MS, 3],
    [22 * HOUR_MS, 3],
    [2 * HOUR_MS, 4],
    [48 * HOUR_MS, 4],
  ] as const) {
    await later(auspost, ms)
    assert.equal(looked(auspost, 1), times)
  }
  assert.equal(looked(auspost, 2), 0)
  assert.equal(await surplusReported(auspost, id), undefined)

  const ended = await listIntents(fixture.deps.db, 'demo', id)
  assert.deepEqual(ended.map(hasRequest), [false, false])
  const [{ key, provider }] = ended as [AnyIntent, AnyIntent]
  const articlesOf = ({ parcels }: { parcels: readonly { reference: string }[] }) =>
    parcels.map(({ reference }) => ({ parcelReference: reference, articleIds: [] }))
  const late = { consignmentNumber: 'LATE1', costCents: 1_000 }
  await reconcileReportedBookings(fixture.deps, fixture.demo(), provider, [
    { ...late, key, isOver: false, toBooking: (ours) => ({ ...late, articles: articlesOf(ours) }) },
  ])
  const report = await until(
    () => surplusReported(auspost, id),
    'a report after the last look-up still counts',
  )
  assert.match(report.detail ?? '', /^Australia Post has an extra booking for this delivery, LATE1,/)
})

test('an attempt that never reached the carrier is not looked up', async (t) => {
  const auspost = await auspostFixture(t)
  auspost.fake.faults.add({ operation: 'create_shipments', kind: 'status', status: 429 })
  await create(auspost, 'PUT-OFF')
  const { id } = await bookedOn(auspost, 'PUT-OFF')
  assert.equal((await listIntents(auspost.fixture.deps.db, 'demo', id)).length, 2)
  await later(auspost, 48 * HOUR_MS)
  assert.equal(looked(auspost, 1), 0)
})

test('a booking that a list misses for an hour is found the next day', async (t) => {
  const auspost = await auspostFixture(t)
  const { first, second } = await bookedTwice(auspost, 'LATE')
  auspost.fake.faults.add({ operation: 'get_shipments', kind: 'empty', times: 2 })
  await later(auspost, 11 * MINUTE_MS)
  await later(auspost, HOUR_MS)
  assert.deepEqual(standing(auspost), [first, second])
  await auspost.advance(24 * HOUR_MS)
  await until(() => standing(auspost).length === 1)
  assert.deepEqual(standing(auspost), [second])
})

test('two orphaned bookings are cancelled, and the third is used', async (t) => {
  const auspost = await auspostFixture(t)
  auspost.fake.faults.add({ operation: 'create_shipments', kind: 'lost', times: 2 })
  auspost.fake.faults.add({ operation: 'get_shipments', kind: 'empty', times: 2 })
  await create(auspost, 'THRICE')
  const { id } = await bookedOn(auspost, 'THRICE')
  const made = shipmentsOf(auspost, id)
  assert.equal(made.length, 3)
  await auspost.advance(11 * MINUTE_MS)
  await until(() => standing(auspost).length === 1)
  assert.deepEqual(standing(auspost), [made[2]])
})

test('an earlier booking counts as orphaned, whatever happened to the delivery meanwhile', async (t) => {
  const auspost = await auspostFixture(t)
  const { fixture } = auspost

  await t.test('cancelled', async () => {
    const { id, first } = await bookedTwice(auspost, 'CANCELLED')
    const name = { idOrReference: id, storeReference: null }
    await requestCancel(fixture.deps, fixture.demo(), anyone, name, {
      reason: null,
      carrierReleaseConfirmed: false,
    })
    assert.deepEqual(standing(auspost), [first])
    await auspost.advance(11 * MINUTE_MS)
    await until(() => standing(auspost).length === 0)
    assert.equal((await read(fixture, 'CANCELLED')).status, 'cancelled')
  })

  await t.test('handed over on a manifest', async () => {
    const { id, second } = await bookedTwice(auspost, 'MANIFESTED')
    const manifests = await manifestStore(fixture.deps, fixture.demo(), anyone, wholeStore, null)
    assert.equal(manifests.length, 1)
    await auspost.advance(11 * MINUTE_MS)
    await until(() => standing(auspost).length === 1)
    assert.deepEqual(standing(auspost), [second])
    await until(() => surplusReported(auspost, id))
    assert.equal((await read(fixture, 'MANIFESTED')).manifestStatus, 'manifested')
    const ordered = auspost.fake.ledger.entries({ what: 'order_created' })
    assert.deepEqual(
      ordered.flatMap(({ shipments }) => idsIn(shipments)),
      [second],
    )
  })

  await t.test('without an answer itself', async () => {
    await keepRequests(fixture.deps.db)
    const { id, first, second } = await bookedTwice(auspost, 'BOTH-UNKNOWN')
    await fixture.deps.db.query(
      `with doubted as (
         update booking_intents set state = 'unknown', settle_until = now() where delivery_id = $1 and attempt = 2)
       update deliveries set status = 'on_hold', consignment_number = null, carrier_ref = null, booked_at = null,
         due_at = $2, pending_attempt = 2, fence = fence + 1, lease_until = null where delivery_id = $1`,
      [id, new Date(fixture.demo().nowMs() + 20 * MINUTE_MS).toISOString()],
    )
    await auspost.advance(11 * MINUTE_MS)
    await until(() => !standing(auspost).includes(first))
    assert.equal((await read(fixture, 'BOTH-UNKNOWN')).status, 'on_hold')
    await auspost.advance(30 * MINUTE_MS)
    await bookedOn(auspost, 'BOTH-UNKNOWN')
    assert.ok(standing(auspost).includes(second))
  })
})

test('if a booking is given up and the delivery cancelled, the orphaned booking is cancelled when it is found', async (t) => {
  const auspost = await auspostFixture(t)
  const { fixture, fake } = auspost
  fake.faults.add({ operation: 'create_shipments', kind: 'lost' })
  fake.faults.add({ operation: 'get_shipments', kind: 'empty' })
  await create(auspost, 'GIVEN-UP')
  await until(() => standing(auspost).length === 1)
  fake.faults.add({ operation: 'create_shipments', kind: 'status', status: 429, times: null })
  const { id } = await read(fixture, 'GIVEN-UP')
  await until(async () => (await listIntents(fixture.deps.db, 'demo', id))[0]?.state === 'void')
  const name = { idOrReference: id, storeReference: null }
  await until(() =>
    requestCancel(fixture.deps, fixture.demo(), anyone, name, {
      reason: null,
      carrierReleaseConfirmed: false,
    }).catch(() => null),
  )
  assert.equal(standing(auspost).length, 1)
  await auspost.advance(11 * MINUTE_MS)
  await until(() => standing(auspost).length === 0)
})

test('a carrier without a look-up gets no look-up request', async (t) => {
  const fixture = await testFixture(t)
  const { db } = fixture.deps
  const { id } = await book(fixture, 'FREIGHT', freight)
  await db.query(
    `update booking_intents set state = 'void', abandoned_at = $2, due_at = $2 where delivery_id = $1`,
    [id, new Date(TUESDAY_TEN_MS).toISOString()],
  )
  await until(
    async () => (await db.query('select from booking_intents where due_at is not null')).rows.length === 0,
  )
  const { rows } = await db.query(`select operation from sandbox_ledger where reference = 'FREIGHT'`)
  assert.deepEqual(rows, [{ operation: 'book' }])
})

test('an orphaned booking that its carrier refuses to cancel is reported to the clerk, with the reason', async (t) => {
  const auspost = await auspostFixture(t)
  const { fixture, fake } = auspost
  const { id, first, second } = await bookedTwice(auspost, 'KEPT')
  const call = callerOf(fake.url, AUSPOST)
  const ordered = await call('PUT', '/orders', {
    order_reference: 'closed by others',
    payment_method: 'CHARGE_TO_ACCOUNT',
    shipments: [{ shipment_id: first }],
  })
  assert.equal(ordered.status, 201, JSON.stringify(ordered.body))
  await auspost.advance(11 * MINUTE_MS)
  const report = await until(() => surplusReported(auspost, id))
  assert.equal(report.type, 'delivery.exception')
  assert.match(report.detail ?? '', /they refused to cancel it \(.*\)\. Ring them\.$/)
  const { attention, status } = await read(fixture, 'KEPT')
  assert.equal(status, 'booked')
  assert.match(
    attention ?? '',
    /^Australia Post has an extra booking for this order, number \w+\. They refused to cancel it\. Ring Australia Post and ask them to cancel it\. If a courier comes for it, don’t hand the parcel over twice\.$/,
  )
  assert.deepEqual(standing(auspost), [first, second])
})

test('an unconfirmed cancellation needs a person until it is confirmed', async (t) => {
  const auspost = await auspostFixture(t)
  const { id, second } = await bookedTwice(auspost, 'SILENT')
  auspost.fake.faults.add({ operation: 'delete_shipment', kind: 'cut', times: null })
  await auspost.advance(11 * MINUTE_MS)
  const unconfirmed = await until(async () => (await read(auspost.fixture, 'SILENT')).attention)
  assert.match(
    unconfirmed,
    /We’ve asked them to cancel it, and we’re waiting for them to confirm\. If a courier/,
  )
  auspost.fake.faults.clear()
  await auspost.advance(11 * MINUTE_MS)
  await until(async () => (await read(auspost.fixture, 'SILENT')).attention === null)
  assert.deepEqual(standing(auspost), [second])
  assert.equal((await read(auspost.fixture, id)).status, 'booked')
})

test('a look-up without a response is retried, and reported after two days', async (t) => {
  const auspost = await auspostFixture(t)
  const { id, first, second } = await bookedTwice(auspost, 'MUTE')
  auspost.fake.faults.add({ operation: 'get_shipments', kind: 'cut', times: null })
  await later(auspost, 11 * MINUTE_MS)
  const before = looked(auspost, 1)
  await later(auspost, 13 * MINUTE_MS)
  assert.equal(looked(auspost, 1), before + 1)
  await later(auspost, 48 * HOUR_MS)
  const report = await until(async () =>
    (await timeline(auspost, id)).find(({ detail }) =>
      detail?.includes('never told us if they have an extra booking'),
    ),
  )
  assert.equal(report.type, 'delivery.exception')
  const asked = looked(auspost, 1)
  await later(auspost, 24 * HOUR_MS)
  assert.equal(looked(auspost, 1), asked)
  assert.deepEqual(standing(auspost), [first, second])
})

test('a crash at any step leaves work to resume, and one booking in the end', async (t) => {
  const auspost = await auspostFixture(t)
  const { fixture } = auspost
  const steps = [
    ON_CITUS ? 'claim-due-superseded-of-account' : 'claim-due-superseded',
    'carrier finds',
    'record-orphan',
    'end-last-look',
    'carrier cancels',
    'commit',
  ]
  for (const [index, step] of steps.entries()) {
    if (index > 0) fixture.parts.runner.start()
    const { id, second } = await bookedTwice(auspost, `DIES-${index}`)
    await fixture.parts.runner.stop(30_000)
    await auspost.advance(11 * MINUTE_MS)
    let died = false
    const dying = recordSteps(fixture.deps, (passed) => {
      if (died || passed !== step) return
      died = true
      throw new Error('died')
    })
    await claimSuperseded(dying, 10)
      .then((due) => reconcileBookings(dying, due))
      .then(async () => cancelOrphanedBookings(dying, await claimOrphanedBookings(dying, 10)))
      .catch(() => {})
    assert.ok(died, step)
    for (const table of ['booking_intents', 'orphaned_bookings'])
      await fixture.deps.db.query(`update ${table} set lease_until = now() - interval '1 second'`)
    await reconcileBookings(fixture.deps, await claimSuperseded(fixture.deps, 10))
    await cancelOrphanedBookings(fixture.deps, await claimOrphanedBookings(fixture.deps, 10))
    const own = shipmentsOf(auspost, id)
    assert.deepEqual(
      standing(auspost).filter((one) => own.includes(one)),
      [second],
      step,
    )
    assert.equal(
      (await timeline(auspost, id)).filter(({ detail }) => /had abandoned/.test(detail ?? '')).length,
      1,
      step,
    )
  }
})

test('a claimed look-up belongs to one process, and moves back with the clock', async (t) => {
  const auspost = await auspostFixture(t)
  const { fixture } = auspost
  await bookedTwice(auspost, 'CLAIMED')
  await fixture.parts.runner.stop(30_000)
  await auspost.advance(11 * MINUTE_MS)
  const claims = await Promise.all([1, 2, 3].map(() => claimSuperseded(fixture.deps, 10)))
  assert.equal(claims.flat().length, 1)
  assert.equal((await claimSuperseded(fixture.deps, 10)).length, 0)
  await fixture.deps.db.query(
    `update booking_intents set lease_until = null, due_at = $1 where due_at is not null`,
    [new Date(fixture.demo().nowMs() + MINUTE_MS).toISOString()],
  )
  await fixture.setClock(fixture.demo().nowMs() - 5 * HOUR_MS)
  assert.equal((await claimSuperseded(fixture.deps, 10)).length, 0)
  await fixture.setClock(fixture.demo().nowMs() + 2 * MINUTE_MS)
  assert.equal((await claimSuperseded(fixture.deps, 10)).length, 1)
})

/** Booked under `-1`, where the answer was lost and a lookup missed it once, and therefore under `-2` too. */
async function bookedTwice(auspost: AuspostFixture, reference: string) {
  auspost.fake.faults.add({ operation: 'create_shipments', kind: 'lost' })
  auspost.fake.faults.add({ operation: 'get_shipments', kind: 'empty' })
  await create(auspost, reference)
  const delivery = await bookedOn(auspost, reference)
  const [first, second] = shipmentsOf(auspost, delivery.id)
  assert.ok(first && second, 'it stands under two keys')
  return { id: delivery.id, first, second }
}

function bookedOn({ fixture }: AuspostFixture, reference: string) {
  return until(async () => {
    const now = await read(fixture, reference)
    return now.status === 'booked' && now
  }, `${reference} is booked`)
}

function create({ fixture }: AuspostFixture, reference: string) {
  const request = {
    ...deliveryRequest,
    storeReference: 'melbourne-cbd',
    readyForPickupAt: timestamp('2026-11-24T10:10:00+11:00'),
    deliveryType: 'standard' as const,
    reference,
  }
  const options = { idempotency: null, answer: () => ({ status: 201, headers: {}, body: '' }) }
  return createDelivery(fixture.deps, fixture.demo(), anyone, request, options)
}

/** Ids of all shipments ever made for a delivery, in the order of its keys. */
function shipmentsOf({ fake }: AuspostFixture, id: string): string[] {
  return fake.ledger
    .entries({ what: 'shipment_created' })
    .filter(({ sender_references }) => String(sender_references).startsWith(id))
    .map(({ shipment_id }) => String(shipment_id))
}

/** Ids of the shipments that were made and not deleted. */
function standing({ fake }: AuspostFixture): string[] {
  const idsOf = (what: string) => fake.ledger.entries({ what }).map(({ shipment_id }) => String(shipment_id))
  const gone = new Set(idsOf('shipment_deleted'))
  return idsOf('shipment_created').filter((one) => !gone.has(one))
}

/** How often the carrier was queried about an attempt. */
function looked({ fake }: AuspostFixture, attempt: number): number {
  const asked = new RegExp(`sender_reference=dlv_[0-9a-z]+-${attempt}$`)
  return fake.ledger.entries({ what: 'request' }).filter(({ query }) => asked.test(String(query))).length
}

function timeline({ fixture }: AuspostFixture, id: string) {
  return deliveryTimeline(fixture.deps, fixture.demo(), anyone, { idOrReference: id, storeReference: null })
}

async function surplusReported(auspost: AuspostFixture, id: string) {
  return (await timeline(auspost, id)).find(({ detail }) => detail?.includes('had abandoned'))
}

/** Advances both clocks, then runs all lookups that are due. */
async function later(auspost: AuspostFixture, ms: number): Promise<void> {
  await auspost.advance(ms)
  await settled(auspost)
}

function idsIn(shipments: unknown): string[] {
  return (shipments as { shipment_id: string }[]).map(({ shipment_id }) => shipment_id)
}

/** Waits until no lookup is due. */
function settled({ fixture }: AuspostFixture) {
  return until(async () => {
    const { rows } = await fixture.deps.db.query(`select from booking_intents where due_at <= $1 limit 1`, [
      new Date(fixture.demo().nowMs()).toISOString(),
    ])
    return rows.length === 0
  }, 'all that is due has been looked for')
}
