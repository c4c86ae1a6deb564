import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Booking } from '../../src/carriers/port/carrier.ts'
import { confirmBooking } from '../../src/operations/bookings/confirm-booking.ts'
import { reconcileReportedBookings } from '../../src/operations/bookings/reconcile-reported-bookings.ts'
import { requestCancel } from '../../src/operations/bookings/request-cancel.ts'
import { resolveBookingManually } from '../../src/operations/bookings/resolve-booking-manually.ts'
import type { Deps } from '../../src/operations/deps.ts'
import {
  cancelOrphanedBookings,
  claimOrphanedBookings,
} from '../../src/operations/orphaned-bookings/cancel-orphaned-bookings.ts'
import { hasRequest, listIntents } from '../../src/store/deliveries/booking-intents.ts'
import { findDelivery } from '../../src/store/deliveries/deliveries.ts'
import { anyone, type Fixture, testFixture } from '../fixture.ts'
import { until } from '../wait-until.ts'
import { arrangeDelivery, type BookingRecovery, endPatience } from './crash-fixture.ts'
import { doWork } from './work.ts'

test('a decision about a booking with an unknown outcome takes effect even if another process writes first', async (t) => {
  const fixture = await testFixture(t, { work: false })
  const [promised, settledByHand, bookedAnyway, reportOf] = await Promise.all([
    outcomeUnknown(fixture, 'haul', 'C-lost-answer'),
    outcomeUnknown(fixture, 'haul', 'W-lost-answer'),
    outcomeUnknown(fixture, 'swiftly', 'B-lost-answer'),
    outcomeUnknown(fixture, 'swiftly', 'N-lost-answer'),
  ])

  await t.test('a cancellation is only acknowledged if it was stored', async () => {
    const deliveryId = promised
    const freed = `update deliveries set status = 'requested', pending_attempt = null where delivery_id = $1`
    const cancelling = () => cancel(fixture, deliveryId)
    await assert.rejects(afterwards(fixture, deliveryId, freed, cancelling), { code: 'booking_in_progress' })
    assert.equal((await cancelling()).status, 'cancelled')
  })

  await t.test(
    'resolving as “not booked” cancels a delivery with a cancellation that was requested meanwhile',
    async () => {
      const deliveryId = settledByHand
      const cancelRequested = `update deliveries set cancel_requested_at = updated_at, cancel_reason = 'Not wanted' where delivery_id = $1`
      const settled = await afterwards(fixture, deliveryId, cancelRequested, () =>
        resolveBookingManually(
          fixture.deps,
          fixture.demo(),
          anyone,
          named(deliveryId),
          { booked: false },
          async (_, settled) => settled,
        ),
      )
      assert.deepEqual([settled.status, settled.statusReason], ['cancelled', 'Not wanted'])
    },
  )

  await t.test(
    'a delivery that was booked despite a requested cancellation is cancelled at its carrier',
    async () => {
      const deliveryId = bookedAnyway
      const { intent, learnt } = await open(fixture, deliveryId)
      const cancelRequested = `update deliveries set status = 'requested', due_at = null, cancel_requested_at = updated_at where delivery_id = $1`
      await fixture.deps.db.query(cancelRequested, [deliveryId])
      await confirmBooking(learnt, intent, await taken(fixture, 'B-lost-answer'), null)
      const booked = await findDelivery(fixture.deps.db, 'demo', deliveryId)
      assert.equal(booked?.status, 'booked')
      assert.notEqual(booked?.due_at, null)
      await doWork(fixture.deps, { deliveryId, task: 'turn' })
      assert.equal((await findDelivery(fixture.deps.db, 'demo', deliveryId))?.status, 'cancelled')
    },
  )

  await t.test(
    'a booking that was given up just before its carrier reported it is cancelled as an orphan',
    async () => {
      const deliveryId = reportOf
      const { intent } = await open(fixture, deliveryId)
      const booking = await taken(fixture, 'N-lost-answer')
      const reported = [{ ...booking, key: intent.key, isOver: false, toBooking: () => booking }]
      const report = (deps: Deps) =>
        reconcileReportedBookings(deps, fixture.demo(), intent.provider, reported)
      const givenUp = `with freed as (update deliveries set status = 'requested', pending_attempt = null where delivery_id = $1)
      update booking_intents set state = 'void' where delivery_id = $1`
      const silent = withSilentCancel(fixture.deps)
      await afterwards(fixture, deliveryId, givenUp, () => report(silent))
      await cancelOrphanedBookings(silent, await claimOrphanedBookings(silent, 10))
      const orphan = async () => {
        const { rows } = await fixture.deps.db.query(
          'select attempts, outcome from orphaned_bookings where delivery_id = $1',
          [deliveryId],
        )
        return rows[0]
      }
      assert.deepEqual(await orphan(), { attempts: 1, outcome: null })
      await fixture.setClock(fixture.demo().nowMs() + 60_000)
      await cancelOrphanedBookings(fixture.deps, await claimOrphanedBookings(fixture.deps, 10))
      assert.deepEqual(await orphan(), { attempts: 1, outcome: 'cancelled' })
    },
  )
})

/** A delivery on hold that its carrier booked without a response. */
async function outcomeUnknown(
  fixture: Fixture,
  recovery: BookingRecovery,
  reference: string,
): Promise<string> {
  const deliveryId = await arrangeDelivery(fixture, recovery, reference)
  await doWork(fixture.deps, { deliveryId, task: 'turn' })
  await endPatience(fixture, deliveryId)
  return deliveryId
}

/** Runs `act`, which reads the delivery and then waits to write until `change` is done; returns its result. */
async function afterwards<T>(
  { deps: { db } }: Fixture,
  deliveryId: string,
  change: string,
  act: () => Promise<T>,
): Promise<T> {
  const rival = await db.connect()
  try {
    await rival.query('begin')
    await rival.query('select from deliveries where delivery_id = $1 for update', [deliveryId])
    const acting = act()
    let isOver = false
    const over = () => {
      isOver = true
    }
    acting.then(over, over)
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await until(async () => isOver || (await db.query(waiting)).rows.length > 0)
    await rival.query(change, [deliveryId])
    await rival.query('commit')
    return await acting
  } finally {
    rival.release(true)
  }
}

async function open(fixture: Fixture, deliveryId: string) {
  const [intent] = await listIntents(fixture.deps.db, 'demo', deliveryId)
  assert.ok(intent && hasRequest(intent))
  const key = { accountId: 'demo', deliveryId }
  return {
    intent,
    learnt: { deps: fixture.deps, entry: fixture.demo(), claim: { key, source: 'carrier' as const } },
  }
}

/** The booking in its carrier's ledger. */
async function taken(fixture: Fixture, reference: string): Promise<Booking> {
  const { rows } = await fixture.deps.db.query(
    `select consignment_number from sandbox_ledger where reference = $1 and outcome = 'booked'`,
    [reference],
  )
  return { consignmentNumber: rows[0].consignment_number, articles: [], costCents: 1_000 }
}

function cancel(fixture: Fixture, deliveryId: string) {
  return requestCancel(fixture.deps, fixture.demo(), anyone, named(deliveryId), {
    reason: null,
    carrierReleaseConfirmed: false,
  })
}

function named(deliveryId: string) {
  return { idOrReference: deliveryId, storeReference: null }
}

function withSilentCancel(deps: Deps): Deps {
  return {
    ...deps,
    carrierOf: (entry, provider) => {
      const carrier = deps.carrierOf(entry, provider)
      return carrier && { ...carrier, cancel: async () => ({ kind: 'unknown', message: 'No answer.' }) }
    },
  }
}
