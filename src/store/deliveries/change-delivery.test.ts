import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anyone, type Fixture, TUESDAY_TEN_MS, testFixture } from '../../../test/fixture.ts'
import { deliveryRequest } from '../../../test/requests.ts'
import { STATUSES } from '../../domain/delivery/status.ts'
import { createDelivery } from '../../operations/deliveries/create-delivery.ts'
import { withTransaction } from '../db/pool.ts'
import { openIntent } from './booking-intents.ts'
import { changeDelivery, changeDeliveryTogether, preparedWhenOften } from './change-delivery.ts'
import type { DeliveryChange } from './delivery-change.ts'

test('a booking’s time is never before its request’s', async (t) => {
  const fixture = await testFixture(t)
  const options = { idempotency: null, answer: () => ({ status: 201, headers: {}, body: '' }) }
  await createDelivery(
    fixture.deps,
    fixture.demo(),
    anyone,
    { ...deliveryRequest, reference: 'ORDER-1' },
    options,
  )
  const { rows } = await fixture.deps.db.query(
    `select delivery_id, requested_at from deliveries where reference = 'ORDER-1'`,
  )
  const requestedMs = rows[0].requested_at.getTime?.() ?? rows[0].requested_at
  const target = {
    accountId: 'demo',
    deliveryId: rows[0].delivery_id,
    guard: { statuses: ['requested'] as const },
  }
  const bookedAt = async (bookedMs: number | null) => {
    const row = await changeDelivery(
      fixture.deps.db,
      { ...target, nowMs: requestedMs },
      { booked_at: bookedMs },
    )
    return row?.booked_at
  }
  assert.equal(await bookedAt(requestedMs - 17), requestedMs)
  assert.equal(await bookedAt(requestedMs + 17), requestedMs + 17)
  assert.equal(await bookedAt(null), null)
})

test('changes that share a statement write what each would write by itself', async (t) => {
  const fixture = await testFixture(t, { work: false })
  const { db } = fixture.deps
  const ids = await createMany(fixture, 12)
  const opened = await Promise.all(ids.map((id) => open(fixture, id)))
  assert.deepEqual(opened, Array(12).fill(true))
  const [alone, shared] = [ids.slice(0, 6), ids.slice(6)]
  for (const [index, id] of alone.entries()) {
    const { target, patch, events, intent } = booked(id, index)
    assert.equal((await changeDelivery(db, target, patch, events, intent))?.delivery_id, id)
  }
  const rows = await Promise.all(shared.map((id, index) => changeDeliveryTogether(db, booked(id, index))))
  assert.deepEqual(
    rows.map((row) => row?.delivery_id),
    shared,
  )
  for (const [index, id] of alone.entries()) {
    const other = shared[index] as string
    assert.deepEqual(await everythingOf(fixture, other), await everythingOf(fixture, id))
  }
  // Only changes that are made together write a carrier's updates.
  const kept = await db.query('select delivery_id, carrier_event_id from carrier_events order by 1')
  assert.deepEqual(
    kept.rows,
    shared.map((delivery_id, index) => ({ delivery_id, carrier_event_id: `u-${index}` })),
  )
})

test('of changes that share a statement, only those whose guard matches are written', async (t) => {
  const fixture = await testFixture(t, { work: false })
  const { db } = fixture.deps
  const ids = await createMany(fixture, 5)
  const change = (id: string, fence: number): DeliveryChange => ({
    target: {
      accountId: 'demo',
      deliveryId: id,
      nowMs: TUESDAY_TEN_MS,
      guard: { statuses: ['requested'], fence },
    },
    patch: { attention: 'Ring the store.' },
  })
  const rows = await Promise.all(ids.map((id, index) => changeDeliveryTogether(db, change(id, index % 2))))
  assert.deepEqual(
    rows.map((row) => row?.attention ?? null),
    ['Ring the store.', null, 'Ring the store.', null, 'Ring the store.'],
  )
  // The same delivery twice: each change is made, one after the other.
  const twice = await Promise.all(
    [0, 0].map((fence) => changeDeliveryTogether(db, change(ids[1] as string, fence))),
  )
  assert.deepEqual(
    twice.map((row) => row?.attention),
    ['Ring the store.', 'Ring the store.'],
  )
})

test('a change waits for its own row only, and is made when that is free', async (t) => {
  const fixture = await testFixture(t, { work: false })
  const { db } = fixture.deps
  const [held = '', ...others] = await createMany(fixture, 6)
  const change = (id: string): DeliveryChange => ({
    target: { accountId: 'demo', deliveryId: id, nowMs: TUESDAY_TEN_MS, guard: { statuses: ['requested'] } },
    patch: { attention: 'Ring the store.' },
  })
  let waiting: Promise<unknown> = Promise.resolve()
  let isOver = false
  await withTransaction(db, async (client) => {
    await client.query(`select from deliveries where account_id = 'demo' and delivery_id = $1 for update`, [
      held,
    ])
    waiting = changeDeliveryTogether(db, change(held)).then((row) => {
      isOver = true
      return row
    })
    // More of them than there are places for statements in flight.
    for (const id of others) assert.ok(await changeDeliveryTogether(db, change(id)))
    assert.equal(isOver, false)
  })
  assert.ok(await waiting)
})

test('a change that the database refuses fails by itself', async (t) => {
  const fixture = await testFixture(t, { work: false })
  const { db } = fixture.deps
  const ids = await createMany(fixture, 4)
  const results = await Promise.allSettled(
    ids.map((id, index) =>
      changeDeliveryTogether(db, {
        target: {
          accountId: 'demo',
          deliveryId: id,
          nowMs: TUESDAY_TEN_MS,
          guard: { statuses: ['requested'] },
        },
        // The third window ends before it begins.
        patch: { window_from: TUESDAY_TEN_MS, window_to: TUESDAY_TEN_MS + (index === 2 ? -1 : 1) },
      }),
    ),
  )
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  )
})

test('a change to a delivery that has ended does not change its updated_at', async (t) => {
  const fixture = await testFixture(t, { work: false })
  const { db } = fixture.deps
  const [id] = (await createMany(fixture, 1)) as [string]
  const target = { accountId: 'demo', deliveryId: id }
  const hour = 3_600_000
  const change = (hours: number, patch: DeliveryChange['patch']) =>
    changeDelivery(
      db,
      { ...target, nowMs: TUESDAY_TEN_MS + hours * hour, guard: { statuses: STATUSES } },
      patch,
    )
  assert.equal((await change(1, { sub_status: 'x' }))?.updated_at, TUESDAY_TEN_MS + hour)
  assert.equal((await change(2, { status: 'delivered' }))?.updated_at, TUESDAY_TEN_MS + 2 * hour)
  assert.equal((await change(3, { attention: 'Another booking.' }))?.updated_at, TUESDAY_TEN_MS + 2 * hour)
  await changeDeliveryTogether(db, {
    target: { ...target, nowMs: TUESDAY_TEN_MS + 4 * hour, guard: { statuses: STATUSES } },
    patch: { attention: null },
    updates: [{ ...booked(id, 1).updates![0]!, eventId: 'late scan' }],
  })
  const { rows: ended } = await db.query(`select updated_at from deliveries where account_id = 'demo'`)
  assert.deepEqual(ended, [{ updated_at: TUESDAY_TEN_MS + 2 * hour }])
  const { rows: scans } = await db.query(`select received_at from carrier_events where account_id = 'demo'`)
  assert.deepEqual(scans, [{ received_at: TUESDAY_TEN_MS + 4 * hour }])
})

async function createMany(fixture: Fixture, count: number): Promise<string[]> {
  const options = { idempotency: null, answer: () => ({ status: 201, headers: {}, body: '' }) }
  for (let n = 0; n < count; n++) {
    const request = { ...deliveryRequest, reference: `ORDER-${n}` }
    await createDelivery(fixture.deps, fixture.demo(), anyone, request, options)
  }
  const { rows } = await fixture.deps.db.query(`select delivery_id from deliveries order by delivery_id`)
  return rows.map(({ delivery_id }) => delivery_id)
}

function open({ deps }: Fixture, deliveryId: string): Promise<boolean> {
  const target = { accountId: 'demo', deliveryId, fence: 0, contentVersion: 1, nowMs: TUESDAY_TEN_MS }
  return openIntent(deps.db, target, {
    ...{ attempt: 1, key: `${deliveryId}-1`, provider: 'southern-parcels', service: 'standard' },
    ...{ consignment: { parcels: ['"{,}'] }, settleMs: 1_000, lookAgainAtMs: TUESDAY_TEN_MS },
    option: OPTION,
  })
}

const OPTION = {
  ...{ carrierName: 'Southern Parcels', service: 'standard', costCents: 890, priceCents: 890 },
  ...{
    deliveryType: 'standard',
    windowFromMs: 0,
    windowToMs: 1,
    accountVersion: 1,
    manifestStatus: 'pending',
  },
} as unknown as Parameters<typeof openIntent>[2]['option']

/** A change with every kind of value, two events and their messages. */
function booked(deliveryId: string, index: number): DeliveryChange {
  const event = (number: number, to: 'booked' | null) => ({
    ...{ eventId: `evt_${deliveryId}${number}`, type: 'delivery.booked', atMs: TUESDAY_TEN_MS + index },
    ...({
      source: 'worker',
      from: 'requested',
      to,
      subStatus: null,
      consignmentNumber: `SP-${index}`,
    } as const),
    detail: `It’s "booked", {${index}}`,
    ...(index % 2 === 0 ? { data: { changes: [index] } } : {}),
  })
  return {
    target: {
      ...{ accountId: 'demo', deliveryId, nowMs: TUESDAY_TEN_MS + index },
      guard: { statuses: ['requested', 'on_hold'], openAttempt: 1, fence: 0, cancelRequestedAtMs: null },
    },
    patch: {
      ...{ status: 'booked', sub_status: null, pending_attempt: null, replan_requested: false },
      ...{
        consignment_number: `SP-${index}`,
        articles: [{ ref: '1', articleIds: [`A"${index}\\`] }] as never,
      },
      ...{ excluded_providers: index === 0 ? [] : ['swiftly', 'big "haul"'], booked_at: TUESDAY_TEN_MS },
      due_at: TUESDAY_TEN_MS + index * 1_000,
    },
    events: [event(1, 'booked'), event(2, null)],
    intent: { attempt: 1, state: 'accepted', message: index === 3 ? null : 'Thanks, "all" {good}' },
    updates: [
      {
        eventId: `u-${index}`,
        atMs: TUESDAY_TEN_MS,
        status: null,
        subStatus: null,
        message: 'Label {scanned}',
      },
    ],
  }
}

/** What is stored of a delivery, without what names it. */
async function everythingOf({ deps }: Fixture, deliveryId: string): Promise<unknown> {
  const of = async (table: string, column: string) => {
    const { rows } = await deps.db.query(`select * from ${table} where ${column} = $1`, [deliveryId])
    return rows
  }
  const rows = [
    await of('deliveries', 'delivery_id'),
    (await of('events', 'stream')).filter(({ type }) => type === 'delivery.booked'),
    await of('messages', 'delivery_id'),
    await of('booking_intents', 'delivery_id'),
  ]
  const own = new Set([
    ...['reference', 'search_key', 'decision', 'decided_at', 'created_at', 'requested_at', 'booked_at'],
    ...['position', 'feed_position', 'tx', 'settle_until'],
  ])
  const shown = (key: string, value: unknown) =>
    own.has(key) ? undefined : typeof value === 'string' ? value.replaceAll(deliveryId, 'dlv') : value
  return JSON.parse(JSON.stringify(rows, shown).replaceAll(deliveryId.slice(4), ''))
}

test('a statement is prepared once it is frequent, under a stable name', () => {
  const named = preparedWhenOften('change')
  const use = (text: string, times: number) => Array.from({ length: times }, () => named(text).name ?? null)
  assert.deepEqual(new Set(use('rare', 20)), new Set([null]))
  assert.deepEqual(use('often', 22).slice(-3), [null, 'change/2', 'change/2'])
  assert.deepEqual(use('rare', 2), ['change/1', 'change/1'])
  assert.deepEqual(use('often', 1), ['change/2'])
})
