import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Api, deliveryBody, testApi, usedBy } from '../../../test/api.ts'
import { apiThatCrashesAfter, apiWith } from '../../../test/crashing-api.ts'
import { MIA } from '../../../test/driver.ts'
import { lostBooking } from '../../../test/lost-booking.ts'

const EVENT_STORED = 'select 1 from events where type = $1'
const amendment = { ready_for_pickup_at: '2026-11-24T16:00:00+11:00' }

test('an amend that crashed after its commit returns its response and is not applied twice', async (t) => {
  const api = await testApi(t, { work: false })
  const { json } = await api.call('POST /demo/deliveries', { body: deliveryBody() })
  const line = `PATCH /demo/deliveries/${json.data.id}/amend`
  const send = { body: amendment, headers: { 'idempotency-key': 'amend-1' } }
  await (await apiThatCrashesAfter(t, api.fixture, EVENT_STORED, 'delivery.amended')).call(line, send)

  const again = await api.call(line, send)
  assert.deepEqual([again.status, again.headers['idempotent-replayed']], [200, 'true'], again.text)
  assert.match(again.json.data.ready_for_pickup_at, /T16:00/)
  assert.deepEqual(await traces(api, 'delivery.amended', 'amendDelivery'), { events: 1, audited: 1 })
})

test('a link that crashed after its commit is returned again, and no second SMS is sent', async (t) => {
  const api = await testApi(t, { work: false })
  const { address, customer, parcels } = deliveryBody() as {
    address: { country: string }
    customer: object
    parcels: object[]
  }
  const { country: _, ...place } = address
  const line_items = [{ code: 'A', name: 'A', price_cents: 100, quantity: 1 }]
  const order = { store_reference: 'melbourne-cbd', reference: 'CC-1', customer, line_items, parcels }
  const send = { body: { ...order, address: place }, headers: { 'idempotency-key': 'link-1' } }
  await (await apiThatCrashesAfter(t, api.fixture, EVENT_STORED, 'link.created')).call(
    'POST /demo/links',
    send,
  )

  const again = await api.call('POST /demo/links', send)
  assert.deepEqual([again.status, again.headers['idempotent-replayed']], [201, 'true'], again.text)
  assert.match(again.json.data.link, /\/l\//)
  assert.deepEqual(await traces(api, 'link.created', 'createLink'), { events: 1, audited: 1 })
  const { rows } = await api.fixture.deps.db.query(
    `select count(*)::int as sms from messages where kind = 'sms'`,
  )
  assert.equal(rows[0].sms, 1)
})

test('a client that crashed after its commit is returned again with its secret, and only one exists', async (t) => {
  const api = await testApi(t, { work: false })
  const line = 'POST /admin/accounts/demo/clients'
  const send = { body: { name: 'Till', scopes: ['quotes'] }, headers: { 'idempotency-key': 'client-1' } }
  const table = 'select 1 from api_clients where name = $1'
  await (await apiThatCrashesAfter(t, api.fixture, table, 'Till')).operator(line, send)

  const again = await api.operator(line, send)
  assert.deepEqual([again.status, again.headers['idempotent-replayed']], [201, 'true'], again.text)
  const { client_id, client_secret } = again.json.data
  assert.ok(await api.tokenOf(client_id, client_secret))
  const { json } = await api.operator('GET /admin/accounts/demo/clients')
  assert.equal(json.data.filter(({ name }: { name: string }) => name === 'Till').length, 1)
})

test('a one-transaction change that crashed returns its response and is not applied twice', async (t) => {
  const api = await testApi(t, { work: false })
  const { call, fixture } = api
  const count = async (what: string): Promise<number> =>
    (await fixture.deps.db.query(`select count(*)::int as n from ${what}`)).rows[0].n
  const { id } = (await call('POST /demo/deliveries', { body: deliveryBody({ store_reference: 'fitzroy' }) }))
    .json.data
  const lost = await lostBooking(api)
  const ann = { store_reference: 'fitzroy', phone: '0491 570 110', driver_name: 'Ann' }
  const flinders = { latitude: -37.8183, longitude: 144.9671 }
  const courier = { staff_courier: { phone: MIA, driver_name: 'Mia Tran' } }
  const found = { booked: true, consignment_number: 'BH-77' }
  const cases: [line: string, body: object, status: number, table: string][] = [
    ['POST /demo/staff-couriers', ann, 201, `staff_couriers where driver_name = 'Ann'`],
    [`PATCH /demo/deliveries/${id}/assign`, courier, 200, 'courier_offers'],
    [`PATCH /demo/deliveries/${lost.id}/settle-booking`, found, 200, `deliveries where status = 'booked'`],
    [
      'POST /demo/deliveries/quote/allocation',
      { address: flinders, use_async: true },
      202,
      'allocation_jobs',
    ],
  ]
  for (const [line, body, status, table] of cases) {
    const send = { body, headers: { 'idempotency-key': line } }
    const none = await count(table)
    const crashing = await apiThatCrashesAfter(t, fixture, `select from ${table} having count(*) > $1`, none)
    await crashing.call(line, send)
    assert.equal(await count(table), none + 1, line)
    const again = await call(line, send)
    assert.deepEqual([again.status, again.headers['idempotent-replayed']], [status, 'true'], again.text)
    assert.equal(await count(table), none + 1, line)
  }
  assert.equal(await count(`messages where template = 'driver_offer'`), 1)
})

test('a create that lost the database while booking is answered at once on retry', async (t) => {
  const api = await testApi(t, { work: false })
  const send = { body: deliveryBody({ book_delivery_now: true }), headers: { 'idempotency-key': 'now-1' } }
  const failing = await usedBy(
    apiWith(t, api.fixture, (statement) => {
      if (statement === 'answer-key-of-delivery')
        throw Object.assign(new Error('lost'), { code: 'ECONNRESET' })
    }),
    api.fixture,
  )
  const first = await failing.call('POST /demo/deliveries', send)
  assert.deepEqual([first.status, first.headers['retry-after']], [503, '2'])
  const again = await api.call('POST /demo/deliveries', send)
  assert.deepEqual([again.status, again.json.data?.status], [201, 'booked'], again.text)
  const third = await api.call('POST /demo/deliveries', send)
  assert.equal(third.text, again.text)
})

async function traces({ fixture }: Api, type: string, action: string) {
  const { rows } = await fixture.deps.db.query(
    `select (select count(*)::int from events where type = $1) as events,
      (select count(*)::int from audit_log where action = $2) as audited`,
    [type, action],
  )
  return rows[0]
}
