import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Api, address, customer, deliveryBody, lineItem, parcel, testApi } from '../../../../test/api.ts'
import { TUESDAY_TEN_MS } from '../../../../test/fixture.ts'
import { untilIdle } from '../../../../test/until-idle.ts'
import { untilStatus } from '../../../../test/until-status.ts'

const READY = '2026-11-24T15:00:00+11:00'

test('an amend changes the fields that are sent, keeps the others, and chooses the service again', async (t) => {
  const api = await testApi(t, { work: false })
  const created = await create(api, {
    delivery_type: 'standard',
    special_instructions: 'Ring twice',
    line_items: [lineItem],
    metadata: { till: '7' },
  })
  const amended = await amend(api, created.id, {
    ready_for_pickup_at: '2026-11-25T09:30',
    address: { ...address, city: 'Sydney', state: 'NSW', post_code: '2000' },
    parcels: [{ ...parcel, reference: 'P9', weight_kg: 9 }],
  })
  assert.equal(amended.status, 200)
  const { data } = amended.json
  assert.equal(data.id, created.id)
  assert.equal(data.ready_for_pickup_at, '2026-11-25T09:30:00+11:00', 'without an offset: the store’s time')
  assert.deepEqual(
    data.parcels.map((one: { reference: string }) => one.reference),
    ['P9'],
  )
  assert.equal(data.address.post_code, '2000')
  assert.deepEqual(data.customer, created.customer)
  assert.deepEqual(data.line_items, created.line_items)
  assert.deepEqual(data.metadata, created.metadata)
  assert.equal(data.special_instructions, 'Ring twice')
  assert.notEqual(data.from_datetime, created.from_datetime)
  assert.ok(data.service_quote.price_cents > created.service_quote.price_cents, 'farther and heavier')
  assert.equal(data.service_quote.from_datetime, data.from_datetime)
  assert.deepEqual((await api.call(`GET /demo/deliveries/${created.reference}`)).json.data, data)
  const timeline = (await api.call(`GET /demo/deliveries/${created.id}/events`)).json.data
  assert.deepEqual(
    timeline.map(({ type, detail }: { type: string; detail?: string }) => [type, detail]),
    [
      ['delivery.created', undefined],
      ['delivery.requested', undefined],
      ['delivery.amended', 'ready_for_pickup_at, address, parcels'],
    ],
  )
})

test('an amend’s event lists what changed, and earlier events stay as they were', async (t) => {
  const api = await testApi(t, { work: false })
  const { id } = await create(api, {
    reference: 'OLD-1',
    ready_for_pickup_at: READY,
    line_items: [lineItem],
  })
  const feed = async () => (await api.call('GET /demo/events')).json.data
  const before = await feed()
  const body = {
    ready_for_pickup_at: READY,
    reference: 'NEW-1',
    special_instructions: 'Ring twice',
    address: { ...address, address2: 'Unit 4' },
    customer: { ...customer, phone: '0491 570 157' },
    line_items: [lineItem],
    parcels: [{ ...parcel, weight_kg: 9 }],
  }
  assert.equal((await amend(api, id, body)).status, 200)
  const after = await feed()
  assert.deepEqual(after.slice(0, before.length), before, 'earlier events keep the old reference')
  const [amended] = after.slice(before.length)
  assert.equal(amended.data.reference, 'NEW-1')
  assert.equal(amended.data.detail, 'reference, special_instructions, address, customer, parcels')
  const changes = Object.fromEntries(
    amended.data.changes.map(({ field, from, to }: Record<string, unknown>) => [field, [from, to]]),
  )
  assert.deepEqual(Object.keys(changes), [
    'reference',
    'special_instructions',
    'address.address2',
    'customer.phone',
    'parcels',
  ])
  assert.deepEqual(changes.reference, ['OLD-1', 'NEW-1'])
  assert.deepEqual(changes.special_instructions, [null, 'Ring twice'])
  assert.deepEqual(changes['address.address2'], [null, 'Unit 4'])
  assert.deepEqual(changes['customer.phone']?.[1], '+61491570157')
  assert.deepEqual(
    (changes.parcels as { weight_kg: number }[][]).map(([one]) => one?.weight_kg),
    [parcel.weight_kg, 9],
  )
  const timeline = (await api.call(`GET /demo/deliveries/${id}/events`)).json.data
  assert.deepEqual(timeline.at(-1).changes, amended.data.changes)

  await amend(api, id, { ...body, reference: undefined })
  const [same] = (await feed()).slice(after.length)
  assert.deepEqual([same.data.changes, same.data.detail], [[], undefined])
})

test('a changed list in an event has the request’s field names', async (t) => {
  const api = await testApi(t, { work: false })
  const goods = { dangerous_goods_definition: 'perfumery', net_weight_kg: 0.4 }
  const { id } = await create(api, { ready_for_pickup_at: READY })
  const created = (await api.call(`GET /demo/deliveries/${id}`)).json.data
  const wanted = [{ ...parcel, contains_dangerous_goods: true, dangerous_goods: goods }]
  const { json, status } = await amend(api, id, { ready_for_pickup_at: READY, parcels: wanted })
  if (status !== 200) return assert.equal(status, 200, JSON.stringify(json))
  const { changes } = (await api.call(`GET /demo/deliveries/${id}/events`)).json.data.at(-1)
  const [parcels] = changes.filter(({ field }: { field: string }) => field === 'parcels')
  assert.deepEqual(parcels, { field: 'parcels', from: created.parcels, to: json.data.parcels })
})

test('address and customer are replaced whole, also by reference instead of id', async (t) => {
  const api = await testApi(t, { work: false })
  const created = await create(api, {
    address: { ...address, address2: 'Level 3', business: true, company_name: 'Lim' },
  })
  const amended = await amend(api, created.reference, {
    ready_for_pickup_at: READY,
    address,
    customer: { ...customer, first_name: 'Bo', phone: '0491 570 157' },
  })
  const { data } = amended.json
  assert.equal(data.address.address2, undefined)
  assert.equal(data.address.business, undefined, 'not sent, so not echoed')
  assert.equal(data.additionals.is_residential, true)
  assert.deepEqual(data.customer, { ...customer, first_name: 'Bo', phone: '+61491570157' })
})

test('an amend accepts another delivery_type and reference; it rejects a reference in use', async (t) => {
  const api = await testApi(t, { work: false })
  const created = await create(api, { delivery_type: 'standard' })
  const other = await create(api)
  const amended = await amend(api, created.id, {
    ready_for_pickup_at: READY,
    delivery_type: 'express',
    reference: `${created.reference}-B`,
  })
  assert.equal(amended.json.data.delivery_type, 'express')
  assert.equal(amended.json.data.reference, `${created.reference}-B`)
  assert.equal((await api.call(`GET /demo/deliveries/${created.reference}`)).status, 404)

  const duplicate = await amend(api, created.id, { ready_for_pickup_at: READY, reference: other.reference })
  assert.equal(duplicate.status, 409)
  assert.equal(duplicate.json.code, 'duplicate_reference')
  assert.equal(duplicate.json.delivery_id, other.id)
  const own = await amend(api, created.id, {
    ready_for_pickup_at: READY,
    reference: `${created.reference}-B`,
  })
  assert.equal(own.status, 200, 'its own reference is not in use by another')
})

test('every mistake of an amend is reported by its field in one response', async (t) => {
  const api = await testApi(t, { work: false })
  const created = await create(api)
  const before = (await api.call(`GET /demo/deliveries/${created.id}`)).json.data
  const cases: [object, string[]][] = [
    [{}, ['ready_for_pickup_at']],
    [
      {
        reference: 'dlv_mine',
        address: { ...address, business: true, post_code: 12 },
        parcels: [parcel, { ...parcel, weight_kg: -1 }],
        authority_to_leave: true,
      },
      [
        'address.company_name',
        'address.post_code',
        'authority_to_leave',
        'parcels[1].reference',
        'parcels[1].weight_kg',
        'ready_for_pickup_at',
        'reference',
      ],
    ],
    [
      {
        ready_for_pickup_at: '2031-01-01T00:00:00Z',
        reference: 'dlv_mine',
        address: { ...address, post_code: '9998' },
        customer: { ...customer, phone: '12' },
        parcels: [
          {
            ...parcel,
            contains_dangerous_goods: true,
            dangerous_goods: { dangerous_goods_definition: 'soup' },
          },
        ],
      },
      [
        'address.post_code',
        'customer.phone',
        'parcels[0].dangerous_goods.dangerous_goods_definition',
        'ready_for_pickup_at',
        'reference',
      ],
    ],
    [{ ready_for_pickup_at: READY, parcels: [] }, ['parcels']],
    [{ ready_for_pickup_at: READY, customer: null }, ['customer']],
  ]
  for (const [body, fields] of cases) {
    const { status, json } = await amend(api, created.id, body)
    assert.equal(status, 422, JSON.stringify(body))
    assert.deepEqual(json.errors.map(({ field }: { field: string }) => field).sort(), fields)
  }
  assert.deepEqual((await api.call(`GET /demo/deliveries/${created.id}`)).json.data, before)
})

test('an amend that no carrier can take changes nothing', async (t) => {
  const api = await testApi(t, { work: false })
  const created = await create(api)
  const before = (await api.call(`GET /demo/deliveries/${created.id}`)).json.data
  const refused = await amend(api, created.id, {
    ready_for_pickup_at: READY,
    parcels: [{ ...parcel, weight_kg: 40_000 }],
  })
  assert.equal(refused.status, 422)
  assert.equal(refused.json.code, 'no_service_available')
  assert.ok(refused.json.exclusions.length > 0)
  assert.deepEqual((await api.call(`GET /demo/deliveries/${created.id}`)).json.data, before)
  assert.equal((await api.call(`GET /demo/deliveries/${created.id}/events`)).json.data.length, 2)
})

test('a delivery with a consignment number or in a final status cannot be amended', async (t) => {
  const api = await testApi(t, { work: false })
  const booked = await create(api, { book_delivery_now: true })
  assert.ok(booked.consignment_number)
  const consigned = await amend(api, booked.id, { ready_for_pickup_at: READY })
  assert.equal(consigned.status, 409)
  assert.equal(consigned.json.code, 'delivery_already_consigned')
  const created = await create(api)
  await api.call(`PATCH /demo/deliveries/${created.id}/request-cancel`)
  const over = await amend(api, created.id, { ready_for_pickup_at: READY })
  assert.equal(over.json.code, 'not_amendable')
  assert.equal((await amend(api, 'dlv_nobody', { ready_for_pickup_at: READY })).status, 404)
})

test('an amend during a booking attempt gets an error that says to retry', async (t) => {
  const api = await testApi(t, { work: false })
  const created = await create(api)
  const { db } = api.fixture.deps
  await db.query('update deliveries set pending_attempt = 1 where delivery_id = $1', [created.id])
  const refused = await amend(api, created.id, { ready_for_pickup_at: READY })
  assert.equal(refused.status, 409)
  assert.equal(refused.json.code, 'booking_in_progress')
  assert.ok(Number(refused.headers['retry-after']) > 0)
  await db.query(`update deliveries set status = 'on_hold' where delivery_id = $1`, [created.id])
  assert.equal((await amend(api, created.id, { ready_for_pickup_at: READY })).json.code, 'not_amendable')
})

test('an amend that a carrier can take ends the hold, and the delivery is booked in its time', async (t) => {
  const api = await testApi(t)
  const created = await create(api, {
    reference: 'HELD-rejected',
    ready_for_pickup_at: '2026-11-24T10:10:00+11:00',
  })
  const held = await untilStatus(api, created.id, 'on_hold')
  assert.ok(held.status_reason)
  const amended = await amend(api, created.id, {
    ready_for_pickup_at: '2026-11-24T12:30:00+11:00',
    reference: 'HELD-no-more',
  })
  assert.equal(amended.json.data.status, 'requested')
  assert.equal(amended.json.data.status_reason, undefined)
  const timeline = (await api.call(`GET /demo/deliveries/${created.id}/events`)).json.data
  assert.deepEqual(
    timeline
      .slice(-2)
      .map(({ type, from, to }: { type: string; from: string; to: string }) => [type, from, to]),
    [
      ['delivery.amended', undefined, undefined],
      ['delivery.requested', 'on_hold', 'requested'],
    ],
  )
  await api.fixture.setClock(TUESDAY_TEN_MS + 100 * 60_000)
  // Every carrier refused the old content; no carrier has been offered the new content.
  assert.ok((await untilStatus(api, created.id, 'booked')).consignment_number)
})

test('the time of booking follows the new time', async (t) => {
  const api = await testApi(t)
  const created = await create(api, { ready_for_pickup_at: '2026-11-24T12:00:00+11:00' })
  await amend(api, created.id, { ready_for_pickup_at: '2026-11-24T14:00:00+11:00' })
  await api.fixture.setClock(TUESDAY_TEN_MS + 90 * 60_000)
  await untilIdle(api.fixture.parts.runner)
  assert.equal((await api.call(`GET /demo/deliveries/${created.id}`)).json.data.status, 'requested')
  await amend(api, created.id, { ready_for_pickup_at: '2026-11-24T12:00:00+11:00' })
  await untilStatus(api, created.id, 'booked')
})

test('an Idempotency-Key works for amends, and a corrected body may reuse it', async (t) => {
  const api = await testApi(t, { work: false })
  const created = await create(api)
  const headers = { 'idempotency-key': 'amend-1' }
  const bad = await amend(api, created.id, { ready_for_pickup_at: 'soon' }, headers)
  assert.equal(bad.status, 422)
  const body = { ready_for_pickup_at: READY, special_instructions: 'First' }
  const first = await amend(api, created.id, body, headers)
  assert.equal(first.status, 200)
  await amend(api, created.id, { ready_for_pickup_at: READY, special_instructions: 'Second' })
  const again = await amend(api, created.id, body, headers)
  assert.equal(again.headers['idempotent-replayed'], 'true')
  assert.equal(again.text, first.text)
  const { special_instructions } = (await api.call(`GET /demo/deliveries/${created.id}`)).json.data
  assert.equal(special_instructions, 'Second')
})

test('two amends at the same moment are both applied, one after the other', async (t) => {
  const api = await testApi(t, { work: false })
  const created = await create(api)
  const answers = await Promise.all([
    amend(api, created.id, { ready_for_pickup_at: READY, special_instructions: 'Upstairs' }),
    amend(api, created.id, { ready_for_pickup_at: READY, parcels: [{ ...parcel, reference: 'P2' }] }),
    amend(api, created.id, { ready_for_pickup_at: READY, reference: `${created.reference}-C` }),
  ])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200],
  )
  const { data } = (await api.call(`GET /demo/deliveries/${created.id}`)).json
  assert.equal(data.special_instructions, 'Upstairs')
  assert.equal(data.parcels[0].reference, 'P2')
  assert.equal(data.reference, `${created.reference}-C`)
})

test('a client without the scope, or of another store, cannot amend', async (t) => {
  const api = await testApi(t, { work: false })
  const created = await create(api)
  const reader = await api.tokenOf('demo-client', 'demo-secret', 'deliveries:read')
  const body = { ready_for_pickup_at: READY }
  assert.equal(
    (await api.call(`PATCH /demo/deliveries/${created.id}/amend`, { body, token: reader })).status,
    403,
  )
  const { json } = await api.operator('POST /admin/accounts/demo/clients', {
    body: { name: 'Fitzroy', scopes: ['deliveries:write'], store_references: ['fitzroy'] },
  })
  const fitzroy = await api.tokenOf(json.data.client_id, json.data.client_secret)
  assert.equal(
    (await api.call(`PATCH /demo/deliveries/${created.id}/amend`, { body, token: fitzroy })).status,
    404,
  )
})

async function create(api: Api, over: object = {}) {
  const { status, json, text } = await api.call('POST /demo/deliveries', { body: deliveryBody(over) })
  assert.equal(status, 201, text)
  return json.data
}

function amend(api: Api, name: string, body: object, headers: Record<string, string> = {}) {
  return api.call(`PATCH /demo/deliveries/${name}/amend`, { body, headers })
}
