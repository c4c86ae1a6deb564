import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliveryBody, testApi } from '../../../../test/api.ts'
import { driverApi, MIA, ownDelivery, SAM } from '../../../../test/driver.ts'
import { applyAccount, exportAccount } from '../../../operations/accounts/apply-account.ts'

type Profile = {
  id: string
  phone: string
  driver_name: string
  active: boolean
  last_seen_at: string | null
}

test('the account’s couriers are listed; applying the document keeps clerks’ changes', async (t) => {
  const api = await testApi(t, { work: false })
  const { call } = api
  const { json } = await call('GET /demo/staff-couriers?page=1')
  assert.deepEqual(json.pagination, { page: 1, per_page: 50, total: 2, total_pages: 1 })
  const [sam, mia] = json.data
  assert.match(sam.id, /^cou_/)
  assert.deepEqual(
    json.data.map(({ phone, driver_name, driver_id, active, last_seen_at }: Record<string, unknown>) => ({
      phone,
      driver_name,
      driver_id,
      active,
      last_seen_at,
    })),
    [
      { phone: SAM, driver_name: 'Sam Okafor', driver_id: null, active: true, last_seen_at: null },
      { phone: MIA, driver_name: 'Mia Tran', driver_id: null, active: true, last_seen_at: null },
    ],
  )
  assert.equal(
    (await call(`PATCH /demo/staff-couriers/${sam.id}`, { body: { driver_name: 'Samuel' } })).status,
    200,
  )
  assert.equal((await call(`DELETE /demo/staff-couriers/${mia.id}`)).status, 204)
  assert.equal((await call(`DELETE /demo/staff-couriers/${mia.id}`)).status, 404)
  const { document } = await exportAccount(api.fixture.deps, 'demo')
  await applyAccount(api.fixture.deps, { ...document, name: 'Demo again' }, { by: 'test' })
  const after = (await call('GET /demo/staff-couriers')).json.data
  assert.deepEqual(
    after.map((one: Profile) => one.driver_name),
    ['Samuel'],
  )
})

test('couriers are added, changed and paged; unknown fields are rejected', async (t) => {
  const { call } = await testApi(t, { work: false })
  const fitzroy = (await call('GET /demo/stores/fitzroy')).json.data.id
  for (let n = 0; n < 50; n++) {
    const body = { store_id: fitzroy, phone: `+614915710${String(n).padStart(2, '0')}`, driver_name: `D${n}` }
    assert.equal((await call('POST /demo/staff-couriers', { body })).status, 201)
  }
  const pages = await Promise.all([1, 2, 3].map((page) => call(`GET /demo/staff-couriers?page=${page}`)))
  assert.deepEqual(
    pages.map(({ json }) => json.data.length),
    [50, 2, 0],
  )
  assert.deepEqual(pages[2]?.json.pagination, { page: 3, per_page: 50, total: 52, total_pages: 2 })
  const ids = pages.flatMap(({ json }) => json.data.map((one: Profile) => one.id))
  assert.equal(new Set(ids).size, 52)

  for (const page of ['0', '-1', 'x', '1.5', '1000000000000000000']) {
    assert.equal((await call(`GET /demo/staff-couriers?page=${page}`)).status, 422, page)
  }
  const mistakes: [body: object, fields: string[]][] = [
    [{ phone: 'x', driver_name: 'A' }, ['store_reference', 'phone']],
    [{ store_reference: 'nowhere', phone: SAM, driver_name: 'A' }, ['store_reference']],
    [{ store_reference: 'fitzroy', driver_name: 'A', colour: 'red' }, ['phone', 'colour']],
  ]
  for (const [body, fields] of mistakes) {
    const { status, json } = await call('POST /demo/staff-couriers', { body })
    assert.equal(status, 422)
    assert.deepEqual(json.errors.map(({ field }: { field: string }) => field).sort(), fields.sort())
  }
  const twice = { store_reference: 'fitzroy', phone: '0491 570 156', driver_name: 'Sam' }
  assert.equal((await call('POST /demo/staff-couriers', { body: twice })).json.code, 'duplicate_courier')
  const duplicate = await call(`PATCH /demo/staff-couriers/${ids[0]}`, { body: { phone: MIA } })
  assert.equal(duplicate.json.code, 'duplicate_courier')
  assert.equal((await call('PATCH /demo/staff-couriers/cou_none', { body: { active: false } })).status, 404)
})

test('the phone of a removed courier is free for another one of the store', async (t) => {
  const { call } = await testApi(t, { work: false })
  const add = async (phone: string) => {
    const body = { store_reference: 'fitzroy', phone, driver_name: 'D' }
    return (await call('POST /demo/staff-couriers', { body })).json.data.id
  }
  const [gone, other] = [await add('+61491571001'), await add('+61491571002')]
  assert.equal((await call(`DELETE /demo/staff-couriers/${gone}`)).status, 204)
  const body = { phone: '+61491571001' }
  const changed = await call(`PATCH /demo/staff-couriers/${other}`, { body })
  assert.deepEqual([changed.status, changed.json.data?.phone], [200, '+61491571001'])
  const again = { ...body, store_reference: 'fitzroy', driver_name: 'D' }
  assert.equal((await call('POST /demo/staff-couriers', { body: again })).json.code, 'duplicate_courier')
})

test('a first delivery adds the driver to the store’s list in the same transaction', async (t) => {
  const api = await testApi(t, { work: false })
  const { call } = api
  const created = await ownDelivery(api, '0491 571 266', { reference: 'OWN-1' })
  const { data } = (await call('GET /demo/staff-couriers')).json
  const courier = data.find((one: Profile) => one.phone === '+61491571266')
  assert.equal(courier.driver_name, 'Mia Tran')
  assert.equal(courier.store_id, created.store_id)
  const { json } = await call(`GET /demo/deliveries/${created.id}/events`)
  assert.equal(json.data.filter(({ type }: { type: string }) => type === 'staff_courier.assigned').length, 1)

  const again = { store_reference: 'fitzroy', reference: 'OWN-1', use_staff_couriers: true }
  const unlisted = { staff_courier: { phone: '0491 573 087', driver_name: 'Nobody' } }
  const refused = await call('POST /demo/deliveries', { body: deliveryBody({ ...again, ...unlisted }) })
  assert.equal(refused.json.code, 'duplicate_reference')
  assert.equal(
    (await call('GET /demo/staff-couriers')).json.pagination.total,
    3,
    'nothing of a rejected request',
  )

  const body = deliveryBody({ ...again, ...unlisted, reference: 'OWN-2' })
  const headers = { 'idempotency-key': 'own-2' }
  const [first, second] = [
    await call('POST /demo/deliveries', { body, headers }),
    await call('POST /demo/deliveries', { body, headers }),
  ]
  assert.equal(first.text, second.text)
  const { rows } = await api.fixture.deps.db.query(`select count(*) as n from courier_offers`)
  assert.equal(rows[0].n, 2)

  await call(`PATCH /demo/staff-couriers/${courier.id}`, { body: { active: false } })
  const off = { staff_courier: { phone: courier.phone, driver_name: 'Mia Tran' }, reference: 'OWN-3' }
  const switchedOff = await call('POST /demo/deliveries', { body: deliveryBody({ ...again, ...off }) })
  assert.equal(switchedOff.status, 422)
  assert.equal(switchedOff.json.errors[0].field, 'staff_courier.phone')
  assert.equal((await call('GET /demo/deliveries/OWN-3')).status, 404)
})

test('a client limited to some stores manages only their couriers', async (t) => {
  const api = await testApi(t, { work: false })
  const newClient = {
    name: 'CBD',
    scopes: ['deliveries:read', 'deliveries:write'],
    store_references: ['melbourne-cbd'],
  }
  const { json } = await api.operator('POST /admin/accounts/demo/clients', { body: newClient })
  const token = await api.tokenOf(json.data.client_id, json.data.client_secret)
  const [sam] = (await api.call('GET /demo/staff-couriers')).json.data
  assert.deepEqual((await api.call('GET /demo/staff-couriers', { token })).json.data, [])
  const change = { body: { active: false }, token }
  assert.equal((await api.call(`PATCH /demo/staff-couriers/${sam.id}`, change)).status, 404)
  assert.equal((await api.call(`DELETE /demo/staff-couriers/${sam.id}`, { token })).status, 404)
  const body = { store_reference: 'fitzroy', phone: '+61491571491', driver_name: 'X' }
  assert.equal((await api.call('POST /demo/staff-couriers', { body, token })).status, 404)
  const { store_reference: _, ...byId } = { ...body, store_id: sam.store_id }
  const hidden = await api.call('POST /demo/staff-couriers', { body: byId, token })
  assert.deepEqual([hidden.status, hidden.json.detail], [404, `There is no store ${sam.store_id}.`])
  const own = { ...body, store_reference: 'melbourne-cbd' }
  assert.equal((await api.call('POST /demo/staff-couriers', { body: own, token })).status, 201)
  assert.equal((await api.call('GET /demo/staff-couriers', { token })).json.pagination.total, 1)
})

test('a clerk sees where a driver is', async (t) => {
  const api = await testApi(t)
  const sam = await driverApi(api, SAM)
  const here = { lat: -37.8, lng: 144.98, accuracy_m: 12 }
  assert.equal((await sam.call('POST /driver/location', { body: here })).status, 204)
  const earlier = { lat: -37.9, lng: 144.9, at: '2026-11-24T09:00:00+11:00' }
  assert.equal((await sam.call('POST /driver/location', { body: earlier })).status, 204)
  const { rows } = await api.fixture.deps.db.query('select lat, lng from staff_couriers where phone = $1', [
    SAM,
  ])
  assert.deepEqual(rows[0], { lat: -37.8, lng: 144.98 }, 'an older update changes nothing')
  const [profile] = (await api.call('GET /demo/staff-couriers')).json.data
  assert.match(profile.last_seen_at, /^2026-11-23T23:0/)
  assert.equal((await sam.call('POST /driver/location', { body: { lat: 91, lng: 0 } })).status, 422)
})
