import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { DeliveryRequest } from '../../src/domain/delivery/request.ts'
import { createDelivery } from '../../src/operations/deliveries/create-delivery.ts'
import { anyone, type Fixture, testFixture } from '../fixture.ts'
import { findActive } from '../harness/bookings.ts'
import { type SandboxEntry, sandboxEntries } from '../harness/sandbox-ledger.ts'
import { deliveryRequest, requestParcel, timestamp } from '../requests.ts'
import { promptCarriers } from './prompt-carriers.ts'
import { doWork } from './work.ts'

/** One carrier for each kind of recovery. */
export const RECOVERIES = ['swiftly', 'southern', 'haul'] as const
/** `any`: every carrier except freight accepts it. */
export type BookingRecovery = (typeof RECOVERIES)[number] | 'any'

/** A fixture without workers, with carriers that respond at once. */
export function crashFixture(t: TestContext): Promise<Fixture> {
  return testFixture(t, { work: false, sandboxOf: promptCarriers })
}

/** A delivery that is due now, for that carrier. */
export async function arrangeDelivery(
  fixture: Fixture,
  recovery: BookingRecovery,
  reference: string,
): Promise<string> {
  const options = { idempotency: null, answer: () => ({ status: 201, headers: {}, body: '' }) }
  await createDelivery(fixture.deps, fixture.demo(), anyone, { ...requestOf(recovery), reference }, options)
  const { rows } = await fixture.deps.db.query('select delivery_id from deliveries where reference = $1', [
    reference,
  ])
  return rows[0].delivery_id
}

/** Long enough for leases to expire and for carriers to settle. */
export async function letTimePass(fixture: Fixture, deliveryId: string): Promise<void> {
  for (const statement of [
    `update deliveries set due_at = created_at where delivery_id = $1 and due_at is not null`,
    // The epoch, because Citus refuses arithmetic with times of a column in an update.
    `update deliveries set lease_until = 'epoch' where delivery_id = $1 and lease_until is not null`,
    `update booking_intents set settle_until = 'epoch' where delivery_id = $1 and settle_until is not null`,
    `update sandbox_consignments set findable_from = 'epoch' where reference like $1 || '%' and findable_from is not null`,
  ]) {
    await fixture.deps.db.query(statement, [deliveryId])
  }
}

/** The account's time limit has passed: the delivery is on hold with a look-up. */
export async function endPatience(fixture: Fixture, deliveryId: string): Promise<void> {
  await fixture.deps.db.query(
    `update deliveries set status = 'on_hold', due_at = created_at where delivery_id = $1`,
    [deliveryId],
  )
}

/** The consignments that the carriers hold for a reference. */
export async function activeBookingsAt(fixture: Fixture, reference: string): Promise<string[]> {
  const { rows } = await fixture.deps.db.query<SandboxEntry>(
    `select reference, carrier, operation, outcome, consignment_number from sandbox_ledger where reference = $1 order by entry`,
    [reference],
  )
  return findActive(sandboxEntries(rows)).map(({ id }) => id)
}

const MAX_TURNS = 8

/** Runs workers until nothing waits; fails unless the carriers' ledgers then match our records. */
export async function checkAtRest(fixture: Fixture, deliveryId: string, what: string): Promise<void> {
  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    await letTimePass(fixture, deliveryId)
    const { rows } = await fixture.deps.db.query(
      `select 1 from deliveries where delivery_id = $1 and (status = 'requested' or cancel_requested_at is not null
         or (status = 'on_hold' and due_at is not null))`,
      [deliveryId],
    )
    if (rows.length === 0) break
    await doWork(fixture.deps, { deliveryId, task: 'turn' })
  }
  const { rows } = await fixture.deps.db.query(
    `select reference, status, status_reason, consignment_number, pending_attempt, dead_lettered_at
     from deliveries where delivery_id = $1`,
    [deliveryId],
  )
  const [delivery] = rows
  const active = await activeBookingsAt(fixture, delivery.reference)
  assert.ok(active.length <= 1, `${what}: ${active} are active`)
  const context = `${what}: ${delivery.status}, ${delivery.status_reason}`
  assert.equal(delivery.dead_lettered_at, null, context)
  if (delivery.status === 'booked') {
    assert.deepEqual(active, [delivery.consignment_number], context)
  } else {
    assert.ok(['on_hold', 'cancelled'].includes(delivery.status), context)
    if (delivery.pending_attempt === null) assert.equal(active.length, 0, context)
  }
}

export function requestOf(recovery: BookingRecovery): DeliveryRequest {
  const carton = { ...deliveryRequest, readyForPickupAt: timestamp('2026-11-24T10:30:00+11:00') }
  if (recovery === 'swiftly') return { ...carton, deliveryType: 'fast' }
  if (recovery === 'southern') return { ...carton, deliveryType: 'standard' }
  if (recovery === 'any') return carton
  const pallet = { ...requestParcel, type: 'pallet' as const, lengthCm: 110, widthCm: 110, heightCm: 120 }
  return { ...carton, deliveryType: 'standard', parcels: [{ ...pallet, weightKg: 300 }] }
}
