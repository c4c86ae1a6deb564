import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anyone, TUESDAY_TEN_MS } from '../../../test/fixture.ts'
import { requestParcel } from '../../../test/requests.ts'
import { restoredAfter } from '../../../test/restored-database.ts'
import { until } from '../../../test/wait-until.ts'
import type { DeliveryRequest } from '../../domain/delivery/request.ts'
import { reasonAndRemedy } from '../../domain/delivery/status-remedy.ts'
import { listIntents } from '../../store/deliveries/booking-intents.ts'
import { bookNow } from '../bookings/book-now.ts'
import { requestCancel } from '../bookings/request-cancel.ts'

const HOUR_MS = 3_600_000
const standard: Partial<DeliveryRequest> = { deliveryType: 'standard' }
/** Goods that only Big Haul accepts: a carrier without a lookup. */
const freight: Partial<DeliveryRequest> = {
  parcels: [{ ...requestParcel, type: 'pallet', lengthCm: 110, widthCm: 110, heightCm: 120, weightKg: 300 }],
}

test('a booking that the restored database has lost is taken over, and not made again', async (t) => {
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
    [`${id}-1`, `${id}-21`],
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
      [`${id}-21`, 'accepted'],
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

test('if a carrier without a lookup may have a delivery, it goes on hold until a person records the carrier’s answer', async (t) => {
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

test('Drover does not wait for a carrier whose staff have said that they have no bookings', async (t) => {
  const restored = await restoredAfter(t, { 'BIG-3': freight })
  assert.deepEqual(await restored.prepare(['big_haul']), { toLookUp: 0, toAskStaff: 0 })
  restored.work()
  await restored.until('BIG-3', 'booked')
  await assert.rejects(
    restored.prepare(['big_hall']),
    /No account has the carrier big_hall that --none-at names/,
  )
})

test('a delivery that was on hold at the moment, and booked after it, is found', async (t) => {
  const restored = await restoredAfter(
    t,
    { 'HELD-1': standard, 'HELD-2': standard },
    ({ book }) => book('HELD-1'),
    { atMoment: { status: 'on_hold', status_reason: 'Ring us.', due_at: null } },
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
