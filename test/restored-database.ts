import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Delivery } from '../src/domain/delivery/delivery.ts'
import type { DeliveryRequest } from '../src/domain/delivery/request.ts'
import type { Status } from '../src/domain/delivery/status.ts'
import { bookNow } from '../src/operations/bookings/book-now.ts'
import { resolveBookingManually } from '../src/operations/bookings/resolve-booking-manually.ts'
import { createDelivery } from '../src/operations/deliveries/create-delivery.ts'
import { getDelivery } from '../src/operations/delivery-lookup/get-delivery.ts'
import type { Deps } from '../src/operations/deps.ts'
import { type Prepared, prepareAfterRestore } from '../src/operations/restore/after-restore.ts'
import { anyone, type Fixture, testFixture } from './fixture.ts'
import { deliveryRequest, timestamp } from './requests.ts'
import { until } from './wait-until.ts'

/** A database that was set back to a moment, while the sandbox carriers kept their bookings. */
export type Restored = {
  fixture: Fixture
  /** `laterMs`: after the true moment, as a second run may have it. */
  prepare(noneAt?: readonly string[], deps?: Deps, laterMs?: number): Promise<Prepared>
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

/**
 * Creates the orders, notes the moment, lets `lost` happen at the carriers, and sets the deliveries back. `atMoment`:
 * other columns of the deliveries at the moment. `lostMs`: how long before now the moment is, less than the skew allowed.
 */
export async function restoredAfter(
  t: TestContext,
  orders: Readonly<Record<string, Partial<DeliveryRequest>>>,
  lost: (period: {
    fixture: Fixture
    book(reference: string): Promise<void>
  }) => Promise<void> = async () => {},
  { atMoment = {}, lostMs = 0 }: { atMoment?: object; lostMs?: number } = {},
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
  const momentMs = Date.now() - lostMs
  const book = async (reference: string) => {
    assert.equal((await bookNow(deps, demo(), anyone, named(reference))).status, 'booked')
  }
  await lost({ fixture, book })
  await deps.db.query(`delete from events where type = 'delivery.booked'`)
  await deps.db.query('delete from booking_intents')
  for (const { row } of rows) {
    await deps.db.query(
      `update deliveries as d set (${SET_BACK}) = (select ${SET_BACK} from jsonb_populate_record(d, $1::jsonb))
       where account_id = $2 and delivery_id = $3`,
      [row, row.account_id, row.delivery_id],
    )
  }
  return {
    fixture,
    read,
    named,
    async prepare(noneAt = [], with_ = deps, laterMs = 0) {
      const restore = { momentMs: momentMs + laterMs, withoutBookings: new Set(noneAt) }
      const prepared = await prepareAfterRestore(with_, restore)
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
