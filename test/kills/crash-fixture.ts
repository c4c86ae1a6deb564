import type { TestContext } from 'node:test'
import type { DeliveryRequest } from '../../src/domain/delivery/request.ts'
import { createDelivery } from '../../src/operations/deliveries/create-delivery.ts'
import { anyone, type Fixture, testFixture } from '../fixture.ts'
import { findActive } from '../harness/bookings.ts'
import { type SandboxEntry, sandboxEntries } from '../harness/sandbox-ledger.ts'
import { deliveryRequest, requestParcel, timestamp } from '../requests.ts'
import { promptCarriers } from './prompt-carriers.ts'

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
    `update deliveries set lease_until = lease_until - interval '1 hour' where delivery_id = $1`,
    `update booking_intents set settle_until = settle_until - interval '1 hour' where delivery_id = $1`,
    `update sandbox_consignments set findable_from = findable_from - interval '1 hour' where reference like $1 || '%'`,
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

export function requestOf(recovery: BookingRecovery): DeliveryRequest {
  const carton = { ...deliveryRequest, readyForPickupAt: timestamp('2026-11-24T10:30:00+11:00') }
  if (recovery === 'swiftly') return { ...carton, deliveryType: 'fast' }
  if (recovery === 'southern') return { ...carton, deliveryType: 'standard' }
  if (recovery === 'any') return carton
  const pallet = { ...requestParcel, type: 'pallet' as const, lengthCm: 110, widthCm: 110, heightCm: 120 }
  return { ...carton, deliveryType: 'standard', parcels: [{ ...pallet, weightKg: 300 }] }
}
