import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Api, address, customer, deliveryBody, lineItem, parcel, testApi } from '../../../../test/api.ts'

const CREATE = 'POST /demo/deliveries'

test('a delivery is requested, and booked at once only if the request says so', async (t) => {
  const api = await testApi(t, { work: false })
  for (const over of [{}, { book_delivery_now: false }]) {
    const { status, json } = await api.call(CREATE, { body: deliveryBody(over) })
    assert.equal(status, 201)
    assert.deepEqual(Object.keys(json), ['data'])
    assert.equal(json.data.status, 'requested')
    assert.match(json.data.id, /^dlv_/)
    assert.match(json.data.brand_id, /^brd_/)
    assert.equal(json.data.manifest_status, 'not_required', 'the cheapest is a courier without manifests')
    assert.deepEqual(json.data.line_items, [], 'an order without line items is valid')
    for (const at of [json.data.created_at, json.data.updated_at, json.data.requested_at]) {
      assert.match(at, /^2026-11-23T23:0\d:\d\d\.\d{3}Z$/)
    }
    for (const absent of ['consignment_number', 'booked_at', 'label_url'])
      assert.ok(!(absent in json.data), absent)
  }
  const { data } = (await api.call(CREATE, { body: deliveryBody({ book_delivery_now: true }) })).json
  assert.equal(data.status, 'booked')
  for (const there of [data.consignment_number, data.booked_at, data.label_url, data.parcels[0].article_id]) {
    assert.ok(there)
  }
  assert.deepEqual(
    (await api.call(`GET /demo/deliveries/${data.id}`)).json.data.consignment_number,
    data.consignment_number,
  )
})

test('without a delivery_type the cheapest service is chosen, and the response names it', async (t) => {
  const api = await testApi(t, { work: false })
  const { data } = (await api.call(CREATE, { body: deliveryBody() })).json
  assert.deepEqual(
    [data.delivery_type, data.service_code, data.service_quote.price_cents],
    ['flexible', 'TODAY', 790],
  )
  const cases = [
    ['fast', 'NOW', 'Swiftly', 'SW-NOW'],
    ['standard', 'ROAD', 'Southern Parcels', 'SP-ROAD'],
    ['express', 'AIR', 'Southern Parcels', 'SP-AIR'],
  ]
  for (const [delivery_type, ...chosen] of cases) {
    const one = (await api.call(CREATE, { body: deliveryBody({ delivery_type }) })).json.data
    assert.deepEqual(
      [one.delivery_type, one.service_code, one.carrier_provider, one.carrier_code],
      [delivery_type, ...chosen],
    )
  }
})

test('a delivery that no service accepts is rejected with each service’s rule, and is not stored', async (t) => {
  const api = await testApi(t, { work: false })
  const body = deliveryBody({ parcels: [{ ...parcel, weight_kg: 2_000 }] })
  const { status, json } = await api.call(CREATE, { body })
  assert.deepEqual([status, json.code], [422, 'no_service_available'])
  assert.deepEqual(
    json.exclusions.map(({ service, rule }: Record<string, string>) => `${service} ${rule}`).sort(),
    [
      'AIR parcel_weight',
      'FREIGHT parcel_type',
      'NOW total_weight',
      'ROAD parcel_weight',
      'TODAY total_weight',
    ],
  )
  assert.equal((await api.call(`GET /demo/deliveries/${body.reference}`)).status, 404)
})

test('the carrier gets the caller’s instructions, and a business address always needs a signature', async (t) => {
  const api = await testApi(t, { work: false })
  const preferences = {
    delivery_type: 'fast',
    book_delivery_now: true,
    authority_to_leave: true,
    special_instructions: 'Blue door.',
    pickup_instructions: 'Dock 2.',
    price_cents_total_value: 12_345,
  }
  const home = deliveryBody(preferences)
  const businessBody = deliveryBody({
    ...preferences,
    address: { ...address, business: true, company_name: 'Nguyen & Co' },
  })
  for (const body of [home, businessBody])
    assert.equal((await api.call(CREATE, { body })).json.data.status, 'booked')
  const carrierRequest = await requestOf(api, home.reference)
  assert.deepEqual(
    [carrierRequest.pickup.street, carrierRequest.pickup.instructions],
    ['200 Bourke St', 'Dock 2.'],
  )
  assert.deepEqual(
    [carrierRequest.dropoff.street, carrierRequest.dropoff.instructions],
    ['12 Drummond Street', 'Blue door.'],
  )
  assert.deepEqual(
    [carrierRequest.dropoff.contact, carrierRequest.dropoff.phone],
    ['Ada Nguyen', '+61491570156'],
  )
  assert.equal(carrierRequest.declared_value, '123.45')
  assert.deepEqual([carrierRequest.dropoff.leave_at_door, carrierRequest.dropoff.signature], [true, false])
  const { dropoff } = await requestOf(api, businessBody.reference)
  assert.deepEqual([dropoff.company, dropoff.leave_at_door, dropoff.signature], ['Nguyen & Co', false, true])
})

test('a customer pickup swaps sender and recipient for the carrier only', async (t) => {
  const api = await testApi(t, { work: false })
  const body = deliveryBody({
    delivery_mode: 'customer_pickup',
    delivery_type: 'fast',
    book_delivery_now: true,
    address: { ...address, name: 'Ada at the back' },
  })
  const { status, json } = await api.call(CREATE, { body })
  assert.equal(status, 201)
  assert.equal(json.data.delivery_mode, 'customer_pickup')
  assert.equal(json.data.address.address, address.address)
  assert.equal(json.data.address.name, 'Ada at the back')
  assert.equal(json.data.store_reference, 'melbourne-cbd')
  const { pickup, dropoff } = await requestOf(api, body.reference)
  assert.deepEqual([pickup.street, pickup.contact], ['12 Drummond Street', 'Ada at the back'])
  assert.equal(dropoff.street, '200 Bourke St')

  const far = deliveryBody({
    delivery_mode: 'customer_pickup',
    delivery_type: 'standard',
    store_reference: 'perth-cbd',
    book_delivery_now: true,
  })
  const { data } = (await api.call(CREATE, { body: far })).json
  assert.match(data.from_datetime, /T08:00:00\+08:00$/, 'its window is the store’s day')
  const label = await api.call(`GET /demo/deliveries/${data.id}/label?format=zpl`)
  assert.match(label.text, /8 am .*6 pm/)

  const incomplete = deliveryBody({ delivery_mode: 'customer_pickup', store_reference: 'brisbane-cbd' })
  const refused = await api.call(CREATE, { body: incomplete })
  assert.deepEqual([refused.status, refused.json.errors[0].field], [422, 'delivery_mode'])
})

test('own carriers are pinned by provider and service, and no other is tried', async (t) => {
  const api = await testApi(t, { work: false })
  const token = await api.tokenOf('acme-client', 'acme-secret', undefined, 'acme-byoc')
  await api.operator('PUT /admin/accounts/acme-byoc/clock', { body: { now: '2026-11-24T10:00:00+11:00' } })
  const create = (provider_options: object, over: object = {}) =>
    api.call('POST /acme-byoc/deliveries', {
      token,
      body: deliveryBody({ store_reference: 'acme-geelong', provider_options, ...over }),
    })
  const air = { provider: 'Southern_Parcels', service: 'AIR' }
  const { json } = await create(air)
  assert.deepEqual(json.data.provider_options, { ...air, provider: 'southern_parcels' })
  assert.deepEqual(
    [json.data.provider, json.data.service_code, json.data.delivery_type],
    ['southern_parcels', 'AIR', 'express'],
  )
  const refused = await create(air, { reference: 'PIN-rejected', book_delivery_now: true })
  assert.deepEqual([refused.status, refused.json.data.status], [201, 'on_hold'])
  const ledger = await api.operator('GET /admin/accounts/acme-byoc/sandbox/ledger?reference=PIN-rejected')
  assert.deepEqual(
    new Set(ledger.json.data.map(({ carrier }: { carrier: string }) => carrier)),
    new Set(['southern_parcels']),
  )
  for (const [options, field] of [
    [{ provider: 'northern' }, 'provider_options.provider'],
    [{ provider: 'swiftly', service: 'AIR' }, 'provider_options.service'],
  ] as const) {
    const unknown = await create(options)
    assert.deepEqual([unknown.status, unknown.json.errors[0].field], [422, field])
  }
  const demo = await api.call(CREATE, { body: deliveryBody({ provider_options: air }) })
  assert.deepEqual([demo.status, demo.json.errors[0].field], [422, 'provider_options'])
})

test('store_id wins over store_reference, and a buffer is optional', async (t) => {
  const api = await testApi(t, { work: false })
  const { id } = (await api.call('GET /demo/stores/melbourne-cbd')).json.data
  const body = { ...deliveryBody({ store_id: id, store_reference: 'perth-cbd', delivery_type: 'fast' }) }
  const buffered = (await api.call(CREATE, { body })).json.data
  assert.equal(buffered.store_reference, 'melbourne-cbd')
  const unbuffered = await api.call(CREATE, {
    body: { ...body, reference: 'NO-BUFFER', ignore_buffer_time: true },
  })
  const minutes =
    (Date.parse(buffered.from_datetime) - Date.parse(unbuffered.json.data.from_datetime)) / 60_000
  assert.equal(minutes, 15)
})

test('times are accepted with and without offset and milliseconds', async (t) => {
  const api = await testApi(t, { work: false })
  const cases = [
    ['2026-11-24T15:00:00+11:00', '2026-11-24T15:00:00+11:00'],
    ['2026-11-24T15:00:00.000+11:00', '2026-11-24T15:00:00+11:00'],
    ['2026-11-24T04:00:00Z', '2026-11-24T15:00:00+11:00'],
    ['2026-11-24T12:00:00.000+08:00', '2026-11-24T15:00:00+11:00'],
    ['2026-11-24T15:00:00', '2026-11-24T15:00:00+11:00'],
    ['2026-11-24T15:00:00.000', '2026-11-24T15:00:00+11:00'],
    ['2026-11-24T15:00', '2026-11-24T15:00:00+11:00'],
  ]
  for (const [ready_for_pickup_at, returned] of cases) {
    const { status, json } = await api.call(CREATE, { body: deliveryBody({ ready_for_pickup_at }) })
    assert.deepEqual([status, json.data.ready_for_pickup_at], [201, returned], ready_for_pickup_at)
  }
})

test('dangerous goods use a definition, and overrides are returned as they were sent', async (t) => {
  const api = await testApi(t, { work: false })
  const overrides = {
    dangerous_goods_definition: 'perfumery',
    dangerous_goods_declaration: 'D-7',
    transportable_by_air: false,
    un_number: 1266,
    technical_name: 'Perfumery products',
    net_weight_kg: 0.4,
    class_division: 3,
    subsidiary_risk: 8,
    packing_group_designator: 'III',
    outer_packaging_type: 'jiffy',
    outer_packaging_quantity: 2,
  }
  const create = (over: object) =>
    api.call(CREATE, { body: deliveryBody({ parcels: [{ ...parcel, ...over }] }) })
  const { status, json } = await create({ contains_dangerous_goods: true, dangerous_goods: overrides })
  assert.equal(status, 201)
  assert.deepEqual(json.data.parcels[0].dangerous_goods, overrides)
  assert.equal(json.data.carrier_code, 'SP-ROAD', 'the cheapest that takes class 3')
  assert.equal((await create({})).json.data.carrier_code, 'SW-TODAY', 'not dangerous unless said so')

  const field = 'parcels[0].dangerous_goods'
  const cases: [object, string][] = [
    [{ contains_dangerous_goods: true }, field],
    [{ contains_dangerous_goods: true, dangerous_goods: {} }, `${field}.dangerous_goods_definition`],
    [
      { contains_dangerous_goods: true, dangerous_goods: { dangerous_goods_definition: 'soup' } },
      `${field}.dangerous_goods_definition`,
    ],
    [{ contains_dangerous_goods: false, dangerous_goods: overrides }, field],
    ...Object.entries({
      transportable_by_air: 'no',
      un_number: '1266',
      technical_name: 7,
      net_weight_kg: 0,
      class_division: '3',
      subsidiary_risk: '8',
      packing_group_designator: 'IV',
      outer_packaging_type: 1,
      outer_packaging_quantity: 0.5,
      dangerous_goods_declaration: true,
    }).map(([name, value]): [object, string] => [
      { contains_dangerous_goods: true, dangerous_goods: { ...overrides, [name]: value } },
      `${field}.${name}`,
    ]),
  ]
  for (const [over, expected] of cases) {
    const refused = await create(over)
    assert.deepEqual([refused.status, refused.json.errors[0].field], [422, expected], JSON.stringify(over))
  }
})

test('false, zero and empty values are returned as they were sent', async (t) => {
  const api = await testApi(t, { work: false })
  const message = {
    authority_to_leave: false,
    price_cents_total_value: 0,
    address: { ...address, address2: 'Unit 3', business: false },
    customer: { ...customer, country: 'AU' },
    line_items: [{ ...lineItem, price_cents: 0, packing_instructions: 'Upright.' }],
    product_types: { alcohol: false },
    parcels: [{ ...parcel, description: 'A box', contains_dangerous_goods: false }],
    metadata: { till: '4' },
  }
  const { json } = await api.call(CREATE, { body: deliveryBody(message) })
  const { lat, lng, ...echoed } = json.data.address
  assert.ok(Number.isFinite(lat) && Number.isFinite(lng))
  assert.deepEqual(echoed, message.address)
  assert.deepEqual(json.data.customer, { ...message.customer, phone: '+61491570156' })
  for (const field of [
    'authority_to_leave',
    'price_cents_total_value',
    'line_items',
    'product_types',
    'parcels',
    'metadata',
  ] as const) {
    assert.deepEqual(json.data[field], message[field], field)
  }
})

test('fields that were not sent are not returned', async (t) => {
  const api = await testApi(t, { work: false })
  const { json } = await api.call(CREATE, { body: deliveryBody() })
  const { lat: _, lng: __, ...echoed } = json.data.address
  assert.deepEqual(echoed, address)
  assert.deepEqual(json.data.parcels, [parcel])
  assert.deepEqual(json.data.customer, { ...customer, phone: '+61491570156' })
  const path = `/demo/deliveries/${json.data.id}`
  const body = { ready_for_pickup_at: '2026-11-24T15:00:00+11:00', parcels: [{ ...parcel, weight_kg: 3 }] }
  const amended = await api.call(`PATCH ${path}/amend`, { body })
  assert.deepEqual(amended.json.data.parcels, body.parcels)
  assert.deepEqual(amended.json.data.address, json.data.address)
})

test('fractions of a second are kept, and times in whole seconds are rounded up', async (t) => {
  const api = await testApi(t, { work: false })
  const cases = [
    ['2026-11-24T14:00:00.001+11:00', '2026-11-24T14:00:01+11:00'],
    ['2026-11-24T13:59:59.5', '2026-11-24T14:00:00+11:00'],
    ['2026-11-24T03:00:00.0001Z', '2026-11-24T14:00:01+11:00'],
    ['2026-11-24T14:00:00.000+11:00', '2026-11-24T14:00:00+11:00'],
  ] as const
  for (const [requested, returned] of cases) {
    const body = deliveryBody({ ready_for_pickup_at: requested, delivery_type: 'fast' })
    const { json, text } = await api.call(CREATE, { body })
    assert.equal(json.data?.ready_for_pickup_at, returned, text)
    const read = await api.call(`GET /demo/deliveries/${json.data.id}`)
    assert.equal(read.json.data.ready_for_pickup_at, returned)
    assert.ok(Date.parse(json.data.from_datetime) > Date.parse(returned))
  }
})

/** The requests that the carrier received. */
// biome-ignore lint/suspicious/noExplicitAny: each carrier has its own shape.
async function requestOf({ fixture }: Api, reference: unknown): Promise<any> {
  const { rows } = await fixture.deps.db.query(
    'select request from sandbox_consignments where merchant_reference = $1',
    [reference],
  )
  assert.equal(rows.length, 1)
  return rows[0].request
}
