import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Api, address, customer, deliveryBody, lineItem, parcel, testApi } from '../../../../test/api.ts'
import { applyAccount, exportAccount } from '../../../operations/accounts/apply-account.ts'

const LATER = '2026-11-24T14:30:00+11:00'
const dangerous = {
  ...parcel,
  contains_dangerous_goods: true,
  dangerous_goods: { dangerous_goods_definition: 'aerosols' },
}

test('an amend and a booking keep a type that the account has removed since', async (t) => {
  const api = await testApi(t, { work: false })
  const path = await create(api, { delivery_type: 'express' })
  await drop(api, 'express')
  const amended = await api.call(`PATCH ${path}/amend`, {
    body: { ready_for_pickup_at: LATER, special_instructions: 'Ring twice.' },
  })
  assert.equal(amended.status, 200, amended.text)
  const { delivery_type, ready_for_pickup_at, special_instructions } = amended.json.data
  assert.deepEqual(
    [delivery_type, ready_for_pickup_at, special_instructions],
    ['express', LATER, 'Ring twice.'],
  )
  assert.equal((await api.call(`GET ${path}/options`)).status, 200)
  const booked = await api.call(`PATCH ${path}/book`)
  assert.deepEqual([booked.json.data.status, booked.json.data.delivery_type], ['booked', 'express'])
})

test('values that an amend sends are checked against the current account', async (t) => {
  const api = await testApi(t, { work: false })
  const path = await create(api, { delivery_type: 'express' })
  await drop(api, 'express')
  const refused = await amend(api, path, { delivery_type: 'express' })
  assert.deepEqual(refused.fields, ['delivery_type'])
  assert.doesNotMatch(refused.detail, /The delivery itself/)
  const both = await amend(api, path, { address: { ...address, post_code: '9998' } })
  assert.deepEqual(both.fields, ['address.post_code'])
})

test('goods, a mode or a carrier that the account has removed stay valid too', async (t) => {
  const api = await testApi(t, { work: false })
  const goods = await create(api, { parcels: [dangerous] })
  const mode = await create(api, { delivery_mode: 'customer_pickup' })
  const { document } = await exportAccount(api.fixture.deps, 'demo')
  const stores = document.stores.map((store) => ({ ...store, modes: ['store_to_door' as const] }))
  await apply(api, {
    ...document,
    modes: ['store_to_door'],
    stores,
    dangerous_goods_definitions: document.dangerous_goods_definitions?.filter(
      ({ name }) => name !== 'aerosols',
    ),
  })
  for (const path of [goods, mode]) {
    const { status, text } = await api.call(`PATCH ${path}/amend`, { body: { ready_for_pickup_at: LATER } })
    assert.equal(status, 200, text)
    assert.equal((await api.call(`PATCH ${path}/book`)).json.data.status, 'booked')
  }
})

test('if a removed value cannot stay, the error says that it is the delivery’s own', async (t) => {
  const api = await testApi(t, { work: false })
  const { document } = await exportAccount(api.fixture.deps, 'demo')
  await drop(api, 'express')
  const path = await create(api, { parcels: [dangerous] })
  const without = document.dangerous_goods_definitions?.filter(({ name }) => name !== 'aerosols')
  await apply(api, { ...document, dangerous_goods_definitions: without })
  // The account has Express again but no longer the goods definition: no version has both.
  const mixed = await amend(api, path, { delivery_type: 'express' })
  assert.deepEqual(mixed.fields, ['parcels[0].dangerous_goods.dangerous_goods_definition'])
  assert.match(
    mixed.detail,
    /^The delivery already had this .* this amend did not send it\..* Send parcels with this amend/,
  )
  const { status, text } = await api.call(`PATCH ${path}/amend`, {
    body: { ready_for_pickup_at: LATER, delivery_type: 'express', parcels: [parcel] },
  })
  assert.equal(status, 200, text)
})

test('a link keeps the goods it was created with; a removed type gets the current options', async (t) => {
  const api = await testApi(t, { work: false })
  const { country: _, ...linkAddress } = address
  const created = await api.call('POST /demo/links', {
    body: {
      store_reference: 'melbourne-cbd',
      reference: 'LINK-1',
      customer,
      address: linkAddress,
      line_items: [lineItem],
      parcels: [dangerous],
    },
  })
  const url = `/l/${created.json.data.link.split('/').at(-1)}`
  const verified = await api.call(`POST ${url}/verify`, { body: { reference: 'LINK-1' }, token: null })
  const headers = { 'link-session': verified.json.data.session }
  const optionsOf = async () => (await api.call(`GET ${url}/options`, { token: null, headers })).json.data
  const { document } = await exportAccount(api.fixture.deps, 'demo')
  await apply(api, {
    ...document,
    dangerous_goods_definitions: document.dangerous_goods_definitions?.filter(
      ({ name }) => name !== 'aerosols',
    ),
  })
  const { standard } = await optionsOf()
  const body = { delivery_type: 'standard', quote_id: standard.quote_id }
  const booked = await api.call(`POST ${url}/book`, { body, token: null, headers })
  assert.equal(booked.status, 201, booked.text)
  assert.equal(booked.json.data.price_cents, standard.price_cents)
})

async function create(api: Api, over: object): Promise<string> {
  const body = deliveryBody({ ready_for_pickup_at: '2026-11-24T14:00:00+11:00', ...over })
  const { status, json, text } = await api.call('POST /demo/deliveries', { body })
  assert.equal(status, 201, text)
  return `/demo/deliveries/${json.data.id}`
}

async function amend(api: Api, path: string, body: object): Promise<{ fields: string[]; detail: string }> {
  const { status, json, text } = await api.call(`PATCH ${path}/amend`, {
    body: { ready_for_pickup_at: LATER, ...body },
  })
  assert.equal(status, 422, text)
  return { fields: json.errors.map(({ field }: { field: string }) => field), detail: json.detail }
}

async function drop(api: Api, type: 'express'): Promise<void> {
  const { document } = await exportAccount(api.fixture.deps, 'demo')
  const types = document.delivery_types
  await apply(api, {
    ...document,
    delivery_types: { ...types, [type]: { ...types[type]!, enabled: false } },
  })
}

async function apply(
  { fixture: { deps } }: Api,
  document: Parameters<typeof applyAccount>[1],
): Promise<void> {
  await applyAccount(deps, document, { by: 'test' })
  await deps.accounts.refresh()
}
