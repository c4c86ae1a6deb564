import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ON_CITUS } from '../../../test/database.ts'
import { TUESDAY_TEN_MS } from '../../../test/fixture.ts'
import { requestParcel } from '../../../test/requests.ts'
import { type Restored, restoredAfter } from '../../../test/restored-database.ts'
import { until } from '../../../test/wait-until.ts'
import type { DeliveryRequest } from '../../domain/delivery/request.ts'
import { instant } from '../../store/db/db.ts'
import { listIntents } from '../../store/deliveries/booking-intents.ts'

const HOUR_MS = 3_600_000
const standard: Partial<DeliveryRequest> = { deliveryType: 'standard' }
const inFourHours = { kind: 'instant', ms: TUESDAY_TEN_MS + 4 * HOUR_MS } as const
/** Goods that only Big Haul accepts: a carrier without a lookup. */
const freight: Partial<DeliveryRequest> = {
  parcels: [{ ...requestParcel, type: 'pallet', lengthCm: 110, widthCm: 110, heightCm: 120, weightKg: 300 }],
}
const query = (restored: Restored, text: string) => restored.fixture.deps.db.query(text)

test('the sixth attempt of the lost period is looked up, and its booking is taken over', async (t) => {
  const restored = await restoredAfter(
    t,
    { 'SIXTH-1': standard },
    async ({ fixture, book }) => {
      await book('SIXTH-1')
      await fixture.deps.db.query(`update sandbox_consignments set reference = left(reference, -1) || '6'`)
    },
    { lostMs: 50_000 },
  )
  const [number] = await restored.numbers('SIXTH-1')
  const dueAtMs = (await restored.dueAtMs('SIXTH-1')) ?? 0
  await query(restored, `update deliveries set due_at = '${instant(dueAtMs - 60_000)}'`)
  await restored.prepare()
  restored.work()
  assert.equal((await restored.until('SIXTH-1', 'booked')).consignmentNumber, number)
  assert.deepEqual(await restored.numbers('SIXTH-1'), [number])
})

test('the price and the window that a customer was promised stay with a booking that is taken over', async (t) => {
  const restored = await restoredAfter(t, { 'HELD-1': standard }, ({ book }) => book('HELD-1'))
  const { window } = await restored.read('HELD-1')
  await query(
    restored,
    `update deliveries set chosen = chosen::jsonb || '{"held": "option", "priceCents": 4321}',
      window_to = '${instant((window?.toMs ?? 0) + 7 * 60_000)}'`,
  )
  const promised = await restored.read('HELD-1')
  assert.deepEqual([promised.chosen?.held, promised.chosen?.priceCents], ['option', 4321])
  await restored.prepare()
  restored.work()
  const booked = await restored.until('HELD-1', 'booked')
  assert.deepEqual([booked.chosen?.priceCents, booked.window], [4321, promised.window])
})

test('a delivery that was not due is booked at its time, even if a person had to ask the carrier', async (t) => {
  const restored = await restoredAfter(t, { 'LATER-2': { ...freight, readyForPickupAt: inFourHours } })
  const before = await restored.dueAtMs('LATER-2')
  await restored.prepare()
  restored.work()
  await restored.until('LATER-2', 'on_hold')
  await restored.settle('LATER-2', { booked: false })
  assert.equal(await restored.dueAtMs('LATER-2'), before)
  assert.deepEqual(await restored.numbers('LATER-2'), [])
  await restored.fixture.setClock(TUESDAY_TEN_MS + 3 * HOUR_MS)
  await restored.until('LATER-2', 'booked')
})

test('a second run with a corrected moment keeps the time of a delivery that was not due', async (t) => {
  const restored = await restoredAfter(t, { 'LATER-3': { ...standard, readyForPickupAt: inFourHours } })
  const before = await restored.dueAtMs('LATER-3')
  await restored.prepare()
  assert.deepEqual(await restored.prepare([], restored.fixture.deps, 1_000), { toLookUp: 1, toAskStaff: 0 })
  restored.work()
  await until(async () => (await restored.dueAtMs('LATER-3')) === before, 'it is due at its time again')
  assert.deepEqual(await restored.numbers('LATER-3'), [])
})

test('no statement of the lookup leaves a delivery due before its time', {
  skip: ON_CITUS && 'Citus has no such triggers',
}, async (t) => {
  const restored = await restoredAfter(t, { 'LATER-4': { ...standard, readyForPickupAt: inFourHours } })
  await restored.prepare()
  // Each row that is written without an open attempt: a worker may die right after it.
  await query(
    restored,
    `create table seen as select due_at, pending_attempt from deliveries with no data;
    create function see() returns trigger language plpgsql as $$ begin
      insert into seen values (new.due_at, new.pending_attempt); return new; end $$;
    create trigger see after update on deliveries for each row execute function see()`,
  )
  restored.work()
  await until(async () => (await restored.read('LATER-4')).bookingAttempt === null, 'it is looked up')
  const before = await restored.dueAtMs('LATER-4')
  const { rows } = await query(restored, 'select due_at from seen where pending_attempt is null')
  assert.deepEqual([...new Set(rows.map(({ due_at }) => due_at))], [before])
})

test('if the lookup put a delivery on hold and no carrier has it, the reason says so', async (t) => {
  const restored = await restoredAfter(t, { 'SLOW-1': standard })
  await restored.prepare()
  // As after the time limit: the carrier did not answer until then.
  await query(
    restored,
    `update deliveries set status = 'on_hold', status_reason = 'Southern Parcels neither accepted nor refused it.'`,
  )
  restored.work()
  await until(async () => (await restored.read('SLOW-1')).bookingAttempt === null, 'it is looked up')
  const { status, statusReason } = await restored.read('SLOW-1')
  assert.equal(status, 'on_hold')
  assert.match(statusReason ?? '', /no carrier has a booking for this order/)
})

test('once Drover stops asking, the clerk reads which carriers are silent and records their answers', async (t) => {
  const restored = await restoredAfter(t, { 'SILENT-1': standard }, undefined, {
    atMoment: { status: 'on_hold', status_reason: 'Ring us.', due_at: null },
  })
  await restored.prepare()
  // As if the freight carrier might have it too.
  await query(
    restored,
    `update booking_intents set lost_period = jsonb_set(lost_period::jsonb, '{alternatives,1}',
      lost_period::jsonb #> '{alternatives,0}' || '{"provider": "big_haul"}' ||
      ('{"option": ' || (lost_period::jsonb #> '{alternatives,0,option}' || '{"carrierName": "Big Haul"}')::text
        || '}')::jsonb)`,
  )
  const { deps, setClock } = restored.fixture
  const { carrierOf } = deps
  const find = async () => ({ kind: 'unknown', message: 'no answer' }) as const
  Object.assign(deps, {
    carrierOf: (...of: Parameters<typeof carrierOf>) => ({ ...carrierOf(...of), find }),
  })
  await setClock(TUESDAY_TEN_MS + 90 * HOUR_MS)
  restored.work()
  const { statusReason } = await until(async () => {
    const one = await restored.read('SILENT-1')
    return one.statusReason?.includes('stopped asking') && one
  }, 'Drover stops asking')
  assert.equal(
    statusReason,
    'Our records were restored from a backup, and Southern Parcels never said whether they have this order. We’ve stopped asking. Ask Big Haul too, and have them cancel it if they have it.',
  )
  assert.equal((await restored.settle('SILENT-1', { booked: false })).status, 'requested')
})

test('nobody records that a carrier has no booking before the carriers are looked up', async (t) => {
  const atMoment = { status: 'on_hold', status_reason: 'Ring us.', due_at: null }
  const restored = await restoredAfter(t, { 'EARLY-1': standard }, ({ book }) => book('EARLY-1'), {
    atMoment,
  })
  const [number] = await restored.numbers('EARLY-1')
  await restored.prepare()
  await assert.rejects(restored.settle('EARLY-1', { booked: false }), { code: 'booking_in_progress' })
  restored.work()
  assert.equal((await restored.until('EARLY-1', 'booked')).consignmentNumber, number)
  const { db } = restored.fixture.deps
  const { id } = await restored.read('EARLY-1')
  assert.equal((await listIntents(db, 'demo', id)).length, 1)
})
