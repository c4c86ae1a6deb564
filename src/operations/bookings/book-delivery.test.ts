import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ON_CITUS } from '../../../test/database.ts'
import { anyone, type Fixture, TUESDAY_TEN_MS, testFixture } from '../../../test/fixture.ts'
import { deliveryRequest, requestParcel, timestamp } from '../../../test/requests.ts'
import { untilIdle } from '../../../test/until-idle.ts'
import { until } from '../../../test/wait-until.ts'
import { unreachableBackoffMs } from '../../domain/delivery/backoff.ts'
import type { Delivery } from '../../domain/delivery/delivery.ts'
import type { DeliveryRequest } from '../../domain/delivery/request.ts'
import { hasRequest, listIntents } from '../../store/deliveries/booking-intents.ts'
import { findDelivery } from '../../store/deliveries/deliveries.ts'
import { switchOff } from '../carriers/switch-carrier.ts'
import { createDelivery } from '../deliveries/create-delivery.ts'
import { deliveryTimeline } from '../deliveries/delivery-timeline.ts'
import { getDelivery } from '../delivery-lookup/get-delivery.ts'
import type { Deps } from '../deps.ts'
import { toClaim } from '../leases/claim.ts'
import { bookDelivery } from './book-delivery.ts'
import { bookNow } from './book-now.ts'
import { type Finding, resolveBookingManually } from './resolve-booking-manually.ts'

const HOUR_MS = 3_600_000

test('a delivery is booked with its first option and tracked until it is delivered', async (t) => {
  const fixture = await testFixture(t)
  await create(fixture, 'A-1', { deliveryType: 'standard' })
  const booked = await untilDelivery(fixture, 'A-1', ({ status }) => status === 'booked')
  assert.equal(booked.chosen?.carrierCode, 'SP-ROAD')
  assert.ok(booked.consignmentNumber)
  assert.equal(booked.articles[0]?.articleIds.length, 1)

  await fixture.setClock(TUESDAY_TEN_MS + 48 * HOUR_MS)
  await untilDelivery(fixture, 'A-1', ({ status }) => status === 'delivered')
  const edges = (await timeline(fixture, 'A-1')).flatMap(({ from, to }) => (to ? [`${from}→${to}`] : []))
  assert.deepEqual(edges, [
    'null→created',
    'created→requested',
    'requested→booked',
    'booked→collected',
    'collected→delivered',
  ])
})

test('carrier webhooks change the delivery’s status', async (t) => {
  const fixture = await testFixture(t)
  await create(fixture, 'A-2', { deliveryType: 'fast', bookDeliveryNow: true })
  assert.equal((await read(fixture, 'A-2')).status, 'booked')
  await fixture.setClock(TUESDAY_TEN_MS + 8 * HOUR_MS)
  await untilDelivery(fixture, 'A-2', ({ status }) => status === 'delivered')
})

test('each sandbox scenario ends as documented', async (t) => {
  const fixture = await testFixture(t)
  const cases = [
    ['R-rejected', {}, 'on_hold', /refused/],
    ['F-lost-answer', { deliveryType: 'fast' }, 'booked', null],
    ['S-lost-answer', { deliveryType: 'standard' }, 'booked', null],
    ['S-slow', { deliveryType: 'standard' }, 'booked', null],
    ['B-lost-answer', freight, 'on_hold', /Big Haul/],
  ] as const
  for (const [reference, changes] of cases) await create(fixture, reference, changes)
  for (const [reference, , status, reason] of cases) {
    const delivery = await untilDelivery(fixture, reference, (one) => one.status === status)
    if (reason) assert.match(delivery.statusReason ?? '', reason, reference)
    assert.ok((await bookings(fixture, reference)) <= 1, `${reference} stands at more than one carrier`)
  }
})

test('a person resolves a booking whose outcome no API can tell', async (t) => {
  const fixture = await testFixture(t)
  const references = ['H1-lost-answer', 'H2-lost-answer']
  for (const reference of references) await create(fixture, reference, freight)
  for (const reference of references)
    await untilDelivery(fixture, reference, ({ status }) => status === 'on_hold')
  const settle = (idOrReference: string, finding: Finding) =>
    resolveBookingManually(
      fixture.deps,
      fixture.demo(),
      anyone,
      { idOrReference, storeReference: null },
      finding,
      async (_, settled) => settled,
    )

  const booked = await settle('H1-lost-answer', { booked: true, consignmentNumber: 'BH-77' })
  assert.equal(booked.status, 'booked')
  assert.deepEqual(booked.articles[0]?.articleIds, ['BH77001'])
  await assert.rejects(settle('H1-lost-answer', { booked: false }), { code: 'not_bookable' })

  assert.equal((await settle('H2-lost-answer', { booked: false })).status, 'requested')
})

test('a person confirms a booking: the carrier’s own ids are stored if it can be asked again', async (t) => {
  const fixture = await testFixture(t)
  const article = { parcelReference: 'P-1', articleIds: ['33AAA0000001'] }
  const known = { consignmentNumber: '33AAA', carrierRef: 'shp_1/33AAA', articles: [article], costCents: 777 }
  const cases = [
    ['H1-lost-answer', { kind: 'yes', value: known }, ['33AAA', 'shp_1/33AAA', 777, 'pending']],
    ['H2-lost-answer', { kind: 'yes', value: null }, ['BH-77', null, undefined, 'not_required']],
    ['H3-lost-answer', { kind: 'unknown', message: '' }, ['BH-77', null, undefined, 'not_required']],
  ] as const
  for (const [reference, found, expected] of cases) {
    await create(fixture, reference, freight)
    await untilDelivery(fixture, reference, ({ status }) => status === 'on_hold')
    const deps: Deps = {
      ...fixture.deps,
      carrierOf(entry, provider) {
        const carrier = fixture.deps.carrierOf(entry, provider)
        assert.ok(carrier?.manifest)
        const manifest = { ...carrier.manifest, acceptsRef: (ref: string) => ref.includes('/') }
        return { ...carrier, manifest, find: async () => found }
      },
    }
    const { id, consignmentNumber, chosen, manifestStatus } = await resolveBookingManually(
      deps,
      fixture.demo(),
      anyone,
      { idOrReference: reference, storeReference: null },
      { booked: true, consignmentNumber: 'BH-77' },
      async (_, settled) => settled,
    )
    const { carrier_ref = null } = (await findDelivery(fixture.deps.db, 'demo', id)) ?? {}
    assert.deepEqual([consignmentNumber, carrier_ref, chosen?.costCents, manifestStatus], expected, reference)
  }
})

test('an accepted attempt drops its request; an unanswered or rejected one keeps it', async (t) => {
  const fixture = await testFixture(t)
  const cases = [
    ['A-1', { deliveryType: 'standard' }, 'booked', 'accepted', false],
    ['B-lost-answer', freight, 'on_hold', 'unknown', true],
    ['R-rejected', {}, 'on_hold', 'rejected', true],
  ] as const
  for (const [reference, changes] of cases) await create(fixture, reference, changes)
  for (const [reference, , status, state, isKept] of cases) {
    const { id } = await untilDelivery(fixture, reference, (one) => one.status === status)
    const [intent] = await listIntents(fixture.deps.db, 'demo', id)
    assert.ok(intent)
    assert.deepEqual([intent.state, hasRequest(intent)], [state, isKept], reference)
    assert.match(intent.carrierName, /^[A-Z]/)
  }
})

test('a worker whose claim is older than the carrier’s acceptance calls no carrier', async (t) => {
  const fixture = await testFixture(t, { work: false })
  const { deps } = fixture
  await create(fixture, 'A-1', { deliveryType: 'standard', bookDeliveryNow: true })
  const { id, status } = await read(fixture, 'A-1')
  const row = await findDelivery(deps.db, 'demo', id)
  assert.ok(row && status === 'booked')
  const claimed = { ...row, status: 'requested', pending_attempt: 1, fence: row.fence - 1 } as const
  const claim = toClaim(deps, claimed, performance.now(), 'worker')
  assert.equal(await bookDelivery({ deps, entry: fixture.demo(), claim }), null)
  const { rows } = await deps.db.query(`select from sandbox_ledger where reference = 'A-1'`)
  assert.equal(rows.length, 1)
})

test('a carrier’s acceptance is written as soon as the database is back', {
  skip: ON_CITUS && 'Citus has no such triggers',
}, async (t) => {
  const fixture = await testFixture(t, { work: false })
  await create(fixture, 'F-1', { deliveryType: 'standard' })
  // 57P01: the server shuts down, as in a failover. A sequence keeps its value when the statement fails.
  await fixture.deps.db.query(`create sequence tries;
    create function fail_twice() returns trigger language plpgsql as $$
      begin
        if nextval('tries') <= 2 then raise exception 'shutting down' using errcode = '57P01'; end if;
        return new;
      end $$;
    create trigger fail_twice before update on deliveries
      for each row when (new.status = 'booked') execute function fail_twice()`)
  const booked = await bookNow(fixture.deps, fixture.demo(), anyone, {
    idOrReference: 'F-1',
    storeReference: null,
  })
  assert.equal(booked.status, 'booked')
  assert.equal(await bookings(fixture, 'F-1'), 1)
})

test('an unavailable carrier is retried until give_up_minutes, then the delivery goes on hold', async (t) => {
  const fixture = await testFixture(t)
  await create(fixture, 'D-down', { deliveryType: 'standard' })
  await untilIdle(fixture.parts.runner)
  assert.equal((await read(fixture, 'D-down')).status, 'requested')
  await fixture.setClock(TUESDAY_TEN_MS + 5 * HOUR_MS)
  const held = await untilDelivery(fixture, 'D-down', ({ status }) => status === 'on_hold')
  assert.match(held.statusReason ?? '', /240 minutes/)
  assert.equal(await bookings(fixture, 'D-down'), 0)
})

test('the backoff grows while no carrier can be called', async (t) => {
  const fixture = await testFixture(t, { work: false })
  await create(fixture, 'D-down', { deliveryType: 'standard' })
  await create(fixture, 'N-1', { deliveryType: 'standard' })
  const tryNow = async (idOrReference: string) => {
    const fromMs = fixture.demo().nowMs()
    await bookNow(fixture.deps, fixture.demo(), anyone, { idOrReference, storeReference: null })
    const toMs = fixture.demo().nowMs()
    const { rows } = await fixture.deps.db.query<{
      booking_attempts: number
      due_at: number
      intents: number
    }>(
      `select booking_attempts, due_at, (select count(*)::int from booking_intents as i
         where i.account_id = d.account_id and i.delivery_id = d.delivery_id) as intents
       from deliveries as d where reference = $1`,
      [idOrReference],
    )
    const { booking_attempts, due_at, intents } = rows[0]!
    return { tries: booking_attempts, intents, pauseMs: { min: due_at - toMs, max: due_at - fromMs } }
  }
  const down = await tryNow('D-down')
  assert.ok(down.intents > 0)
  assert.equal(down.tries, down.intents, 'who was asked is counted once')

  for (const { provider } of fixture.demo().account.carriers) {
    await switchOff(fixture.deps, fixture.demo(), provider, {
      reason: null,
      replan: null,
      decommissioned: false,
    })
  }
  for (let before = 0; before < 5; before++) {
    const { tries, intents, pauseMs } = await tryNow('N-1')
    assert.deepEqual([tries, intents], [before + 1, 0])
    assert.ok(
      pauseMs.max >= unreachableBackoffMs(before, 0) && pauseMs.min <= unreachableBackoffMs(before, 1),
      `${before}`,
    )
  }
})

test('Drover looks up a booking with an unknown outcome before it asks a clerk, however late', async (t) => {
  const fixture = await testFixture(t)
  await create(fixture, 'S-lost-answer', { deliveryType: 'standard' })
  await create(fixture, 'F-lost-answer', { deliveryType: 'fast' })
  for (const reference of ['S-lost-answer', 'F-lost-answer']) {
    await until(async () => (await bookings(fixture, reference)) > 0, `${reference} is booked at a carrier`)
  }
  await fixture.setClock(TUESDAY_TEN_MS + 9 * HOUR_MS)
  for (const reference of ['S-lost-answer', 'F-lost-answer']) {
    await untilDelivery(fixture, reference, ({ consignmentNumber }) => consignmentNumber !== null)
    assert.equal(await bookings(fixture, reference), 1)
  }
})

test('a queued delivery is booked at its lead time', async (t) => {
  const fixture = await testFixture(t)
  await create(fixture, 'L-1', { readyForPickupAt: { kind: 'instant', ms: TUESDAY_TEN_MS + 4 * HOUR_MS } })
  await untilIdle(fixture.parts.runner)
  assert.equal((await read(fixture, 'L-1')).status, 'requested')
  await fixture.setClock(TUESDAY_TEN_MS + 3 * HOUR_MS)
  await untilDelivery(fixture, 'L-1', ({ status }) => status === 'booked')
})

test('a dynamic ready-for-pickup time is recomputed when the request is sent to the carrier', async (t) => {
  const fixture = await testFixture(t)
  const later = { kind: 'instant', ms: TUESDAY_TEN_MS + 60_000 } as const
  const fast = { deliveryType: 'fast', readyForPickupAt: later, bookDeliveryNow: true } as const
  await create(fixture, 'RFP-own', fast)
  await create(fixture, 'RFP-carriers', { ...fast, useDynamicRfp: true })
  const [own, carriers] = [await read(fixture, 'RFP-own'), await read(fixture, 'RFP-carriers')]
  assert.deepEqual([own.status, carriers.status], ['booked', 'booked'])
  // Ready at 10:01 plus the store's 15 minutes; a driver needs 25 minutes from 10:00 on.
  assert.ok(windowStart(carriers) >= windowStart(own) + 9 * 60_000, `${carriers.window?.fromMs}`)
  assert.equal(own.chosen?.readyMs, undefined)
  assert.ok((carriers.chosen?.readyMs ?? 0) > carriers.readyForPickupAtMs)
})

test('an order whose buffer misses a run takes the next run', async (t) => {
  const fixture = await testFixture(t)
  const rfpOf = async (reference: string, readyAt: string) => {
    await create(fixture, reference, {
      deliveryType: 'standard',
      readyForPickupAt: timestamp(readyAt),
      useDynamicRfp: true,
    })
    return new Date((await read(fixture, reference)).chosen?.readyMs ?? 0).toISOString()
  }
  // Runs leave at 11:00, 13:00 and 15:00 in Melbourne; the store needs 15 minutes.
  assert.equal(await rfpOf('RUN-1', '2026-11-24T11:50:00+11:00'), '2026-11-24T02:00:00.000Z')
  assert.equal(await rfpOf('RUN-2', '2026-11-24T12:50:00+11:00'), '2026-11-24T04:00:00.000Z')
})

function windowStart({ window }: Delivery): number {
  assert.ok(window)
  return window.fromMs
}

/** One small carton from Melbourne CBD, ready half an hour after the clock's start. */
const ready: DeliveryRequest = {
  ...deliveryRequest,
  storeReference: 'melbourne-cbd',
  readyForPickupAt: timestamp('2026-11-24T10:30:00+11:00'),
}

const freight: Partial<DeliveryRequest> = {
  parcels: [{ ...requestParcel, type: 'pallet', lengthCm: 110, widthCm: 110, heightCm: 120, weightKg: 300 }],
}

async function create(
  fixture: Fixture,
  reference: string,
  changes: Partial<DeliveryRequest> = {},
): Promise<void> {
  const options = { idempotency: null, answer: () => ({ status: 201, headers: {}, body: '' }) }
  await createDelivery(fixture.deps, fixture.demo(), anyone, { ...ready, reference, ...changes }, options)
}

function read(fixture: Fixture, idOrReference: string): Promise<Delivery> {
  return getDelivery(fixture.deps, fixture.demo(), anyone, { idOrReference, storeReference: null })
}

function timeline(fixture: Fixture, idOrReference: string) {
  return deliveryTimeline(fixture.deps, fixture.demo(), anyone, { idOrReference, storeReference: null })
}

function untilDelivery(
  fixture: Fixture,
  reference: string,
  reached: (delivery: Delivery) => boolean,
): Promise<Delivery> {
  let delivery: Delivery
  return until(
    async () => {
      delivery = await read(fixture, reference)
      return reached(delivery) && delivery
    },
    () => `${reached}; ${reference} is ${delivery.status}: ${delivery.statusReason}`,
  )
}

async function bookings(fixture: Fixture, reference: string): Promise<number> {
  const { rows } = await fixture.deps.db.query(
    `select 1 from sandbox_ledger where reference = $1 and operation = 'book' and outcome = 'booked'`,
    [reference],
  )
  return rows.length
}
