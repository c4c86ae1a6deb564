import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  AUSPOST,
  CARTON,
  callerOf,
  fakeAuspost,
  ITEM,
  made,
  SHIPMENT,
  STARTRACK,
} from '../../test/fake-auspost.ts'

const only = ({ shipment_id }: { shipment_id: string }) => ({ shipment_id })

test('a shipment can be ordered once, and is charged then', async (t) => {
  const { call, fake } = await fakeAuspost(t)
  const shipments = await made(call, { ...SHIPMENT, items: [ITEM, ITEM] }, SHIPMENT)
  const request = {
    order_reference: 'M-1',
    payment_method: 'CHARGE_TO_ACCOUNT',
    shipments: shipments.map(only),
  }
  const { status, body } = await call('PUT', '/orders', request)
  assert.equal(status, 201)
  const { order } = body
  assert.match(order.order_id, /^AP\d{10}$/)
  const { number_of_items, number_of_shipments, tracking_summary, total_cost, shipping_methods } =
    order.order_summary
  assert.deepEqual([number_of_shipments, number_of_items, shipping_methods], [2, 3, { T28S: 3 }])
  assert.deepEqual(tracking_summary, { Sealed: 3 })
  const sum = shipments.reduce(
    (cents: number, one: { shipment_summary: { total_cost: number } }) =>
      cents + Math.round(one.shipment_summary.total_cost * 100),
    0,
  )
  assert.equal(Math.round(total_cost * 100), sum)
  assert.match(
    order.shipments[0].items[0].tracking_details.barcode_id,
    /^019931265099999891FKE\d+\|4202000\|8008261124100000$/,
  )

  const repeated = await call('PUT', '/orders', request)
  assert.deepEqual([repeated.status, repeated.body.errors[0].code], [400, '44016'])
  assert.equal(fake.ledger.entries({ what: 'order_created' }).length, 1)
  const read = await call('GET', `/orders/${order.order_id}`)
  assert.deepEqual(read.body.order.order_summary.tracking_summary, { Initiated: 3 })
  const listed = await call('GET', `/shipments?shipment_ids=${shipments[0].shipment_id}`)
  assert.equal(listed.body.shipments[0].order_id, order.order_id)

  const paper = await fetch(`${fake.url}/shipping/v1/accounts/${AUSPOST}/orders/${order.order_id}/summary`, {
    headers: { authorization: `Basic ${btoa('fake-key:fake-password')}`, 'account-number': AUSPOST },
  })
  assert.equal(paper.headers.get('content-type'), 'application/pdf')
  assert.equal(
    Buffer.from(await paper.arrayBuffer())
      .subarray(0, 5)
      .toString(),
    '%PDF-',
  )
})

test('a rejected order has the reason for each shipment', async (t) => {
  const { call, fake } = await fakeAuspost(t)
  const [own] = await made(call, SHIPMENT)
  const [busy] = await made(call, SHIPMENT)
  await call('POST', `/_fake/shipments/${busy.shipment_id}`, { in_progress: true })
  const [ofStarTrack] = await made(callerOf(fake.url, STARTRACK), {
    ...SHIPMENT,
    items: [CARTON],
  })
  await call('POST', '/_fake/accounts', {
    account_number: '0000999999',
    api_key: 'other',
    api_password: 'secret',
  })
  const [ofOthers] = await made(callerOf(fake.url, '0000999999', 'other:secret'), SHIPMENT)

  const cases: readonly (readonly [string, object, string])[] = [
    ['none', { shipments: [] }, '44015'],
    ['unknown', { shipments: [only(own), { shipment_id: 'nothing' }] }, '44013'],
    ['twice', { shipments: [only(own), only(own)] }, '44016'],
    ['being finalised', { shipments: [only(busy)] }, '44017'],
    ['of another account of the key', { shipments: [only(own), only(ofStarTrack)] }, '44059'],
    ['of somebody else', { shipments: [only(ofOthers)] }, '44038'],
    ['a long reference', { order_reference: 'x'.repeat(51), shipments: [only(own)] }, '400'],
    ['cash', { payment_method: 'CASH', shipments: [only(own)] }, '400'],
  ]
  for (const [name, body, code] of cases) {
    const answer = await call('PUT', '/orders', body)
    assert.deepEqual([answer.status, answer.body.errors[0].code], [400, code], name)
  }
  assert.deepEqual(fake.ledger.entries({ what: 'order_created' }), [])
  assert.equal((await call('GET', '/orders/AP0000000000')).body.errors[0].code, '44026')
  assert.deepEqual(
    await call('GET', `/accounts/${AUSPOST}/orders/AP0000000000/summary`).then(({ status, body }) => [
      status,
      body.errors[0].code,
    ]),
    [400, '44026'],
  )
})

test('an order with more than 2,000 items is refused', async (t) => {
  const { call } = await fakeAuspost(t)
  const shipments = await made(call, ...Array(101).fill({ ...SHIPMENT, items: Array(20).fill(ITEM) }))
  const { body } = await call('PUT', '/orders', { shipments: shipments.map(only) })
  assert.equal(body.errors[0].code, '44031')
  assert.equal((await call('PUT', '/orders', { shipments: shipments.slice(1).map(only) })).status, 201)
})

test('orders are listed newest first', async (t) => {
  const { call } = await fakeAuspost(t)
  for (const order_reference of ['M-1', 'M-2', 'M-3'])
    await call('POST', '/orders', { order_reference, shipments: [SHIPMENT] })
  const { body } = await call('GET', '/orders?offset=1&number_of_orders=1')
  assert.deepEqual(
    [
      body.orders.map((order: { order_reference: string }) => order.order_reference),
      body.pagination.total_number_of_records,
    ],
    [['M-2'], 3],
  )
  assert.equal((await call('GET', '/orders?offset=1')).body.errors[0].code, '40002')
})

test('POST creates shipments and their order at once', async (t) => {
  const { call, fake } = await fakeAuspost(t)
  const { status, body } = await call('POST', '/orders', { order_reference: 'M-2', shipments: [SHIPMENT] })
  assert.equal(status, 201)
  assert.equal(body.order.order_summary.number_of_items, 1)
  assert.equal(fake.ledger.entries({ what: 'shipment_created' }).length, 1)
  const wrong = await call('POST', '/orders', { shipments: [{ ...SHIPMENT, items: [] }] })
  assert.equal(wrong.body.errors[0].code, '40002')
})
