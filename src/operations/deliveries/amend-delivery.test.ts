import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { anyone, type Fixture, TUESDAY_TEN_MS, testFixture } from '../../../test/fixture.ts'
import { deliveryRequest, timestamp } from '../../../test/requests.ts'
import { until } from '../../../test/wait-until.ts'
import type { Amendment } from '../../domain/delivery/amend.ts'
import { Refusal } from '../../domain/errors.ts'
import { isUnavailable } from '../../store/db/unavailable.ts'
import { openIntent } from '../../store/deliveries/booking-intents.ts'
import { bookDelivery } from '../bookings/book-delivery.ts'
import { retryWhileUnavailable } from '../concurrency/retry-while-unavailable.ts'
import { getDelivery } from '../delivery-lookup/get-delivery.ts'
import { toClaim } from '../leases/claim.ts'
import { amendDelivery } from './amend-delivery.ts'
import { createDelivery } from './create-delivery.ts'
import { claimDeliveries } from './process-due-deliveries.ts'

const RACES = 200
const REFUSED = new Set(['booking_in_progress', 'delivery_already_consigned'])

test(`of ${RACES} amends that race the worker, none is accepted and then lost`, async (t) => {
  const fixture = await testFixture(t)
  const ended = { amended: 0, refused: 0 }
  const mayStand = new Map<string, string[]>()
  for (let from = 0; from < RACES; from += 10) {
    await Promise.all(Array.from({ length: 10 }, (_, index) => race(from + index)))
  }
  await until(async () => (await consignments(fixture)).length === RACES)
  for (const { reference, request } of await consignments(fixture)) {
    const contents = mayStand.get(reference) as string[]
    assert.ok(
      contents.some((content) => request.includes(content)),
      `${reference} was booked with old content`,
    )
  }
  assert.ok(ended.amended > 0 && ended.refused > 0, `the race was none: ${JSON.stringify(ended)}`)

  async function race(number: number): Promise<void> {
    const reference = `RACE-${number}`
    const made = `[${number} as made]`
    const contents = [made]
    mayStand.set(reference, contents)
    await retryWhileUnavailable(() => create(fixture, reference, made))
    for (let turn = 1; turn <= 4; turn++) {
      const mark = `[${number} amended ${turn}]`
      try {
        await amend(fixture, reference, { specialInstructions: mark })
        contents.splice(0, contents.length, mark)
        ended.amended += 1
      } catch (error) {
        // On a busy machine, a caller who gets 503 does not know which content was written.
        if (isUnavailable(error)) contents.push(mark)
        else {
          assert.ok(error instanceof Refusal && REFUSED.has(error.code), String(error))
          ended.refused += 1
        }
      }
      await sleep((number * 7 + turn * 5) % 23)
    }
  }
})

test('a worker does not book a delivery that was amended after its claim', async (t) => {
  const fixture = await testFixture(t, { work: false })
  await create(fixture, 'STALE-1', '[old]')
  const [due] = await claimDeliveries(fixture.deps, 1)
  assert.ok(due)
  await amend(fixture, 'STALE-1', { specialInstructions: '[new]' })
  const claim = toClaim(fixture.deps, due.row, due.claimedAtMs, 'worker')
  await bookDelivery({ deps: fixture.deps, entry: fixture.demo(), claim })
  const delivery = await read(fixture, 'STALE-1')
  assert.equal(delivery.status, 'requested')
  assert.deepEqual(await consignments(fixture), [])
})

test('an amend is rejected once a booking intent is committed', async (t) => {
  const fixture = await testFixture(t, { work: false })
  await create(fixture, 'FIRST-1', '[old]')
  const [due] = await claimDeliveries(fixture.deps, 1)
  assert.ok(due?.row.chosen)
  const { row } = due
  const option = {
    ...due.row.chosen,
    deliveryType: row.delivery_type,
    windowFromMs: 0,
    windowToMs: 0,
    accountVersion: 1,
    manifestStatus: 'pending',
  } as const
  const { provider, service } = due.row.chosen
  const intent = {
    attempt: 1,
    key: 'k',
    provider,
    service,
    consignment: {},
    option,
    settleMs: 0,
    lookAgainAtMs: 0,
  }
  const target = {
    accountId: 'demo',
    deliveryId: row.delivery_id,
    fence: row.fence,
    contentVersion: 1,
    nowMs: TUESDAY_TEN_MS,
  }
  assert.equal(await openIntent(fixture.deps.db, target, intent), true)
  await assert.rejects(amend(fixture, 'FIRST-1', { specialInstructions: '[new]' }), {
    code: 'booking_in_progress',
  })
})

test('an amended delivery stays with its staff courier, with a new window', async (t) => {
  const fixture = await testFixture(t)
  const staffCourier = { phone: '+61491570156', driverName: 'Sam Okafor', driverId: null }
  await create(fixture, 'OWN-1', '[old]', { useStaffCouriers: true, staffCourier, storeReference: 'fitzroy' })
  const before = await read(fixture, 'OWN-1')
  const amended = await amend(fixture, 'OWN-1', { readyForPickupAt: timestamp('2026-11-25T12:00') })
  assert.equal(amended.status, 'requested')
  assert.equal(amended.chosen, null)
  assert.match(amended.statusReason ?? '', /courier/)
  assert.ok((amended.window?.fromMs ?? 0) > (before.window?.fromMs ?? 0))
})

const unchanged: Amendment = {
  readyForPickupAt: timestamp('2026-11-24T10:30:00+11:00'),
  reference: null,
  deliveryType: null,
  specialInstructions: null,
  address: null,
  customer: null,
  lineItems: null,
  parcels: null,
}

function amend(fixture: Fixture, idOrReference: string, changes: Partial<Amendment>) {
  const name = { idOrReference, storeReference: null }
  const amendment = { ...unchanged, ...changes }
  return amendDelivery(fixture.deps, fixture.demo(), anyone, name, amendment, async (_db, amended) => amended)
}

async function create(
  fixture: Fixture,
  reference: string,
  specialInstructions: string,
  over = {},
): Promise<void> {
  const request = {
    ...deliveryRequest,
    storeReference: 'melbourne-cbd',
    readyForPickupAt: unchanged.readyForPickupAt,
    deliveryType: 'standard' as const,
    reference,
    specialInstructions,
    ...over,
  }
  const options = { idempotency: null, answer: () => ({ status: 201, headers: {}, body: '' }) }
  await createDelivery(fixture.deps, fixture.demo(), anyone, request, options)
}

function read(fixture: Fixture, idOrReference: string) {
  return getDelivery(fixture.deps, fixture.demo(), anyone, { idOrReference, storeReference: null })
}

async function consignments(fixture: Fixture): Promise<{ reference: string; request: string }[]> {
  const { rows } = await fixture.deps.db.query(
    'select merchant_reference as reference, request::text as request from sandbox_consignments',
  )
  return rows
}
