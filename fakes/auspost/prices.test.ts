import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callerOf, fakeAuspost, ITEM, made, SHIPMENT, STARTRACK } from '../../test/fake-auspost.ts'

type Price = { product_id: string; calculated_price: number; bundled_price: number }

test('items are priced for each product of the contract, without surcharges', async (t) => {
  const { call } = await fakeAuspost(t)
  const { item_reference: _, product_id: __, ...parcel } = ITEM
  const ask = (item: object, to = '2000') =>
    call('POST', '/prices/items', { from: { postcode: '3000' }, to: { postcode: to }, items: [item] })
  const { body } = await ask({ ...parcel, product_ids: ['T28', 'E34'] })
  const prices: Price[] = body.items[0].prices
  assert.deepEqual(
    prices.map(({ product_id }) => product_id),
    ['T28', 'E34'],
  )
  assert.ok(prices.every(({ calculated_price, bundled_price }) => bundled_price < calculated_price))

  const near: Price[] = (await ask({ ...parcel, product_ids: ['T28'] }, '3121')).body.items[0].prices
  assert.ok(near[0]!.calculated_price < prices[0]!.calculated_price, 'within the state it costs less')
  const large: Price[] = (await ask({ weight: 1, length: 50, width: 50, height: 50, product_ids: ['T28'] }))
    .body.items[0].prices
  assert.equal(large[0]!.calculated_price, 37.55, '31.25 kg by its room: 11.20 and 31 times 0.85')

  const heavy = await ask({ ...parcel, weight: 30 })
  assert.deepEqual(heavy.body.items[0].prices, [])
  assert.equal(heavy.body.items[0].warnings[0].code, '43003')
  assert.equal((await ask({ ...parcel, length: 106 })).body.errors[0].code, '42008')
  assert.equal((await ask(parcel, '9999')).body.errors[0].code, '42001')
  assert.equal((await ask({ ...parcel, product_ids: ['EXP'] })).body.items[0].errors[0].code, '42012')
})

test('a shipment’s price has its surcharges and equals the created shipment’s cost', async (t) => {
  const { call } = await fakeAuspost(t)
  const long = { ...ITEM, length: 101, features: { TRANSIT_COVER: { attributes: { cover_amount: 1_100 } } } }
  const place = ({ suburb, state, postcode }: typeof SHIPMENT.from) => ({ suburb, state, postcode })
  const shipment = { ...SHIPMENT, items: [long, ITEM] }
  const { body } = await call('POST', '/prices/shipments', {
    shipments: [{ from: place(shipment.from), to: place(shipment.to), items: shipment.items }],
  })
  const [quoted] = body.shipments
  assert.equal(quoted.shipment_summary.status, 'Quoted')
  assert.equal(quoted.shipment_summary.manual_handling_surcharge, 7.6)
  assert.ok(quoted.shipment_summary.fuel_surcharge > 0)
  const [created] = await made(call, shipment)
  assert.equal(created.shipment_summary.total_cost, quoted.shipment_summary.total_cost)
})

test('StarTrack requires the suburbs too', async (t) => {
  const { fake } = await fakeAuspost(t)
  const call = callerOf(fake.url, STARTRACK)
  const ask = (from: object) =>
    call('POST', '/prices/items', {
      from,
      to: { postcode: '2000', suburb: 'Sydney' },
      items: [{ ...ITEM, weight: 60 }],
    })
  const bare = await ask({ postcode: '3000' })
  assert.deepEqual([bare.body.errors[0].code, bare.body.errors[0].field], ['40002', 'from.suburb'])
  const { body } = await ask({ postcode: '3000', suburb: 'Melbourne' })
  assert.deepEqual(
    body.items[0].prices.map(({ product_id }: Price) => product_id),
    ['EXP', 'PRM'],
  )
})
