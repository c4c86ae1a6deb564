import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Carrier } from '../../src/carriers/port/carrier.ts'
import { createDelivery } from '../../src/operations/deliveries/create-delivery.ts'
import { getDelivery } from '../../src/operations/delivery-lookup/get-delivery.ts'
import type { Deps } from '../../src/operations/deps.ts'
import {
  cancelOrphanedBookings,
  claimOrphanedBookings,
} from '../../src/operations/orphaned-bookings/cancel-orphaned-bookings.ts'
import { batchedCreate } from '../../src/store/creates/batched-create.ts'
import { claimDelivery, claimDueDeliveries } from '../../src/store/deliveries/due-deliveries.ts'
import { QUARANTINE_SLOTS } from '../../src/store/leases/poison-row-quarantine.ts'
import { anyone, type Fixture, TUESDAY_TEN_MS } from '../fixture.ts'
import { until } from '../wait-until.ts'
import { activeBookingsAt, arrangeDelivery, crashFixture, letTimePass, requestOf } from './crash-fixture.ts'
import { recordSteps } from './record-steps.ts'
import { doWork } from './work.ts'

const MINUTE_MS = 60_000

test('a worker that was paused past its lease leaves one booking, whatever it does when it resumes', async (t) => {
  const fixture = await crashFixture(t)
  for (const [recovery, asleep] of [
    ['swiftly', 'before its call'],
    ['swiftly', 'before it writes'],
    ['southern', 'before its call'],
    ['southern', 'before it writes'],
    ['haul', 'before its call'],
    ['haul', 'before it writes'],
  ] as const) {
    const deliveryId = await arrangeDelivery(fixture, recovery, `Z-${recovery}-${asleep}`)
    const sleeper = pausing(fixture.deps, asleep === 'before its call')
    const late = doWork(sleeper.deps, { deliveryId, task: 'turn' })
    await sleeper.asleep
    for (let turn = 0; turn < 3; turn += 1) {
      await letTimePass(fixture, deliveryId)
      await doWork(fixture.deps, { deliveryId, task: 'turn' })
    }
    sleeper.wake()
    await late
    await cancelOrphanedBookings(fixture.deps, await claimOrphanedBookings(fixture.deps, 10))
    const delivery = await read(fixture, deliveryId)
    const what = `${recovery}, paused ${asleep}`
    assert.equal(delivery.status, 'booked', what)
    const active = await activeBookingsAt(fixture, delivery.reference)
    assert.deepEqual(active, [delivery.consignmentNumber], what)
  }
})

test('a late confirmation of an open attempt is used, not cancelled', async (t) => {
  const fixture = await crashFixture(t)
  const deliveryId = await arrangeDelivery(fixture, 'southern', 'Y-late')
  const sleeper = pausing(fixture.deps, false)
  const late = doWork(sleeper.deps, { deliveryId, task: 'turn' })
  await sleeper.asleep
  await letTimePass(fixture, deliveryId)
  await doWork(fixture.deps, { deliveryId, task: 'turn' })
  sleeper.wake()
  await late
  const delivery = await read(fixture, deliveryId)
  assert.deepEqual(await activeBookingsAt(fixture, delivery.reference), [delivery.consignmentNumber])
})

test('the time to resolve an unknown outcome starts when the call ends, however long the call took', async (t) => {
  const fixture = await crashFixture(t)
  const deliveryId = await arrangeDelivery(fixture, 'southern', 'D-slow-lost-answer')
  // The process was paused between its intent and its call, for longer than the settle time.
  const deps = recordSteps(fixture.deps, () => {})
  const { carrierOf } = deps
  deps.carrierOf = (entry, provider) =>
    withBook(carrierOf(entry, provider), async (carrier, consignment) => {
      await fixture.deps.db.query(`update booking_intents set settle_until = now() - interval '1 second'`)
      return carrier.book(consignment)
    })
  await doWork(deps, { deliveryId, task: 'turn' })
  await doWork(fixture.deps, { deliveryId, task: 'turn' })
  await doWork(fixture.deps, { deliveryId, task: 'turn' })
  assert.equal((await activeBookingsAt(fixture, 'D-slow-lost-answer')).length, 1)
})

test('of twenty concurrent claims of a delivery, one succeeds', async (t) => {
  const fixture = await crashFixture(t)
  const deliveryId = await arrangeDelivery(fixture, 'southern', 'C-1')
  const { db } = fixture.deps
  const nows = { accountIds: ['demo'], nowsMs: [fixture.demo().nowMs()] }
  const claims = await Promise.all(
    Array.from({ length: 20 }, async (_, index) =>
      index % 2 === 0
        ? [await claimDelivery(db, 'demo', deliveryId, { leaseMs: 30_000, nowMs: fixture.demo().nowMs() })]
        : claimDueDeliveries(db, nows, { limit: 10, leaseMs: 30_000, suspects: QUARANTINE_SLOTS }),
    ),
  )
  assert.equal(claims.flat().filter(Boolean).length, 1)
})

test('a cancellation is retried soon, even if a tracking poll ran at the same time', async (t) => {
  const fixture = await crashFixture(t)
  const deliveryId = await arrangeDelivery(fixture, 'southern', 'N-1')
  await doWork(fixture.deps, { deliveryId, task: 'turn' })
  await letTimePass(fixture, deliveryId)

  const updates = gate()
  const fetching = { ...fixture.deps, carrierOf: changed(fixture.deps, { pollAfter: updates.opened }) }
  const tracking = doWork(fetching, { deliveryId, task: 'turn' })
  const silent = { ...fixture.deps, carrierOf: changed(fixture.deps, { cancelIsSilent: true }) }
  await assert.rejects(doWork(silent, { deliveryId, task: 'cancel' }), { code: 'cancellation_pending' })
  updates.open()
  await tracking
  const { rows } = await fixture.deps.db.query('select due_at from deliveries where delivery_id = $1', [
    deliveryId,
  ])
  assert.ok(rows[0].due_at <= fixture.demo().nowMs() + MINUTE_MS, 'the cancellation waits for the next poll')
})

test('a cancellation that came too late does not stop tracking', async (t) => {
  const fixture = await crashFixture(t)
  const deliveryId = await arrangeDelivery(fixture, 'southern', 'L-1')
  await doWork(fixture.deps, { deliveryId, task: 'turn' })
  await fixture.deps.db.query(
    `update deliveries set status = 'collected', cancel_requested_at = now(), due_at = created_at`,
  )
  await fixture.setClock(TUESDAY_TEN_MS + 72 * 60 * MINUTE_MS)
  await letTimePass(fixture, deliveryId)
  await doWork(fixture.deps, { deliveryId, task: 'turn' })
  assert.equal((await read(fixture, deliveryId)).status, 'delivered')
})

test('a create that was paused before it books does not overwrite the response of its retry', async (t) => {
  const fixture = await crashFixture(t)
  const found = gate()
  const booking = gate()
  const still = recordSteps(fixture.deps, () => {})
  const { query } = still.db
  // Between the insert of the delivery and the read of it.
  Object.assign(still.db, {
    query: async (...args: Parameters<typeof query>) => {
      if ((args[0] as { name?: string }).name === 'find-delivery') await found.opened
      return query(...args)
    },
  })
  const options = { idempotency: null, answer: () => ({ status: 201, headers: {}, body: '' }) }
  const request = { ...requestOf('haul'), reference: 'F-1', bookDeliveryNow: true }
  const creating = createDelivery(still, fixture.demo(), anyone, request, options)
  const deliveryId = await idOf(fixture, 'F-1')
  await letTimePass(fixture, deliveryId)
  const successor = { ...fixture.deps, carrierOf: changed(fixture.deps, { bookAfter: booking.opened }) }
  const succeeding = doWork(successor, { deliveryId, task: 'turn' })
  await until(async () => {
    const { rows } = await fixture.deps.db.query('select 1 from booking_intents where delivery_id = $1', [
      deliveryId,
    ])
    return rows.length === 1
  })
  found.open()
  await creating
  booking.open()
  await succeeding
  assert.equal((await read(fixture, deliveryId)).status, 'booked')
})

test('creates of the same references by two processes, in any order, neither fail nor make duplicates', async (t) => {
  const fixture = await crashFixture(t)
  const other = batchedCreate(fixture.deps.db)
  for (let round = 1; round <= 10; round += 1) {
    const references = Array.from({ length: 40 }, (_, index) => `R${round}-${index}`)
    const create = (deps: Deps) => (reference: string) => {
      const idempotency = { key: `key-${reference}`, fingerprint: Buffer.from(reference) }
      const answer = () => ({ status: 201, headers: {}, body: reference })
      const request = { ...requestOf('southern'), reference }
      return createDelivery(deps, fixture.demo(), anyone, request, { idempotency, answer })
    }
    await Promise.all([
      ...references.map(create(fixture.deps)),
      ...references.toReversed().map(create({ ...fixture.deps, createDelivery: other })),
    ])
    const { rows } = await fixture.deps.db.query('select count(*)::int as made from deliveries')
    assert.equal(rows[0].made, 40 * round)
  }
})

test('work that keeps failing is dead-lettered where people see it, and other work continues', async (t) => {
  const fixture = await crashFixture(t)
  const poison = await arrangeDelivery(fixture, 'southern', 'P-1')
  const well = await arrangeDelivery(fixture, 'southern', 'P-2')
  const deps: Deps = {
    ...fixture.deps,
    accounts: {
      ...fixture.deps.accounts,
      atVersion: () => Promise.reject(new Error('a document that cannot be read')),
    },
  }
  for (let claim = 0; claim < 9; claim += 1) {
    await letTimePass(fixture, poison)
    await doWork(deps, { deliveryId: poison, task: 'turn' })
  }
  await doWork(fixture.deps, { deliveryId: well, task: 'turn' })
  const { rows } = await fixture.deps.db.query(
    'select dead_letter_reason, due_at from deliveries where delivery_id = $1',
    [poison],
  )
  assert.match(rows[0].dead_letter_reason, /8 attempts/)
  assert.equal(rows[0].due_at, null)
  assert.equal((await read(fixture, well)).status, 'booked')
})

/** Deps of a worker that pauses at its first booking, before the call or after its response, until woken. */
function pausing(deps: Deps, beforeCall: boolean) {
  const stop = gate()
  const arrived = gate()
  const carrierOf: Deps['carrierOf'] = (entry, provider) =>
    withBook(deps.carrierOf(entry, provider), async (carrier, consignment) => {
      const answer = beforeCall ? null : await carrier.book(consignment)
      arrived.open()
      await stop.opened
      return answer ?? carrier.book(consignment)
    })
  return { deps: { ...deps, carrierOf }, asleep: arrived.opened, wake: stop.open }
}

function withBook(
  carrier: Carrier | null,
  book: (carrier: Carrier, consignment: Parameters<Carrier['book']>[0]) => ReturnType<Carrier['book']>,
): Carrier | null {
  return carrier && { ...carrier, book: (consignment) => book(carrier, consignment) }
}

function changed(
  deps: Deps,
  change: { pollAfter?: Promise<void>; bookAfter?: Promise<void>; cancelIsSilent?: boolean },
): Deps['carrierOf'] {
  return (entry, provider) => {
    const carrier = deps.carrierOf(entry, provider)
    if (!carrier) return null
    const { track } = carrier
    return {
      ...carrier,
      ...(change.bookAfter ? { book: (one) => change.bookAfter!.then(() => carrier.book(one)) } : {}),
      ...(change.cancelIsSilent ? { cancel: async () => ({ kind: 'unknown', message: 'nothing' }) } : {}),
      ...(track && change.pollAfter
        ? { track: { ...track, poll: (numbers) => change.pollAfter!.then(() => track.poll(numbers)) } }
        : {}),
    }
  }
}

function gate(): { opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}

async function idOf(fixture: Fixture, reference: string): Promise<string> {
  let id = ''
  await until(async () => {
    const { rows } = await fixture.deps.db.query('select delivery_id from deliveries where reference = $1', [
      reference,
    ])
    id = rows[0]?.delivery_id ?? ''
    return id !== ''
  })
  return id
}

function read(fixture: Fixture, idOrReference: string) {
  return getDelivery(fixture.deps, fixture.demo(), anyone, { idOrReference, storeReference: null })
}
