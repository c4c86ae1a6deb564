import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Api,
  address,
  customer,
  deliveryBody,
  lineItem,
  parcel,
  quoteBody,
  testApi,
} from '../../../../test/api.ts'

const CREATE = 'POST /demo/deliveries'
const QUOTE = 'POST /demo/deliveries/quote-next-available'
const AVAILABILITY = 'POST /demo/deliveries/quote/availability'
type Body = Record<string, unknown>

test('each required field is reported by name when it is missing', async (t) => {
  const api = await testApi(t, { work: false })
  const inItem = ['code', 'name', 'price_cents', 'quantity'].map((name) => `line_items[0].${name}`)
  const inParcel = ['reference', 'length_cm', 'width_cm', 'height_cm', 'weight_kg', 'quantity'].map(
    (name) => `parcels[0].${name}`,
  )
  const cases: [line: string, body: () => Body, fields: string[]][] = [
    [
      CREATE,
      () => deliveryBody({ line_items: [lineItem], use_staff_couriers: true, staff_courier: courier }),
      [
        'store_reference',
        'reference',
        'ready_for_pickup_at',
        'parcels',
        ...['', '.address', '.city', '.state', '.post_code', '.country'].map((name) => `address${name}`),
        ...['', '.first_name', '.last_name', '.phone', '.email'].map((name) => `customer${name}`),
        'staff_courier',
        'staff_courier.phone',
        'staff_courier.driver_name',
        ...inItem,
        ...inParcel,
      ],
    ],
    ...[QUOTE, AVAILABILITY].map((line): [string, () => Body, string[]] => [
      line,
      () => structuredClone(quoteBody),
      [
        'store_reference',
        'address',
        'address.city',
        'address.state',
        'address.post_code',
        'line_items',
        'parcels',
        ...inItem,
        ...inParcel,
      ],
    ]),
  ]
  for (const [line, body, fields] of cases) {
    for (const field of fields) {
      const { status, json } = await api.call(line, { body: without(body(), field) })
      const reported = json.errors?.map(
        (one: { field: string; issue: string }) => `${one.field} ${one.issue}`,
      )
      assert.deepEqual([status, reported], [422, [`${field} required`]], `${line} without ${field}`)
    }
  }
})

test('each optional field is accepted', async (t) => {
  const api = await testApi(t, { work: false })
  await takes(api, CREATE, 201, [
    { use_dynamic_RFP: true },
    { use_dynamic_RFP: false, ignore_buffer_time: false, use_staff_couriers: false },
    {
      address: { ...address, address2: 'Unit 3', business: true, company_name: 'Nguyen & Co', name: 'Desk' },
    },
    { customer: { ...customer, country: 'AU' } },
    { line_items: [] },
    { line_items: [{ ...lineItem, packing_instructions: 'Upright.' }] },
    { parcels: [{ ...parcel, description: 'A box', contains_dangerous_goods: false }] },
    { store_reference: 'fitzroy', use_staff_couriers: true, staff_courier: { ...courier, driver_id: 'M1' } },
    { metadata: { till: '4' }, suppress_notifications: true, product_types: {} },
  ])
  for (const line of [QUOTE, AVAILABILITY]) {
    await takes(api, line, 200, [
      {},
      { ready_for_pickup_at: '2026-11-24T14:00:00+11:00' },
      { address: { ...address, address2: 'Unit 3', business: true } },
      { parcels: [{ ...parcel, type: 'satchel', description: 'A bag' }] },
      { product_types: { alcohol: true } },
    ])
  }
})

test('an enum field accepts each of its values, and no other', async (t) => {
  const api = await testApi(t, { work: false })
  const goods = { dangerous_goods_definition: 'perfumery' }
  const lists: [field: string, values: string[], over: (value: string) => object][] = [
    ['delivery_type', ['fast', 'flexible', 'standard', 'express'], (delivery_type) => ({ delivery_type })],
    ['delivery_mode', ['store_to_door', 'customer_pickup'], (delivery_mode) => ({ delivery_mode })],
    [
      'address.state',
      ['ACT', 'NSW', 'NT', 'QLD', 'SA', 'TAS', 'VIC', 'WA'],
      (state) => ({ address: { ...address, state, ...CAPITALS[state] } }),
    ],
    [
      'parcels[0].type',
      ['carton', 'crate', 'hanging_bag', 'length', 'pallet', 'satchel', 'skid'],
      (type) => ({ parcels: [{ ...parcel, type }] }),
    ],
    [
      'parcels[0].dangerous_goods.packing_group_designator',
      ['I', 'II', 'III'],
      (packing_group_designator) => ({
        parcels: [
          {
            ...parcel,
            contains_dangerous_goods: true,
            dangerous_goods: { ...goods, packing_group_designator },
          },
        ],
      }),
    ],
    [
      'product_types.uranium',
      ['alcohol', 'tobacco', 'prescription_meds_s2', 'prescription_meds_s4', 'high_value'],
      (value) => ({ product_types: { [value === 'nonsense' ? 'uranium' : value]: true } }),
    ],
  ]
  for (const [field, values, over] of lists) {
    await takes(api, CREATE, 201, values.map(over))
    const { status, json } = await api.call(CREATE, { body: deliveryBody(over('nonsense')) })
    assert.deepEqual([status, json.errors[0].field], [422, field])
  }
  const s8 = await api.call(CREATE, {
    body: deliveryBody({ product_types: { prescription_meds_s8: true } }),
  })
  assert.equal(s8.json.code, 'no_service_available', 'a known product type that no demo carrier takes')
})

test('a parcel without a type in a quote is a carton', async (t) => {
  const { call } = await testApi(t, { work: false })
  const quoteOf = async (over: object) =>
    (await call(QUOTE, { body: { ...quoteBody, parcels: [{ ...parcel, ...over }] } })).json.data
  const [without, carton, pallet] = [
    await quoteOf({}),
    await quoteOf({ type: 'carton' }),
    await quoteOf({ type: 'pallet' }),
  ]
  assert.deepEqual(Object.keys(without).sort(), ['express', 'fast', 'flexible', 'standard'])
  assert.equal(without.standard.price_cents, carton.standard.price_cents)
  assert.ok(pallet.standard.price_cents > carton.standard.price_cents, 'freight')
  assert.equal(pallet.express, undefined, 'no network takes a pallet by air')
})

test('of a duplicate name the last value counts', async (t) => {
  const { call } = await testApi(t, { work: false })
  const payload = JSON.stringify(deliveryBody({ special_instructions: 'last' })).replace(
    '{',
    '{"special_instructions":"first",',
  )
  const { status, json } = await call(CREATE, { payload, headers: { 'content-type': 'application/json' } })
  assert.deepEqual([status, json.data.special_instructions], [201, 'last'])
})

const courier = { phone: '0491 570 157', driver_name: 'Mia Tran' }
const CAPITALS: Record<string, object> = {
  ACT: { city: 'City', post_code: '2601' },
  NSW: { city: 'Sydney', post_code: '2000' },
  NT: { city: 'Darwin City', post_code: '0800' },
  QLD: { city: 'Brisbane City', post_code: '4000' },
  SA: { city: 'Adelaide', post_code: '5000' },
  TAS: { city: 'Hobart', post_code: '7000' },
  WA: { city: 'Perth', post_code: '6000' },
}

async function takes(api: Api, line: string, status: number, overs: object[]): Promise<void> {
  for (const over of overs) {
    const body = line === CREATE ? deliveryBody(over) : { ...quoteBody, ...over }
    const reply = await api.call(line, { body })
    assert.equal(reply.status, status, `${JSON.stringify(over)}: ${reply.text}`)
  }
}

/** The body without the field at this path, for example `parcels[0].type`. */
function without(body: Body, path: string): Body {
  const names = path.split(/[.[\]]+/).filter(Boolean)
  const copy = structuredClone(body)
  const last = names.pop() as string
  const owner = names.reduce<Body>((at, name) => at[name] as Body, copy)
  delete owner[last]
  return copy
}
