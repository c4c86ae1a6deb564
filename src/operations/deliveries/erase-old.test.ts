import assert from 'node:assert/strict'
import { test } from 'node:test'

import { type Api, deliveryBody, lineItem, parcel, testApi } from '../../../test/api.ts'
import { driverApi, JPEG, ownDelivery, SAM } from '../../../test/driver.ts'
import { keepRequests } from '../../../test/keep-requests.ts'
import { until } from '../../../test/wait-until.ts'
import { eraseOld } from './erase-old.ts'

const DAY_MS = 86_400_000
/** Personal data of a delivery's customer, in every field where a client may write it. */
const CANARIES = {
  first: 'Canaria',
  last: 'Featherstone',
  phone: '+61491570110',
  email: 'canaria@birds.example',
  street: '7 Aviary Lane',
  company: 'Plumage Pty',
  words: 'ring the brass bell',
  goods: 'Seed of hemp',
  note: 'for the old parrot',
}

test('rows past their retention are erased from every table, and no others', async (t) => {
  const api = await testApi(t)
  const { call, fixture } = api
  await keepRequests(fixture.deps.db)
  const ids = [await booked(api, 'OLD-1'), await driven(api), await ownLink(api)]
  const held = (await create(api, 'OLD-2', { delivery_type: 'standard' })).id
  const before = await tablesThatName(api)
  for (const table of ['deliveries', 'booking_intents', 'messages', 'links', 'sandbox_consignments'])
    assert.ok(before.includes(table), `${table} of ${before}`)
  assert.equal(await sweep(api), 0, 'nothing is over yet')

  const nowMs = fixture.demo().nowMs()
  await fixture.setClock(nowMs + 399 * DAY_MS)
  await sweep(api, nowMs + 399 * DAY_MS)
  assert.equal((await call(`GET /demo/deliveries/${ids[0]}`)).status, 200)
  const young = await stranger(api, { ready_for_pickup_at: new Date(fixture.demo().nowMs()).toISOString() })

  // Work that is still in progress would write its rows during the erasure.
  await until(
    async () => (await call(`GET /demo/deliveries/${ids[0]}`)).json.data.status === 'delivered',
    'it has come',
  )
  await fixture.parts.runner.stop(30_000)

  const overMs = nowMs + 401 * DAY_MS
  await fixture.setClock(overMs)
  await Promise.all([sweep(api, overMs), sweep(api, overMs), sweep(api, overMs)])
  await sweep(api, overMs)
  await forgetKeys(api)
  assert.deepEqual(await tablesThatName(api), [])

  for (const id of [...ids, held]) {
    const gone = await call(`GET /demo/deliveries/${id}`)
    assert.deepEqual([gone.status, gone.json.code, gone.json.delivery_id], [410, 'delivery_erased', id])
  }
  const changes = [`PATCH /demo/deliveries/OLD-2/book`, `PATCH /demo/deliveries/OLD-2/request-cancel`]
  for (const line of changes) assert.equal((await call(line)).status, 410, line)
  const ready_for_pickup_at = new Date(fixture.demo().nowMs()).toISOString()
  const body = deliveryBody({ reference: 'OLD-1', ready_for_pickup_at })
  const again = await call('POST /demo/deliveries', { body })
  assert.equal(again.json.code, 'duplicate_reference', 'its number is not free')
  const list = (await call('GET /demo/deliveries')).json.data
  assert.deepEqual(
    list.map(({ id }: { id: string }) => id),
    [young.id],
  )
  const { rows } = await fixture.deps.db.query(
    `select status, due_at, decision, chosen->>'carrierName' as carrier, (chosen->>'priceCents')::int as cents
     from deliveries where delivery_id = any($1) order by status`,
    [[ids[0], held]],
  )
  assert.deepEqual(
    rows.map(({ status, due_at, decision }) => [status, due_at, decision]),
    [
      ['cancelled', null, null],
      [rows[1].status, null, null],
    ],
  )
  assert.ok(rows[1].carrier && rows[1].cents > 0, 'what was paid to whom stays')
})

test('a row is erased only if it is old by every clock', async (t) => {
  const api = await testApi(t)
  const id = await booked(api, 'KEPT')
  const nowMs = api.fixture.demo().nowMs()
  const events = (await api.call(`GET /demo/deliveries/${id}/events`)).json.data
  await api.fixture.setClock(nowMs + 1_000 * DAY_MS)
  assert.equal(await sweep(api, nowMs), 0, 'a clock that was set ahead may be set back')
  assert.equal(await sweep(api, nowMs + 1_000 * DAY_MS, Date.now()), 0, 'the worker’s clock is years ahead')
  await api.fixture.setClock(nowMs)
  assert.equal(await sweep(api, nowMs + 1_000 * DAY_MS), 0)
  assert.equal((await api.call(`GET /demo/deliveries/${id}`)).status, 200)
  const kept = (await api.call(`GET /demo/deliveries/${id}/events`)).json.data
  assert.deepEqual(kept.slice(0, events.length), events)
})

test('a removed courier is erased after the retention, unless the account document would add them again', async (t) => {
  const api = await testApi(t, { work: false })
  const { db } = api.fixture.deps
  const ofDocument = (await api.call('GET /demo/staff-couriers')).json.data[0]
  const add = async (phone: string) => {
    const body = { store_reference: 'fitzroy', phone, driver_name: 'Canaria' }
    return (await api.call('POST /demo/staff-couriers', { body })).json.data.id
  }
  const ids = [await add('+61491571001'), await add('+61491571002'), ofDocument.id]
  for (const id of ids) assert.equal((await api.call(`DELETE /demo/staff-couriers/${id}`)).status, 204)
  for (const [id, days] of [
    [ids[0], 401],
    [ids[1], 399],
    [ids[2], 401],
  ])
    await db.query(
      `update staff_couriers set removed_at = now() - $2 * interval '1 day' where courier_id = $1`,
      [id, days],
    )
  await sweep(api)
  const { rows } = await db.query('select courier_id from staff_couriers where removed_at is not null')
  assert.deepEqual(rows.map((row) => row.courier_id).sort(), [ids[1], ids[2]].sort())
})

test('an account whose sweep fails does not stop the others', async (t) => {
  const api = await testApi(t, { work: false })
  const { deps } = api.fixture
  const find = (id: string) => {
    if (id === 'demo') throw new Error('its settings cannot be read')
    return deps.accounts.find(id)
  }
  await eraseOld(deps)
  await deps.db.query('update retention_sweeps set swept_at = null')
  await eraseOld({ ...deps, accounts: { ...deps.accounts, find } })
  const { rows } = await deps.db.query('select account_id from retention_sweeps where swept_at is null')
  assert.deepEqual(rows, [])
})

test('one delivery is erased when its customer asks for it', async (t) => {
  const api = await testApi(t)
  const { operator, call, fixture } = api
  const id = await booked(api, 'ASKED')
  const line = `DELETE /admin/accounts/demo/deliveries/${id}`
  const open = await operator(line)
  assert.deepEqual([open.status, open.json.code], [409, 'not_erasable'])
  await fixture.deps.db.query(`update deliveries set status = 'delivered' where delivery_id = $1`, [id])
  await fixture.deps.db.query(
    `insert into orphaned_bookings (account_id, provider, reference, delivery_id, attempt, consignment_number, found_at,
       due_at)
     values ('demo', 'swiftly', 'SW-1', $1, 1, 'SW-1', now(), now() + interval '1 year')`,
    [id],
  )
  const other = await stranger(api)
  assert.deepEqual([(await operator(line)).status, (await operator(line)).status], [204, 204])
  assert.deepEqual(await tablesThatName(api), [])
  assert.equal((await call(`GET /demo/deliveries/${id}`)).status, 410)
  assert.equal((await call(`GET /demo/deliveries/${other.id}`)).status, 200)
  const { rows } = await fixture.deps.db.query(
    `select actor, object from audit_log where action = 'eraseDelivery'`,
  )
  assert.deepEqual(rows, [{ actor: 'token', object: id }], 'once')
  assert.equal((await fixture.deps.db.query('select from orphaned_bookings')).rows.length, 0)
  assert.equal((await operator('DELETE /admin/accounts/demo/deliveries/dlv_none')).status, 404)
})

test('audit rows are purged after their retention, and this year’s cannot be deleted', async (t) => {
  const api = await testApi(t, { work: false })
  const { db } = api.fixture.deps
  const put = (id: string, days: number) =>
    db.query(
      `insert into audit_log (account_id, audit_id, at, actor_kind, actor, action)
       values ('demo', $1, now() - $2 * interval '1 day', 'client', 'x', 'y')`,
      [id, days],
    )
  await put('aud_0', 3_000)
  await put('aud_1', 2_000)
  await sweep(api)
  const { rows } = await db.query(`select audit_id from audit_log where audit_id like 'aud__' order by 1`)
  assert.deepEqual(rows, [{ audit_id: 'aud_1' }])
  await put('aud_2', 399)
  await assert.rejects(db.query(`delete from audit_log where audit_id = 'aud_2'`), { code: '42501' })
})

const named = {
  customer: {
    first_name: CANARIES.first,
    last_name: CANARIES.last,
    phone: CANARIES.phone,
    email: CANARIES.email,
  },
  special_instructions: CANARIES.words,
  pickup_instructions: CANARIES.words,
  line_items: [{ ...lineItem, name: CANARIES.goods, packing_instructions: CANARIES.note }],
  parcels: [{ ...parcel, description: CANARIES.note }],
}

function place(): object {
  const { address } = deliveryBody() as { address: object }
  return { ...address, address: CANARIES.street, business: true, company_name: CANARIES.company }
}

async function create({ call }: Api, reference: string, over: object = {}) {
  const body = deliveryBody({
    ...named,
    address: place(),
    metadata: { who: CANARIES.last },
    reference,
    ...over,
  })
  const { status, json, text } = await call('POST /demo/deliveries', {
    body,
    headers: { 'idempotency-key': reference },
  })
  assert.equal(status, 201, text)
  return json.data
}

/** A delivery of another customer. */
async function stranger({ call }: Api, over: object = {}): Promise<{ id: string }> {
  const { status, json, text } = await call('POST /demo/deliveries', { body: deliveryBody(over) })
  assert.equal(status, 201, text)
  return json.data
}

async function booked(api: Api, reference: string): Promise<string> {
  const { id, status } = await create(api, reference, { book_delivery_now: true })
  assert.equal(status, 'booked')
  return id
}

/** Delivered by the store's own courier, with a signed proof. */
async function driven(api: Api): Promise<string> {
  const { id } = await ownDelivery(api, SAM, { ...named, address: place() })
  const sam = await driverApi(api, SAM)
  for (const verb of ['accept', 'collect']) await sam.call(`POST /driver/jobs/${id}/${verb}`)
  const proof = { id: 'proof-0001', kind: 'signature', image: JPEG, signed_by: CANARIES.last }
  const { status, text } = await sam.call(`POST /driver/jobs/${id}/deliver`, { body: { proof } })
  assert.equal(status, 200, text)
  return id
}

/** By a link with the same customer. */
async function ownLink({ call }: Api): Promise<string> {
  const { country: _, ...address } = place() as { country: string }
  const { customer, line_items } = named
  const body = {
    store_reference: 'melbourne-cbd',
    reference: 'CC-1',
    customer,
    address,
    line_items,
    parcels: [parcel],
  }
  const made = await call('POST /demo/links', { body, headers: { 'idempotency-key': 'link' } })
  assert.equal(made.status, 201, made.text)
  const open = `/l/${made.json.data.link.split('/l/')[1]}`
  const verified = await call(`POST ${open}/verify`, { token: null, body: { reference: 'CC-1' } })
  const headers = { 'link-session': verified.json.data.session }
  const done = await call(`POST ${open}/book`, { token: null, headers, body: { delivery_type: 'standard' } })
  assert.equal(done.status, 201, done.text)
  const { data } = (await call('GET /demo/deliveries?reference=CC-1')).json
  return data[0].id
}

/** Runs until nothing is left to erase, at these clocks; every account is due at once. */
async function sweep({ fixture: { deps } }: Api, wallMs = Date.now(), databaseMs = wallMs): Promise<number> {
  await deps.db.query('update retention_sweeps set swept_at = null')
  let erased = 0
  for (let share = -1; share !== 0; erased += share)
    share = await eraseOld(deps, { wallMs: () => wallMs, databaseMs: () => databaseMs })
  return erased
}

/** Keys live for 72 hours of wall time, too long for a test. */
async function forgetKeys({ fixture }: Api): Promise<void> {
  await fixture.deps.db.query('delete from idempotency_keys')
}

/** The tables with a row whose text names the customer. */
async function tablesThatName({ fixture: { deps } }: Api): Promise<string[]> {
  const { rows } = await deps.db.query<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
  )
  const found = await Promise.all(
    rows.map(async ({ name }) => {
      const message = await deps.db.query(
        `select 1 from ${name} as t where t::text ilike any (select '%' || c || '%' from unnest($1::text[]) as c) limit 1`,
        [Object.values(CANARIES)],
      )
      return message.rows.length > 0 ? [name] : []
    }),
  )
  return found.flat()
}
