import assert from 'node:assert/strict'
import { test } from 'node:test'
import { address, deliveryBody, quoteBody, testApi } from '../../../../test/api.ts'

const CREATE = 'POST /demo/deliveries'
const box = { ...address, address: 'PO Box 123' }

test('only a service that accepts PO boxes takes one, and explain names the kind of address', async (t) => {
  const api = await testApi(t, { work: false })
  const { data } = (await api.call(CREATE, { body: deliveryBody({ address: box }) })).json
  assert.deepEqual(
    [data.delivery_type, data.service_code],
    ['standard', 'ROAD'],
    'no courier, though cheaper',
  )

  const { json } = await api.call(`GET /demo/deliveries/${data.id}/decision`)
  assert.equal(json.data.explanation.address_kind, 'po_box')
  const rules = json.data.explanation.services.map((one: { service: string; rule?: string }) => [
    one.service,
    one.rule,
  ])
  assert.deepEqual(Object.fromEntries(rules), {
    ROAD: undefined,
    NOW: 'address_kind',
    TODAY: 'address_kind',
    AIR: 'address_kind',
    FREIGHT: 'address_kind',
  })

  const asked = { ...quoteBody, address: box }
  const windows = await api.call('POST /demo/deliveries/quote/availability?explain=true', { body: asked })
  assert.equal(windows.json.explanation.address_kind, 'po_box')

  const fast = await api.call(CREATE, { body: deliveryBody({ address: box, delivery_type: 'fast' }) })
  assert.deepEqual([fast.status, fast.json.code], [422, 'no_service_available'])
  assert.match(
    fast.json.detail,
    /NOW: The address is a PO box or a locked bag; NOW goes to a street address only/,
  )
})

test('a postcode for boxes only implies a PO box, and a street there gets an error with a remedy', async (t) => {
  const api = await testApi(t, { work: false })
  const gpo = { ...address, address: 'GPO Box 1234', city: 'Melbourne', post_code: '3001' }
  const created = await api.call(CREATE, { body: deliveryBody({ address: gpo }) })
  assert.deepEqual([created.status, created.json.data.service_code], [201, 'ROAD'])
  const street = { ...gpo, address: '12 Smith St' }
  const refused = await api.call(CREATE, { body: deliveryBody({ address: street }) })
  assert.deepEqual([refused.status, refused.json.errors[0].field], [422, 'address.post_code'])
  assert.match(
    refused.json.errors[0].message,
    /3001 has post office boxes only\. Write the address as PO Box/,
  )
})

test('staff couriers deliver to street addresses only', async (t) => {
  const api = await testApi(t, { work: false })
  const own = {
    use_staff_couriers: true,
    staff_courier: { phone: '+61491570156', driver_name: 'Sam Okafor' },
  }
  const body = deliveryBody({ ...own, address: { ...address, address: 'Parcel Locker 10147 12345' } })
  const { status, json } = await api.call(CREATE, { body })
  assert.deepEqual([status, json.code], [422, 'no_service_available'])
  assert.match(json.detail, /a parcel locker; staff couriers go to street addresses only/)
})
