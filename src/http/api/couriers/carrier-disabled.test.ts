import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Api, address, deliveryBody, parcel, testApi } from '../../../../test/api.ts'

const CREATE = 'POST /demo/deliveries'
const LATER = '2026-11-24T15:30:00+11:00'

const off = ({ call }: Api) => call('PUT /demo/carriers/southern_parcels/switch', { body: { on: false } })
const of = (reference: string, more: object) => ({ body: { ...deliveryBody({ reference }), ...more } })

test('a delivery that only a disabled carrier could carry is accepted with the requested type', async (t) => {
  const api = await testApi(t, { work: false })
  assert.equal((await off(api)).status, 200)
  for (const type of ['standard', 'express']) {
    const created = await api.call(CREATE, of(`OFF-${type}`, { delivery_type: type }))
    assert.deepEqual([created.status, created.json.data?.delivery_type], [201, type], created.text)
  }
})

test('a delivery that no carrier could take is rejected although one is disabled, and so is an amend to it', async (t) => {
  const api = await testApi(t, { work: false })
  const { json } = await api.call(CREATE, of('GOOD-1', { delivery_type: 'standard' }))
  assert.equal((await off(api)).status, 200)
  const heavy = { parcels: [{ ...parcel, weight_kg: 40_000 }] }
  const perth = { city: 'Perth', state: 'WA', post_code: '6000' }
  const far = { delivery_type: 'fast', address: { ...address, ...perth } }
  for (const [name, more] of Object.entries({ heavy, far })) {
    const refused = await api.call(CREATE, of(name, more))
    assert.deepEqual([refused.status, refused.json.code], [422, 'no_service_available'], refused.text)
  }
  const path = `/demo/deliveries/${json.data.id}`
  const amended = await api.call(`PATCH ${path}/amend`, { body: { ...heavy, ready_for_pickup_at: LATER } })
  assert.deepEqual([amended.status, amended.json.code], [422, 'no_service_available'])
  const after = (await api.call(`GET ${path}`)).json.data
  assert.deepEqual(after.service_quote, json.data.service_quote)
})
