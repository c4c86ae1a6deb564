import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { anyone, type Fixture, TUESDAY_TEN_MS, testFixture } from '../../../test/fixture.ts'
import { deliveryRequest, requestParcel, timestamp } from '../../../test/requests.ts'
import { until } from '../../../test/wait-until.ts'
import type { Delivery } from '../../domain/delivery/delivery.ts'
import type { DeliveryRequest } from '../../domain/delivery/request.ts'
import type { Status } from '../../domain/delivery/status.ts'
import { reasonAndRemedy } from '../../domain/delivery/status-remedy.ts'
import { listIntents } from '../../store/deliveries/booking-intents.ts'
import { createDelivery } from '../deliveries/create-delivery.ts'
import { getDelivery } from '../delivery-lookup/get-delivery.ts'
import type { Deps } from '../deps.ts'
import { type Prepared, prepareAfterRestore } from './after-restore.ts'
import { bookNow } from './book-now.ts'
import { requestCancel } from './request-cancel.ts'
import { resolveBookingManually } from './resolve-booking-manually.ts'

const HOUR_MS = 3_600_000
const standard: Partial<DeliveryRequest> = { deliveryType: 'standard' }
/** Goods that only Big Haul accepts: a carrier without a lookup. */
const freight: Partial<DeliveryRequest> = {
  parcels: [{ ...requestParcel, type: 'pallet', lengthCm: 110, widthCm: 110, heightCm: 120, weightKg: 300 }],
}

test('a booking that the restored database has forgotten is taken over, and not made again', async (t) => {
  const restored = await restoredAfter(t, { 'LOST-1': standard }, ({ book }) => book('LOST-1'))
  const [number, ...others] = await restored.numbers('LOST-1')
  assert.ok(number && others.length === 0)
  assert.deepEqual(await restored.prepare(), { toLookUp: 1, toAskStaff: 0 })
  restored.work()
  assert.equal((await restored.until('LOST-1', 'booked')).consignmentNumber, number)
  assert.deepEqual(await restored.numbers('LOST-1'), [number])
})

test('a booking under a later key of the lost period is taken over too', async (t) => {
  const restored = await restoredAfter(t, { 'LOST-3': standard }, async ({ fixture, book }) => {
    await book('LOST-3')
    await fixture.deps.db.query(`update sandbox_consignments set reference = left(reference, -1) || '3'`)
  })
  const [number] = await restored.numbers('LOST-3')
  await restored.prepare()
  restored.work()
  assert.equal((await restored.until('LOST-3', 'booked')).consignmentNumber, number)
  assert.deepEqual(await restored.numbers('LOST-3'), [number])
})

test('an attempt that was open at the moment covers the attempts after it', async (t) => {
  const restored = await restoredAfter(
    t,
    { 'OPEN-1': standard, 'OPEN-2': standard },
    async ({ fixture, book }) => {
      await book('OPEN-1')
      await fixture.deps.db.query(`update sandbox_consignments set reference = left(reference, -1) || '2'`)
    },
  )
  const { db } = restored.fixture.deps
  // The database at the moment has their first attempts, as a worker had sent them.
  await restored.prepare()
  await db.query(`update booking_intents set state = 'sent', lost_period = null`)
  const [number] = await restored.numbers('OPEN-1')
  assert.deepEqual(await restored.prepare(), { toLookUp: 2, toAskStaff: 0 })
  restored.work()
  assert.equal((await restored.until('OPEN-1', 'booked')).consignmentNumber, number)
  const { id } = await restored.until('OPEN-2', 'booked')
  assert.equal((await restored.numbers('OPEN-2')).length, 1)
  const intents = await listIntents(db, 'demo', id)
  assert.deepEqual(
    intents.map(({ key }) => key),
    [`${id}-1`, `${id}-6`],
  )
})

test('a delivery that no carrier has is booked once, under a key that the lost period cannot have used', async (t) => {
  const restored = await restoredAfter(t, { 'FREE-1': standard })
  await restored.prepare()
  restored.work()
  const { id } = await restored.until('FREE-1', 'booked')
  assert.equal((await restored.numbers('FREE-1')).length, 1)
  const intents = await listIntents(restored.fixture.deps.db, 'demo', id)
  assert.deepEqual(
    intents.map(({ key, state }) => [key, state]),
    [
      [`${id}-1`, 'void'],
      [`${id}-6`, 'accepted'],
    ],
  )
})

test('a delivery that was not due is looked up at once, and booked at its time', async (t) => {
  const readyForPickupAt = { kind: 'instant', ms: TUESDAY_TEN_MS + 4 * HOUR_MS } as const
  const restored = await restoredAfter(t, { 'LATER-1': { ...standard, readyForPickupAt } })
  const before = await restored.dueAtMs('LATER-1')
  await restored.prepare()
  restored.work()
  await until(async () => (await restored.read('LATER-1')).bookingAttempt === null, 'it is looked up')
  await until(async () => (await restored.dueAtMs('LATER-1')) === before, 'it is due at its time again')
  assert.deepEqual(await restored.numbers('LATER-1'), [])
  await restored.fixture.setClock(TUESDAY_TEN_MS + 3 * HOUR_MS)
  await restored.until('LATER-1', 'booked')
})

test('a delivery that a carrier without a lookup may have goes on hold, until a person has its answer', async (t) => {
  const orders = { 'BIG-1': freight, 'BIG-2': freight }
  const restored = await restoredAfter(t, orders, ({ book }) => book('BIG-1'))
  const [number] = await restored.numbers('BIG-1')
  assert.ok(number)
  assert.deepEqual(await restored.prepare(), { toLookUp: 2, toAskStaff: 2 })
  restored.work()
  const held = await restored.until('BIG-1', 'on_hold')
  assert.equal(
    reasonAndRemedy(held),
    'Our records were restored from a backup, so we don’t know if Big Haul already has this order. Ask the carrier whether they have it, then record their answer. We won’t book another carrier until you do.',
  )
  await restored.until('BIG-2', 'on_hold')
  const booked = await restored.settle('BIG-1', { booked: true, consignmentNumber: number })
  assert.deepEqual([booked.status, booked.consignmentNumber], ['booked', number])
  await restored.settle('BIG-2', { booked: false })
  await restored.until('BIG-2', 'booked')
  assert.equal((await restored.numbers('BIG-2')).length, 1)
})

test('a carrier whose staff have said that it has no bookings is not waited for', async (t) => {
  const restored = await restoredAfter(t, { 'BIG-3': freight })
  assert.deepEqual(await restored.prepare(['big_haul']), { toLookUp: 0, toAskStaff: 0 })
  restored.work()
  await restored.until('BIG-3', 'booked')
  await assert.rejects(restored.prepare(['big_hall']), /--none-at big_hall is no carrier of any account/)
})

test('a delivery that was on hold at the moment, and booked after it, is found', async (t) => {
  const restored = await restoredAfter(
    t,
    { 'HELD-1': standard, 'HELD-2': standard },
    ({ book }) => book('HELD-1'),
    { status: 'on_hold', status_reason: 'Ring us.', due_at: null },
  )
  const [number] = await restored.numbers('HELD-1')
  await restored.prepare()
  await assert.rejects(
    bookNow(restored.fixture.deps, restored.fixture.demo(), anyone, restored.named('HELD-2')),
    { code: 'not_bookable' },
  )
  restored.work()
  assert.equal((await restored.until('HELD-1', 'booked')).consignmentNumber, number)
  await until(async () => (await restored.read('HELD-2')).bookingAttempt === null, 'it is looked up')
  const { status, statusReason } = await restored.read('HELD-2')
  assert.deepEqual([status, statusReason], ['on_hold', 'Ring us.'])
})

test('nobody cancels a delivery between the restore and the lookup', async (t) => {
  const restored = await restoredAfter(t, { 'CANCEL-1': standard }, ({ book }) => book('CANCEL-1'))
  const { deps, demo } = restored.fixture
  await restored.prepare()
  const cancel = () =>
    requestCancel(deps, demo(), anyone, restored.named('CANCEL-1'), {
      ...{ reason: null, carrierReleaseConfirmed: false },
    })
  await assert.rejects(cancel(), { code: 'booking_in_progress' })
  restored.work()
  await restored.until('CANCEL-1', 'booked')
  assert.equal((await cancel()).status, 'cancelled')
  const { rows } = await deps.db.query('select from sandbox_consignments where cancelled_at is null')
  assert.equal(rows.length, 0)
})

test('a run that was killed halfway is continued by the next, and another run changes nothing', async (t) => {
  const orders = { 'TWICE-1': standard, 'TWICE-2': standard, 'TWICE-3': standard }
  const restored = await restoredAfter(t, orders, ({ book }) => book('TWICE-3'))
  const opened: string[] = []
  const { db } = restored.fixture.deps
  const dying = new Proxy(db, {
    get: (pool, name) =>
      name !== 'query'
        ? Reflect.get(pool, name)
        : async (query: { name?: string }) => {
            if (query.name === 'open-lost-attempt' && opened.push('') > 1) throw new Error('killed')
            return pool.query(query as Parameters<typeof pool.query>[0])
          },
  })
  await assert.rejects(restored.prepare([], { ...restored.fixture.deps, db: dying }), /killed/)
  assert.deepEqual(await restored.prepare(), { toLookUp: 2, toAskStaff: 0 })
  assert.deepEqual(await restored.prepare(), { toLookUp: 0, toAskStaff: 0 })
  restored.work()
  for (const reference of Object.keys(orders)) {
    await restored.until(reference, 'booked')
    assert.equal((await restored.numbers(reference)).length, 1, reference)
  }
})

type Restored = {
  fixture: Fixture
  prepare(noneAt?: readonly string[], deps?: Deps): Promise<Prepared>
  /** Starts the workers. The carriers' bookings have settled. */
  work(): void
  read(reference: string): Promise<Delivery>
  until(reference: string, status: Status): Promise<Delivery>
  settle(reference: string, finding: Parameters<typeof resolveBookingManually>[4]): Promise<Delivery>
  named(reference: string): { idOrReference: string; storeReference: null }
  dueAtMs(reference: string): Promise<number | null>
  /** The numbers of the consignments that the sandbox carriers have of an order. */
  numbers(reference: string): Promise<string[]>
}

/** Creates the orders, notes the moment, lets `lost` happen at the carriers, and sets the deliveries back. */
async function restoredAfter(
  t: TestContext,
  orders: Readonly<Record<string, Partial<DeliveryRequest>>>,
  lost: (period: {
    fixture: Fixture
    book(reference: string): Promise<void>
  }) => Promise<void> = async () => {},
  atMoment: object = {},
): Promise<Restored> {
  const fixture = await testFixture(t, { work: false })
  const { deps, demo } = fixture
  const named = (idOrReference: string) => ({ idOrReference, storeReference: null })
  const read = (reference: string) => getDelivery(deps, demo(), anyone, named(reference))
  for (const [reference, changes] of Object.entries(orders)) {
    const options = { idempotency: null, answer: () => ({ status: 201, headers: {}, body: '' }) }
    await createDelivery(deps, demo(), anyone, { ...ready, reference, ...changes }, options)
  }
  const { rows } = await deps.db.query(`select to_jsonb(d) || $1::jsonb as row from deliveries as d`, [
    atMoment,
  ])
  const momentMs = Date.now()
  const book = async (reference: string) => {
    assert.equal((await bookNow(deps, demo(), anyone, named(reference))).status, 'booked')
  }
  await lost({ fixture, book })
  await deps.db.query(`delete from events where type = 'delivery.booked'`)
  await deps.db.query('delete from booking_intents')
  for (const { row } of rows) {
    await deps.db.query(
      `update deliveries as d set (${SET_BACK}) = (select ${SET_BACK} from jsonb_populate_record(d, $1::jsonb))
       where delivery_id = $1::jsonb->>'delivery_id'`,
      [row],
    )
  }
  return {
    fixture,
    read,
    named,
    async prepare(noneAt = [], with_ = deps) {
      const prepared = await prepareAfterRestore(with_, { momentMs, withoutBookings: new Set(noneAt) })
      await deps.db.query(`update booking_intents set settle_until = now()`)
      await deps.db.query('update sandbox_consignments set findable_from = now()')
      return prepared
    },
    work: () => fixture.parts.runner.start(),
    until: (reference, status) =>
      until(async () => {
        const delivery = await read(reference)
        return delivery.status === status && delivery
      }, `${reference} is ${status}`),
    settle: (reference, finding) =>
      resolveBookingManually(deps, demo(), anyone, named(reference), finding, async (_, settled) => settled),
    async dueAtMs(reference) {
      const { rows } = await deps.db.query('select due_at from deliveries where reference = $1', [reference])
      return rows[0].due_at
    },
    async numbers(reference) {
      const { rows } = await deps.db.query(
        'select consignment_number from sandbox_consignments where merchant_reference = $1',
        [reference],
      )
      return rows.map(({ consignment_number }) => consignment_number)
    },
  }
}

const SET_BACK = `status, status_reason, chosen, carrier_provider, consignment_number, carrier_ref, articles, manifest_status,
  booking_attempts, pending_attempt, booked_at, due_at, window_from, window_to, lease_until, fence`

/** One small carton from Melbourne CBD, ready half an hour after the clock's start. */
const ready: DeliveryRequest = {
  ...deliveryRequest,
  storeReference: 'melbourne-cbd',
  readyForPickupAt: timestamp('2026-11-24T10:30:00+11:00'),
}
