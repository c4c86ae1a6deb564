import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Api,
  address,
  type Call,
  customer,
  deliveryBody,
  lineItem,
  OPERATOR,
  parcel,
  quoteBody,
  testApi,
} from '../../../test/api.ts'
import { driverApi, JPEG, SAM } from '../../../test/driver.ts'
import { ADMIN, apiWithPeople, browserOf, person } from '../../../test/people.ts'

/** An issue that the schema finds together with one that it cannot find. */
async function assertFields(
  api: Api,
  line: string,
  body: object,
  fields: readonly string[],
  token?: string,
): Promise<void> {
  const by = line.includes(' /admin/') ? OPERATOR : token
  const { status, json } = await api.call(line, { body, ...(by && { token: by }) })
  assert.deepEqual([status, json.errors?.map(reportOf)], [422, fields], line)
}

function reportOf({ field, issue }: { field: string; issue: string }): string {
  return `${field} ${issue}`
}

test('mistakes against the account are reported together with mistakes against the schema', async (t) => {
  const api = await testApi(t, { work: false })
  const { email: _, ...noEmail } = customer
  const pickup = { store_reference: 'brisbane-cbd', delivery_mode: 'customer_pickup' }
  const notClass = { dangerous_goods_definition: 'lithium_batteries_equipment', class_division: 2.7 }
  const dangerous = { ...parcel, contains_dangerous_goods: true, dangerous_goods: notClass }

  await assertFields(api, 'POST /demo/deliveries', deliveryBody({ ...pickup, customer: noEmail }), [
    'customer.email required',
    'delivery_mode not_enabled',
  ])
  await assertFields(
    api,
    'POST /demo/deliveries',
    deliveryBody({ ready_for_pickup_at: '2025-11-20T10:00+11:00', parcels: [dangerous], metadata: { a: 1 } }),
    [
      'metadata.a invalid_type',
      'ready_for_pickup_at out_of_range',
      'parcels[0].dangerous_goods.class_division invalid_value',
    ],
  )
  for (const verb of ['quote-next-available', 'quote/availability']) {
    await assertFields(api, `POST /demo/deliveries/${verb}`, { ...quoteBody, ...pickup, line_items: [] }, [
      'line_items too_short',
      'delivery_mode not_enabled',
    ])
  }
  await assertFields(
    api,
    'POST /demo/deliveries/quote/allocation',
    { address: { latitude: -37.8 }, ready_for_pickup_at: '2031-06-01T10:00', store_references: ['nope'] },
    ['address.longitude required', 'ready_for_pickup_at out_of_range', 'store_references[0] unknown_store'],
  )
})

test('a bad metadata name is reported once, by its own rule', async (t) => {
  const api = await testApi(t, { work: false })
  for (const key of ['k'.repeat(41), 'k'.repeat(70), '']) {
    const field = `metadata.${key.slice(0, 60) || '""'}`
    await assertFields(api, 'POST /demo/deliveries', deliveryBody({ metadata: { [key]: 'x' } }), [
      `${field} too_long`,
    ])
  }
})

test('an unknown customer country is reported, also where it decides how to read their phone number', async (t) => {
  const api = await testApi(t, { work: false })
  const from = (country: string, phone: string) => deliveryBody({ customer: { ...customer, country, phone } })
  for (const phone of ['+61491570156', '0491 570 156']) {
    await assertFields(api, 'POST /demo/deliveries', from('UK', phone), ['customer.country invalid_value'])
  }
  const refused = await api.call('POST /demo/deliveries', { body: from('US', '0491 570 156') })
  assert.match(refused.json.errors[0].message, /not a valid phone number in US, the customer.country/)
  // SMS go only to mobile numbers of the account's countries, so notifications are off.
  const body = { ...from('GB', '020 7946 0018'), suppress_notifications: true }
  const created = await api.call('POST /demo/deliveries', { body })
  assert.equal(created.json.data.customer.phone, '+442079460018', created.text)
})

test('an amend reports a time out of range together with schema mistakes', async (t) => {
  const api = await testApi(t, { work: false })
  const created = await api.call('POST /demo/deliveries', { body: deliveryBody({ reference: 'AMEND-1' }) })
  assert.equal(created.status, 201)
  await assertFields(
    api,
    'PATCH /demo/deliveries/AMEND-1/amend',
    { ready_for_pickup_at: '2031-06-01T10:00', line_items: [{ ...lineItem, quantity: 0 }] },
    ['line_items[0].quantity out_of_range', 'ready_for_pickup_at out_of_range'],
  )
})

test('a link reports at once that its time has passed', async (t) => {
  const api = await testApi(t, { work: false })
  const body = {
    store_reference: 'melbourne-cbd',
    reference: 'LINK-1',
    expires_at: '2026-11-23T10:00',
    address,
    customer,
    line_items: [lineItem],
    parcels: [parcel],
  }
  await assertFields(api, 'POST /demo/links', { ...body, line_items: [] }, [
    'line_items too_short',
    'expires_at out_of_range',
  ])
  await assertFields(api, 'POST /demo/links', { ...body, customer: { ...customer, phone: '12' } }, [
    'customer.phone invalid_value',
    'expires_at out_of_range',
  ])
  await assertFields(api, 'POST /demo/links', { ...body, store_reference: 'nope' }, [
    'store_reference unknown_store',
    'expires_at out_of_range',
  ])
})

test('a staff courier’s store and phone are checked together with missing fields', async (t) => {
  const api = await testApi(t, { work: false })
  await assertFields(api, 'POST /demo/staff-couriers', { store_reference: 'nope', phone: '12' }, [
    'driver_name required',
    'store_reference unknown_store',
    'phone invalid_value',
  ])
  await assertFields(api, 'POST /demo/staff-couriers', { phone: '0491 570 156', active: 'yes' }, [
    'driver_name required',
    'active invalid_type',
    'store_reference required',
  ])
  await assertFields(
    api,
    'POST /demo/staff-couriers',
    { store_id: 7, phone: '0491 570 156', driver_name: 'A' },
    ['store_id invalid_type'],
  )
  await assertFields(api, 'PATCH /demo/staff-couriers/cou_any', { phone: '12', active: 'yes' }, [
    'active invalid_type',
    'phone invalid_value',
  ])
  await assertFields(api, 'PATCH /demo/deliveries/any/assign', { staff_courier: { phone: '12' } }, [
    'staff_courier.driver_name required',
    'staff_courier.phone invalid_value',
  ])
})

test('a webhook endpoint’s URL and event types are checked together', async (t) => {
  const api = await testApi(t, { work: false, allowPrivateWebhooks: false })
  const body = { url: 'http://localhost/hook', event_types: ['delivery.bookd'] }
  const both = ['event_types[0] invalid_value', 'url invalid_value']
  await assertFields(api, 'POST /demo/webhook-endpoints', body, both)
  await assertFields(api, 'PATCH /demo/webhook-endpoints/whk_any', body, both)
  await assertFields(api, 'POST /demo/webhook-endpoints', { url: 7, event_types: [] }, [
    'url invalid_type',
    'event_types too_short',
  ])
})

test('a manifest’s store and group are checked together, and with missing fields', async (t) => {
  const api = await testApi(t, { work: false })
  const body = { store_reference: 'nowhere', manifest_group: 'NONE' }
  const both = ['store_reference unknown_store', 'manifest_group invalid_value']
  await assertFields(api, 'POST /demo/manifests', body, both)
  await assertFields(api, 'POST /demo/manifests', { ...body, generate_order_summary: 'yes' }, [
    'generate_order_summary invalid_type',
    ...both,
  ])
  await assertFields(api, 'POST /demo/store-manifests', { store_reference: 7, create_manifest_now: true }, [
    'store_reference invalid_type',
  ])
})

test('the stores of a user or a client are checked although other fields are wrong', async (t) => {
  const api = await testApi(t, { work: false })
  const user = { email: 'nobody', role: 'store_clerk' }
  await assertFields(api, 'POST /demo/users', { ...user, store_references: ['fitzory', 7] }, [
    'email invalid_value',
    'store_references[1] invalid_type',
    'store_references[0] unknown_store',
  ])
  await assertFields(api, 'POST /demo/users', user, ['email invalid_value', 'store_references required'])
  const change = { disabled: 'yes', role: 'merchant_admin', store_references: ['fitzroy'] }
  await assertFields(api, 'PATCH /demo/users/usr_any', change, [
    'disabled invalid_type',
    'store_references conflict',
  ])
  const client = { scopes: [], store_references: ['fitzroy', 'nope'] }
  await assertFields(api, 'POST /admin/accounts/demo/clients', client, [
    ...['name required', 'scopes too_short', 'store_references[1] unknown_store'],
  ])
})

test('an account document’s mistakes are reported together with those of its path', async (t) => {
  const api = await testApi(t, { work: false })
  const { json: document } = await api.operator('GET /admin/accounts/demo')
  const { tenant_id: _, ...nameless } = { ...document, name: 7 }
  await assertFields(api, 'PUT /admin/accounts/demo', nameless, ['tenant_id required', 'name invalid_type'])
  await assertFields(api, 'PUT /admin/accounts/demo', { ...nameless, tenant_id: 'other' }, [
    'tenant_id conflict',
    'name invalid_type',
  ])
})

test('a replay must select events in one way, whatever other mistakes it has', async (t) => {
  const api = await testApi(t, { work: false })
  const line = 'POST /demo/webhook-endpoints/whk_any/replay'
  await assertFields(api, line, { event_ids: [], from: '2026-11-24T10:00' }, [
    'event_ids too_short',
    'from conflict',
  ])
  await assertFields(api, line, { since: 1 }, ['since unknown_field', 'event_ids required'])
})

test('a new password and a driver’s phone are checked together with other fields', async (t) => {
  const api = await apiWithPeople(t, { work: false })
  const choosing = { token: 'any', password: 'short', name: '' }
  await assertFields(api, 'POST /session/password', choosing, ['name too_short', 'password invalid_value'])
  await assertFields(api, 'POST /driver/verify', { phone: '12' }, ['code required', 'phone invalid_value'])

  const admin = await person(api, ADMIN)
  const invited = await admin.call('POST /demo/users', {
    body: { email: 'nora@shop.example', role: 'merchant_admin', password: ADMIN.password },
  })
  const [, token] = invited.json.data.invitation_url.split('#')
  const nameless = await browserOf(api).call('POST /session/password', {
    body: { token, password: 'nora123456789' },
  })
  assert.deepEqual(nameless.json.errors.map(reportOf), ['name required', 'password invalid_value'])
})

test('a driver’s proof is checked together with the other fields', async (t) => {
  const api = await testApi(t)
  const { token } = await driverApi(api, SAM)
  const deliver = { proof: { id: 'short', kind: 'pin' } }
  await assertFields(
    api,
    'POST /driver/jobs/any/deliver',
    deliver,
    ['proof.id invalid_value', 'proof.pin required'],
    token,
  )
  const fail = { reason: 'bored', image: JPEG }
  await assertFields(api, 'POST /driver/jobs/any/fail', fail, ['reason invalid_value', 'id required'], token)
})

test('a key, a query and a body are checked together and report every mistake', async (t) => {
  const api = await testApi(t, { work: false })
  const listFields = async (line: string, call: Call = {}) => {
    const { status, json } = await api.call(line, call)
    return [status, json.errors.map(reportOf)]
  }
  const create = 'POST /demo/deliveries?book=now'
  const headers = { 'idempotency-key': 'é' }
  assert.deepEqual(await listFields(create, { headers, body: deliveryBody({ parcels: [] }) }), [
    400,
    ['Idempotency-Key invalid_value', 'book unknown_field', 'parcels too_short'],
  ])
  assert.deepEqual(await listFields(create, { body: deliveryBody({ store_reference: 'nope' }) }), [
    422,
    ['book unknown_field', 'store_reference unknown_store'],
  ])
  assert.equal((await api.call(create, { headers })).status, 400, 'without a body there is nothing to check')

  const lists: [path: string, fields: string[]][] = [
    [
      'deliveries?on_day=2026-02-30&store_reference=nope&after=x',
      ['on_day invalid_value', 'store_reference unknown_store', 'after invalid_value'],
    ],
    ['deliveries?store_reference=nope&after=x', ['store_reference unknown_store', 'after invalid_value']],
    [
      'deliveries?ended_from=2026-11-25&ended_to=2026-11-24&store_reference=nope&after=x',
      ['ended_from invalid_value', 'store_reference unknown_store', 'after invalid_value'],
    ],
    ['deliveries?ended_from=2031-11-25&ended_to=2026-02-30', ['ended_to invalid_value']],
    [
      'deliveries?timeliness=soon&ended_from=2020-01-01',
      ['timeliness invalid_value', 'ended_from invalid_value'],
    ],
    ['manifests?store_reference=nope&after=x', ['store_reference unknown_store', 'after invalid_value']],
    [
      'insights?from=2026-11-25&to=2026-11-24&store_reference=nope',
      ['from invalid_value', 'store_reference unknown_store'],
    ],
    [
      'insights?from=2031-11-25&to=2026-02-30&store_reference=nope',
      ['to invalid_value', 'store_reference unknown_store'],
    ],
    [
      'insights/deliveries?from=2026-11-25&to=2026-11-24&limit=0&after=x',
      ['limit out_of_range', 'from invalid_value', 'after invalid_value'],
    ],
    ['events?limit=0&after=x', ['limit out_of_range', 'after invalid_value']],
    ['events?limit=0&after=latest', ['limit out_of_range']],
    ['messages?kind=fax&after=x', ['kind invalid_value', 'after invalid_value']],
    ['links?limit=0&after=x', ['limit out_of_range', 'after invalid_value']],
    ['audit-log?limit=0&after=x', ['limit out_of_range', 'after invalid_value']],
    ['webhook-endpoints/whk_any/attempts?limit=0&after=x', ['limit out_of_range', 'after invalid_value']],
  ]
  for (const [path, fields] of lists)
    assert.deepEqual(await listFields(`GET /demo/${path}`), [422, fields], path)
})

test('the sentence says so if not every mistake is listed', async (t) => {
  const api = await testApi(t, { work: false })
  const detailOf = async (wrong: number) => {
    const parcels = Array.from({ length: wrong }, (_, n) => ({ ...parcel, reference: `P${n}`, quantity: 0 }))
    const { json } = await api.call('POST /demo/deliveries', { body: deliveryBody({ parcels }) })
    return [json.errors.length, json.detail]
  }
  const first = [0, 1, 2].map((n) => `parcels[${n}].quantity must be at least 1.`).join(' ')
  assert.deepEqual(await detailOf(99), [99, `99 mistakes: ${first} And 96 more.`])
  assert.deepEqual(await detailOf(150), [100, `100 mistakes and perhaps more: ${first} And 97 more.`])
})

test('at most a hundred mistakes beyond the schema are reported', async (t) => {
  const api = await testApi(t, { work: false })
  const parcels = Array.from({ length: 1_000 }, () => parcel)
  const { json } = await api.call('POST /demo/deliveries', { body: deliveryBody({ parcels }) })
  assert.equal(json.errors.length, 100)
  assert.deepEqual(json.errors.slice(0, 2).map(reportOf), [
    'parcels too_many',
    'parcels[1].reference conflict',
  ])
})
