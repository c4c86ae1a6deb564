import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Api, address, customer, deliveryBody, lineItem, parcel, testApi } from '../../../../test/api.ts'
import { limitedToken } from '../../../../test/limited-client.ts'

const REFERENCE = 'EVERYWHERE'
const { country: _, ...linkAddress } = address

/** A Fitzroy delivery whose reference 100 other stores have used before. */
async function deliveryAmongMany(t: TestContext): Promise<Api & { id: string }> {
  const api = await testApi(t, { work: false })
  const body = deliveryBody({ store_reference: 'fitzroy', reference: REFERENCE })
  const { id } = (await api.call('POST /demo/deliveries', { body })).json.data
  const { db } = api.fixture.deps
  await db.query(`insert into stores (account_id, store_id, reference)
    select 'demo', 'sto_other' || n, 'other-' || n from generate_series(1, 100) as n`)
  await db.query(`insert into deliveries
    select copy.* from deliveries as d cross join generate_series(1, 100) as n
    cross join lateral jsonb_populate_record(
      d, jsonb_build_object('delivery_id', 'dlv_00' || n, 'store_id', 'sto_other' || n)) as copy`)
  return { ...api, id }
}

test('a reference that a hundred other stores use is found by its store', async (t) => {
  const { call, id, ...api } = await deliveryAmongMany(t)
  assert.equal((await call(`GET /demo/deliveries/${REFERENCE}`)).json.code, 'ambiguous_reference')
  for (const below of ['', '/events']) {
    const { status, json } = await call(`GET /demo/deliveries/${REFERENCE}${below}?store_reference=fitzroy`)
    assert.equal(status, 200, below)
    if (below === '') assert.equal(json.data.id, id)
  }
  assert.equal(
    (await call(`GET /demo/deliveries/${REFERENCE}?store_reference=melbourne-cbd`)).status,
    404,
    'this store has none',
  )

  for (const [line, body] of [
    [`GET /demo/deliveries/${id}?store_reference=fitzory`],
    ['POST /demo/deliveries/labels', { delivery_ids: [id], store_reference: 'fitzory' }],
  ] as const) {
    const { status, json } = await call(line, body && { body })
    assert.equal(status, 422, line)
    const [{ field, issue, message }] = json.errors
    assert.deepEqual([field, issue], ['store_reference', 'unknown_store'])
    assert.match(message, /There is no store "fitzory"\. Did you mean "fitzroy"\?/)
  }

  const scopes = ['deliveries:read']
  const fitzroyToken = await limitedToken({ call, ...api }, ['fitzroy'], scopes)
  assert.equal((await call(`GET /demo/deliveries/${REFERENCE}`, { token: fitzroyToken })).json.data.id, id)
  const perthToken = await limitedToken({ call, ...api }, ['perth-cbd'], scopes)
  for (const name of [id, REFERENCE, `${REFERENCE}?store_reference=fitzroy`])
    assert.equal((await call(`GET /demo/deliveries/${name}`, { token: perthToken })).status, 404, name)
})

test('a duplicate reference in one store gets the existing delivery in the error', async (t) => {
  const { call, id } = await deliveryAmongMany(t)
  const ofFitzroy = { store_reference: 'fitzroy', reference: REFERENCE }
  const other = (await call('POST /demo/deliveries', { body: deliveryBody({ store_reference: 'fitzroy' }) }))
    .json.data
  const link = { customer, address: linkAddress, line_items: [lineItem], parcels: [parcel] }
  const amendment = { ready_for_pickup_at: other.ready_for_pickup_at, reference: REFERENCE }
  for (const [line, body] of [
    ['POST /demo/deliveries', deliveryBody(ofFitzroy)],
    ['POST /demo/links', { ...link, ...ofFitzroy }],
    [`PATCH /demo/deliveries/${other.id}/amend`, amendment],
  ] as const) {
    const { status, json } = await call(line, { body })
    assert.equal(status, 409, line)
    assert.equal(json.code, 'duplicate_reference', line)
    assert.equal(json.delivery_id, id, line)
  }
})
