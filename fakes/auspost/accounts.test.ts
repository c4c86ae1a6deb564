import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AUSPOST, callerOf, fakeAuspost, ITEM, SHIPMENT, STARTRACK } from '../../test/fake-auspost.ts'

test('a wrong key is a gateway error, a wrong account an API error', async (t) => {
  const { call, fake } = await fakeAuspost(t)
  const wrong = await callerOf(fake.url, AUSPOST, 'fake-key:wrong')('GET', `/accounts/${AUSPOST}`)
  assert.deepEqual([wrong.status, wrong.body.errors[0].error_code], [401, 'API_001'])
  const strange = await callerOf(fake.url, '0000000001')('GET', '/track?tracking_ids=1')
  assert.deepEqual([strange.status, strange.body.errors[0].code], [400, '41001'])
  const other = await call('GET', `/accounts/${STARTRACK}`)
  assert.deepEqual([other.status, other.body.errors[0].code], [404, '41002'])
  assert.equal((await call('GET', '/nowhere')).body.errors[0].error_code, 'API_003')
  assert.equal(
    (await call('GET', `/test/shipping/v1/accounts/${AUSPOST}`)).status,
    200,
    'the testbed is there too',
  )
})

test('an account shows its contract: products, cubing factor, options', async (t) => {
  const { call, fake } = await fakeAuspost(t)
  const { body } = await call('GET', `/accounts/${AUSPOST}`)
  const product = body.postage_products.find(
    ({ product_id }: { product_id: string }) => product_id === 'E34S',
  )
  assert.deepEqual([product.group, product.contract.cubing_factor], ['Express Post', 250])
  assert.deepEqual(product.options, {
    signature_on_delivery_option: true,
    authority_to_leave_option: true,
    dangerous_goods_allowed: true,
  })
  const startrack = await callerOf(fake.url, STARTRACK)('GET', `/accounts/${STARTRACK}`)
  assert.deepEqual(
    startrack.body.postage_products.map(({ product_id }: { product_id: string }) => product_id),
    ['EXP', 'PRM', 'FPP'],
  )
})

test('a contract can change while the fake runs: key, products, postcode, end', async (t) => {
  const { call } = await fakeAuspost(t)
  const change = (account: object) => call('POST', '/_fake/accounts', { account_number: AUSPOST, ...account })
  const code = async () => (await call('POST', '/shipments', { shipments: [SHIPMENT] })).body.errors?.[0].code
  await change({ from_postcodes: ['3121'] })
  assert.equal(await code(), '41007')
  await change({ product_ids: ['T28'] })
  assert.equal(await code(), '42012')
  await change({ expired: true })
  assert.equal(await code(), '41003')
  assert.equal((await call('GET', `/accounts/${AUSPOST}`)).body.expired, true)
  await change({ maximum_cover: null })
  const covered = { ...ITEM, features: { TRANSIT_COVER: { attributes: { cover_amount: 10 } } } }
  const uncovered = await call('POST', '/shipments', { shipments: [{ ...SHIPMENT, items: [covered] }] })
  assert.equal(uncovered.body.errors[0].code, '46001')
  await change({ api_key: 'new' })
  assert.equal(
    (await call('GET', `/accounts/${AUSPOST}`)).status,
    400,
    'the old key has the other account only',
  )
})

test('a suburb is validated against state and postcode, with all suburbs there', async (t) => {
  const { call } = await fakeAuspost(t)
  const ask = (suburb: string, state: string, postcode: string) =>
    call('GET', `/address?${new URLSearchParams({ suburb, state, postcode })}`)
  assert.deepEqual((await ask('Greensborough', 'VIC', '3088')).body, {
    found: true,
    results: ['Briar Hill', 'Greensborough', 'Saint Helena'],
  })
  assert.equal((await ask('St Helena', 'VIC', '3088')).body.found, true)
  assert.equal((await ask('Carlton', 'VIC', '3088')).body.found, false)
  const none = await ask('Greensborough', 'NSW', '3088')
  assert.deepEqual(
    [none.status, none.body.errors[0].message],
    [400, 'Unable to find a match for provided suburb: Greensborough'],
  )
})

test('a body that is not a JSON object is rejected', async (t) => {
  const { call } = await fakeAuspost(t)
  for (const body of ['{"shipments":', '[]', '']) {
    const { status, body: error } = await call('POST', '/shipments', body)
    assert.deepEqual([status, error.errors[0].code], [400, '400'], body)
  }
})
