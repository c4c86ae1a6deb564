import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CARTON,
  type Call,
  callerOf,
  fakeAuspost,
  ITEM,
  MELBOURNE,
  made,
  SHIPMENT,
  STARTRACK,
  SYDNEY,
} from '../../test/fake-auspost.ts'

test('a shipment has ids in the carrier’s formats and a total of items plus fuel', async (t) => {
  const { call, fake } = await fakeAuspost(t)
  const [shipment] = await made(call, { ...SHIPMENT, items: [ITEM, ITEM] })
  assert.match(shipment.shipment_id, /^[\w.]{24}$/)
  assert.equal(shipment.shipment_creation_date, '2026-11-24T10:00:00+11:00')
  const [first, second] = shipment.items
  assert.match(first.tracking_details.consignment_id, /^FKE\d{7}$/)
  assert.match(first.tracking_details.article_id, /^FKE\d{7}01000\d{6}$/)
  assert.match(second.tracking_details.article_id, /^FKE\d{7}02000\d{6}$/)
  assert.equal(first.tracking_details.consignment_id, second.tracking_details.consignment_id)
  assert.ok(second.item_summary.total_cost < first.item_summary.total_cost, 'a second item costs less')

  const { total_cost, total_cost_ex_gst, total_gst, fuel_surcharge, status } = shipment.shipment_summary
  const items = first.item_summary.total_cost + second.item_summary.total_cost
  assert.equal(Math.round((items + fuel_surcharge) * 100), Math.round(total_cost * 100))
  assert.equal(Math.round((total_cost_ex_gst + total_gst) * 100), Math.round(total_cost * 100))
  assert.equal(status, 'Created')
  assert.deepEqual(
    fake.ledger.entries({ what: 'shipment_created' }).map(({ shipment_reference }) => shipment_reference),
    ['ORDER-1'],
  )
})

test('a repeated create makes a second shipment: there is no idempotency, only a search by reference', async (t) => {
  const { call } = await fakeAuspost(t)
  const [first, other] = [...(await made(call, SHIPMENT)), ...(await made(call, SHIPMENT))]
  await made(call, { ...SHIPMENT, sender_references: ['ORDER-2'] })
  assert.notEqual(first.shipment_id, other.shipment_id)

  const found = await call('GET', '/shipments?offset=0&number_of_shipments=10&sender_reference=ORDER-1')
  assert.deepEqual(
    found.body.shipments.map((shipment: { shipment_id: string }) => shipment.shipment_id),
    [other.shipment_id, first.shipment_id],
  )
  assert.equal(found.body.shipments[0].to.suburb, 'Sydney')
  const ids = (...shipments: string[]) => call('GET', `/shipments?shipment_ids=${shipments.join(',')}`)
  const one = await ids(first.shipment_id, 'nothing')
  assert.deepEqual([one.status, one.body.shipments.length, one.body.errors], [200, 1, undefined])
  const two = await ids(first.shipment_id, 'nothing', 'nobody')
  assert.deepEqual([two.status, two.body.shipments.length, two.body.errors.length], [200, 1, 2])
  const none = await call('GET', '/shipments?offset=0&number_of_shipments=10&sender_reference=ORDER-9')
  assert.deepEqual([none.status, none.body.shipments], [200, []])
})

test('a search by reference may miss a new shipment', async (t) => {
  const { call, fake } = await fakeAuspost(t)
  await call('POST', '/_fake/listing', { after_seconds: 60 })
  const [{ shipment_id }] = await made(call, SHIPMENT)
  const listed = async () =>
    (await call('GET', '/shipments?offset=0&number_of_shipments=10&sender_reference=ORDER-1')).body.shipments
  assert.deepEqual(await listed(), [])
  fake.clock.advance(60_000)
  assert.deepEqual(
    (await listed()).map((one: { shipment_id: string }) => one.shipment_id),
    [shipment_id],
  )
})

test('an invalid shipment is rejected with codes and fields, and nothing is created', async (t) => {
  const { call, fake } = await fakeAuspost(t)
  const cases: readonly (readonly [name: string, change: object, code: string, field: RegExp])[] = [
    ['no receiver', { to: undefined }, '40002', /to$/],
    ['no name', { to: { ...SYDNEY, name: '' } }, '40002', /to\.name$/],
    ['a suburb elsewhere', { from: { ...MELBOURNE, suburb: 'Sydney' } }, '400', /from\.origin$/],
    ['a state elsewhere', { to: { ...SYDNEY, state: 'VIC' } }, '400', /to\.destination$/],
    ['four lines', { to: { ...SYDNEY, lines: ['a', 'b', 'c', 'd'] } }, '400', /to\.lines$/],
    [
      'long instructions',
      { to: { ...SYDNEY, delivery_instructions: 'x'.repeat(129) } },
      '43011',
      /instructions$/,
    ],
    ['another country', { to: { ...SYDNEY, country: 'NZ' } }, '42002', /country$/],
    ['a long reference', { shipment_reference: 'x'.repeat(51) }, '44010', /shipment_reference$/],
    ['a long sender reference', { sender_references: ['x'.repeat(51)] }, '43009', /sender_references$/],
    ['21 items', { items: Array(21).fill(ITEM) }, '44031', /items$/],
    ['tracking emails without an address', { email_tracking_enabled: true }, '40002', /to\.email$/],
    ['no items', { items: [] }, '40002', /items$/],
    ['a product of StarTrack', { items: [{ ...ITEM, product_id: 'EXP' }] }, '42012', /items\[0\]$/],
    ['no weight', { items: [{ ...ITEM, weight: undefined }] }, '40002', /items\[0\]\.weight$/],
    ['too wide', { items: [{ ...ITEM, width: 106 }] }, '42006', /items\[0\]$/],
    ['too high', { items: [{ ...ITEM, height: 106 }] }, '42007', /items\[0\]$/],
    ['too long', { items: [ITEM, { ...ITEM, length: 106 }] }, '42008', /items\[1\]$/],
    ['too much room', { items: [{ ...ITEM, length: 90, width: 90, height: 90 }] }, '42009', /items\[0\]$/],
    ['too heavy', { items: [{ ...ITEM, weight: 22.1 }] }, '42010', /items\[0\]$/],
    ['too thin', { items: [{ ...ITEM, width: 4, height: 4 }] }, '42011', /items\[0\]$/],
    ['a flat rate with sides', { items: [{ ...ITEM, product_id: 'FLAT' }] }, '44043', /items\[0\]$/],
    ['cover beyond the contract', { items: [covered(5_001)] }, '46000', /items\[0\]$/],
    [
      'goods that Parcel Post does not take',
      { items: [{ ...ITEM, contains_dangerous_goods: true }] },
      '44003',
      /items\[0\]$/,
    ],
    [
      'left, and identity asked',
      { items: [{ ...ITEM, authority_to_leave: true, features: { IDENTITY_ON_DELIVERY: {} } }] },
      '80002',
      /items\[0\]$/,
    ],
  ]
  for (const [name, change, code, field] of cases) {
    const { status, body } = await call('POST', '/shipments', {
      shipments: [SHIPMENT, { ...SHIPMENT, ...change }],
    })
    assert.equal(status, 400, name)
    assert.equal(body.errors[0].code, code, name)
    assert.match(body.errors[0].field, field, name)
    assert.match(body.errors[0].field, /^shipments\[1\]/, name)
    const checked = await call('POST', '/shipments/validation', { shipments: [{ ...SHIPMENT, ...change }] })
    assert.equal(checked.status, 400, name)
  }
  assert.deepEqual(fake.ledger.entries({ what: 'shipment_created' }), [])
  assert.deepEqual((await call('POST', '/shipments/validation', { shipments: [SHIPMENT] })).body, '')
})

test('Express Post takes dangerous goods by air with a known declaration', async (t) => {
  const { call } = await fakeAuspost(t)
  const goods = { ...ITEM, product_id: 'E34', contains_dangerous_goods: true, transportable_by_air: true }
  const codes = async (item: object) => {
    const { body } = await call('POST', '/shipments', { shipments: [{ ...SHIPMENT, items: [item] }] })
    return (body.errors ?? []).map((error: { code: string }) => error.code)
  }
  assert.deepEqual(await codes(goods), ['40002'])
  assert.deepEqual(await codes({ ...goods, dangerous_goods_declaration: 'perfume' }), ['400'])
  const declared = {
    ...goods,
    dangerous_goods_declaration: 'UN3481_Lithium_IonOrPolymer_contained_in_equipment',
  }
  assert.deepEqual(await codes(declared), [])
  assert.deepEqual(await codes({ ...declared, transportable_by_air: undefined }), ['40002'])
})

test('StarTrack has its own ids, larger items, and one dangerous goods description a shipment', async (t) => {
  const { fake } = await fakeAuspost(t)
  const call = callerOf(fake.url, STARTRACK)
  const item = { ...CARTON, length: 180, weight: 40 }
  const [shipment] = await made(call, { ...SHIPMENT, items: [item] })
  const { article_id, consignment_id } = shipment.items[0].tracking_details
  assert.match(consignment_id, /^FKEZ\d{8}$/)
  assert.equal(article_id, `${consignment_id}EXP00001`)
  assert.ok(shipment.shipment_summary.security_surcharge > 0)

  const goods = { ...SHIPMENT, items: [{ ...item, contains_dangerous_goods: true }] }
  const unpacked = await call('POST', '/shipments', {
    shipments: [{ ...SHIPMENT, items: [{ ...item, packaging_type: undefined }] }],
  })
  assert.equal(unpacked.body.errors[0].field, 'shipments[0].items[0].packaging_type')
  const bare = await call('POST', '/shipments', { shipments: [goods] })
  assert.equal(bare.body.errors[0].field, 'shipments[0].dangerous_goods')
  const described = {
    ...goods,
    dangerous_goods: {
      un_number: 'UN1266',
      technical_name: 'Perfumery products',
      net_weight: 2,
      class_division: '3',
      packing_group_designator: 'II',
      outer_packaging_type: 'Carton',
      outer_packaging_quantity: 1,
    },
  }
  const [created] = await made(call, described)
  assert.equal(created.dangerous_goods.un_number, 'UN1266')
})

test('a shipment can be changed and deleted until it is ordered, and kept items keep their articles', async (t) => {
  const { call, fake } = await fakeAuspost(t)
  const [shipment] = await made(call, SHIPMENT)
  const path = `/shipments/${shipment.shipment_id}`
  const [item] = shipment.items
  const change = { ...SHIPMENT, items: [{ ...ITEM, item_id: item.item_id, weight: 9 }, ITEM] }
  const changed = await call('PUT', path, change)
  assert.equal(changed.status, 201)
  assert.equal(changed.body.items[0].tracking_details.article_id, item.tracking_details.article_id)
  assert.equal(changed.body.items.length, 2)
  assert.ok(changed.body.shipment_summary.total_cost > shipment.shipment_summary.total_cost)
  const strange = await call('PUT', path, { ...SHIPMENT, items: [{ ...ITEM, item_id: 'none' }] })
  assert.equal(strange.body.errors[0].field, 'items[0].item_id')

  await call('PUT', '/orders', { shipments: [{ shipment_id: shipment.shipment_id }] })
  assert.equal((await call('PUT', path, change)).body.errors[0].code, '44016')
  assert.equal((await call('DELETE', path)).body.errors[0].code, '44016')

  const [other] = await made(call, SHIPMENT)
  assert.deepEqual(await bare(call('DELETE', `/shipments?shipment_ids=${other.shipment_id},nothing`)), [
    404,
    '44013',
  ])
  assert.equal((await call('GET', `/shipments?shipment_ids=${other.shipment_id}`)).status, 200, 'all or none')
  const deleted = await call('DELETE', `/shipments?shipment_ids=${other.shipment_id}`)
  assert.deepEqual([deleted.status, deleted.body], [200, ''])
  assert.deepEqual(await bare(call('GET', `/shipments?shipment_ids=${other.shipment_id}`)), [404, '44013'])
  assert.deepEqual(await bare(call('DELETE', '/shipments')), [400, '44023'])
  assert.deepEqual(
    fake.ledger
      .entries()
      .map(({ what }) => what)
      .filter((what) => what !== 'request'),
    ['shipment_created', 'shipment_updated', 'order_created', 'shipment_created', 'shipment_deleted'],
  )
})

test('an unusual shipment that can be carried gets a warning', async (t) => {
  const { call, fake } = await fakeAuspost(t)
  const warnings = async (by: Call, shipment: object): Promise<string[]> => {
    const { body } = await by('POST', '/shipments', { shipments: [shipment] })
    return (body.warnings ?? []).map(({ message }: { message: string }) =>
      message.split(' ').slice(0, 4).join(' '),
    )
  }
  const items = [ITEM, { ...ITEM, weight: 7 }, { ...ITEM, weight: 0.3 }]
  assert.deepEqual(await warnings(call, { ...SHIPMENT, items }), [
    'The dead weight is',
    'The cubic weight is',
  ])
  const long = { ...SHIPMENT, to: { ...SYDNEY, lines: ['Level 1', 'Tower B', '123 Centre Road'] } }
  assert.deepEqual(await warnings(call, long), [])
  const startrack = callerOf(fake.url, STARTRACK)
  assert.deepEqual(await warnings(startrack, { ...long, items: [CARTON] }), ['Only the first two'])
})

test('a return needs no weight', async (t) => {
  const { call } = await fakeAuspost(t)
  const item = { ...ITEM, product_id: 'PR', weight: undefined }
  const [shipment] = await made(call, { ...SHIPMENT, movement_type: 'RETURN', items: [item] })
  assert.equal(shipment.movement_type, 'RETURN')
})

test('at most 10,000 items may wait for an order', async (t) => {
  const { call } = await fakeAuspost(t)
  const twenty = { ...SHIPMENT, items: Array(20).fill(ITEM) }
  const [{ shipment_id }] = await made(call, ...Array(500).fill(twenty))
  const over = await call('POST', '/shipments', { shipments: [SHIPMENT] })
  assert.match(over.body.errors[0].message, /items in your basket can't exceed/)
  await call('PUT', '/orders', { shipments: [{ shipment_id }] })
  assert.equal((await call('POST', '/shipments', { shipments: [SHIPMENT] })).status, 201)
})

test('callers may set their own article ids: for all items or none, each once', async (t) => {
  const { call } = await fakeAuspost(t)
  const own = { ...ITEM, tracking_details: { article_id: 'ABC000128B4C5', consignment_id: 'ABC000128' } }
  const [shipment] = await made(call, { ...SHIPMENT, items: [own] })
  assert.equal(shipment.items[0].tracking_details.article_id, 'ABC000128B4C5')
  const post = (...items: object[]) =>
    bare(call('POST', '/shipments', { shipments: [{ ...SHIPMENT, items }] }))
  assert.deepEqual(await post(own), [400, '44005'])
  assert.deepEqual(await post(own, ITEM), [400, '44002'])
})

function covered(cover_amount: number) {
  return { ...ITEM, features: { TRANSIT_COVER: { attributes: { cover_amount } } } }
}

async function bare(answer: ReturnType<typeof callerOf> extends (...args: never[]) => infer A ? A : never) {
  const { status, body } = await answer
  return [status, body.errors?.[0].code]
}
