import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ageLoginAttempts } from '../../../../test/age-login-attempts.ts'
import {
  type Api,
  apiOf,
  customer,
  deliveryBody,
  lineItem,
  parcel,
  testApi,
  usedBy,
} from '../../../../test/api.ts'
import { SAM } from '../../../../test/driver.ts'
import { smsGateway } from '../../../../test/sms-gateway.ts'
import { until } from '../../../../test/wait-until.ts'
import { claimMessages, sendMessages } from '../../../operations/messages/send-messages.ts'
import { readStateFigures } from '../../../store/housekeeping/state-figures.ts'

const linkBody = (reference: string, phone = customer.phone) => ({
  ...{ store_reference: 'melbourne-cbd', reference, line_items: [lineItem], parcels: [parcel] },
  address: { address: '12 Drummond Street', city: 'Carlton', state: 'VIC', post_code: '3053' },
  customer: { ...customer, phone, email: undefined },
})

test('a customer gets three links an hour, each at most once a minute, over all processes', async (t) => {
  const sms = await smsGateway(t)
  const api = await testApi(t, { smsUrl: sms.url })
  const { db } = api.fixture.deps
  const other = await usedBy(apiOf(api.fixture), api.fixture)
  t.after(() => other.app.close())
  const make = async (reference: string) =>
    (await api.call('POST /demo/links', { body: linkBody(reference) })).json.data.id as string
  const sentTo = (id: string, status: string) =>
    until(async () => {
      const [message] = (await api.call(`GET /demo/links/${id}`)).json.data.messages
      return message.status === status && message
    })
  const first = await make('L-1')
  await sentTo(first, 'sent')
  const concurrent = await Promise.all(
    Array.from({ length: 20 }, (_, i) => (i % 2 ? api : other).call(`POST /demo/links/${first}/send`)),
  )
  assert.deepEqual(new Set(concurrent.map(({ status }) => status)), new Set([429]))
  assert.match(
    concurrent[0]?.json.detail,
    /^This link was sent less than a minute ago\. Try again in \d+ s\.$/,
  )

  await ageLoginAttempts(db)
  assert.equal((await other.call(`POST /demo/links/${first}/send`)).status, 202)
  await until(() => sms.received.length === 2)
  await make('L-2')
  await until(() => sms.received.length === 3)
  const fourth = await make('L-3')
  const held = await sentTo(fourth, 'suppressed')
  assert.equal(held.reason, 'Not sent: this number got 3 links in the last hour.')
  await ageLoginAttempts(db)
  const refused = await other.call(`POST /demo/links/${first}/send`)
  assert.deepEqual([refused.status, Number(refused.headers['retry-after']) > 3_000], [429, true])
  assert.equal(sms.received.length, 3)
  await db.query(`update login_attempts set ends_at = now() - interval '1 second'`)
  assert.equal((await api.call(`POST /demo/links/${fourth}/send`)).status, 202, 'an hour later')
})

test('a sandbox without a gateway has no limit of three links an hour; the worker counts what it sends', async (t) => {
  const sms = await smsGateway(t)
  const api = await testApi(t, { work: false, smsUrl: sms.url })
  const { deps } = api.fixture
  const withoutGateway = await usedBy(
    apiOf({ ...api.fixture, deps: { ...deps, notifier: { sms: null, email: null } } }),
    api.fixture,
  )
  t.after(() => withoutGateway.app.close())
  for (let n = 0; n < 7; n++) {
    const { json } = await withoutGateway.call('POST /demo/links', { body: linkBody(`K-${n}`) })
    const { data } = (await api.call(`GET /demo/links/${json.data.id}`)).json
    assert.equal(data.messages[0].status, 'queued', String(n))
  }
  await sendMessages(deps, await claimMessages(deps, 'sms', 10))
  assert.equal(sms.received.length, 6)
  const { rows } = await deps.db.query(`select response_excerpt from messages where status = 'suppressed'`)
  assert.deepEqual(rows, [{ response_excerpt: 'Not sent: this number got 6 links in the last hour.' }])
})

test('at the daily limit SMS messages wait, job offers continue to twice the limit, and a metric shows it', async (t) => {
  const sms = await smsGateway(t)
  const api = await testApi(t, { smsUrl: sms.url, work: false })
  const { deps } = api.fixture
  await withSms(api, { per_day: 2 })
  for (let n = 0; n < 3; n++)
    await api.call('POST /demo/links', { body: linkBody(`D-${n}`, `049157015${6 + n}`) })
  const work = async () => {
    // Two processes share the daily limit.
    const halves = await Promise.all([claimMessages(deps, 'sms', 2), claimMessages(deps, 'sms', 10)])
    await Promise.all(halves.map((rows) => sendMessages(deps, rows)))
  }
  await work()
  assert.equal(sms.received.length, 2)
  // A job offer counts towards the limit too: sent first, it would have taken a link’s place.
  const offer = { use_staff_couriers: true, staff_courier: { phone: SAM, driver_name: 'Sam' } }
  const own = deliveryBody({ store_reference: 'fitzroy', ...offer })
  assert.equal((await api.call('POST /demo/deliveries', { body: own })).status, 201)
  await work()
  assert.equal(sms.received.length, 3)
  const { rows } = await deps.db.query(
    `select template, response_excerpt from messages where status = 'queued'`,
  )
  assert.deepEqual(rows, [
    {
      template: 'link',
      response_excerpt: 'Waiting: this business has sent its limit of 2 SMS messages for today.',
    },
  ])
  const figure = (await readStateFigures(deps.db)).find(({ figure }) => figure === 'sms_accounts')
  assert.deepEqual(figure, { figure: 'sms_accounts', mode: 'sandbox', name: 'at_limit', value: 1 })

  await withSms(api, { per_day: 10 })
  await deps.db.query(`update messages set due_at = created_at where status = 'queued'`)
  await work()
  assert.equal(sms.received.length, 4, 'a higher limit applies at once')
})

test('SMS go only to mobiles of the account’s countries; landlines and numbers of other countries are accepted and get none', async (t) => {
  const sms = await smsGateway(t)
  const api = await testApi(t, { smsUrl: sms.url, work: false })
  const { deps } = api.fixture
  const create = (phone: string, over: object = {}) =>
    api.call('POST /demo/deliveries', { body: deliveryBody({ customer: { ...customer, phone }, ...over }) })
  for (const phone of ['1900 654 321', '+881631234567', '0147 101 234']) {
    const { status, json } = await create(phone)
    assert.equal(status, 422, phone)
    assert.deepEqual(
      json.errors.map(({ field, issue }: { field: string; issue: string }) => [field, issue]),
      [['customer.phone', 'invalid_value']],
    )
    const link = await api.call('POST /demo/links', { body: linkBody('X', phone) })
    assert.equal(link.json.errors?.[0].field, 'customer.phone', phone)
  }
  assert.equal((await create('1900 654 321', { suppress_notifications: true })).status, 201)
  const both = await create('1900 654 321', { delivery_type: 'nonsense' })
  assert.deepEqual(both.json.errors.map(({ field }: { field: string }) => field).sort(), [
    'customer.phone',
    'delivery_type',
  ])
  const landline = await create('(03) 5550 1234', { book_delivery_now: true })
  assert.equal(landline.json.data.status, 'booked')
  const abroad = { customer: { ...customer, phone: '021 123 4567', country: 'NZ' }, book_delivery_now: true }
  const visitor = await api.call('POST /demo/deliveries', { body: deliveryBody(abroad) })
  assert.deepEqual(
    [visitor.status, visitor.json.data.status, visitor.json.data.customer.phone],
    [201, 'booked', '+64211234567'],
  )
  const linked = await api.call('POST /demo/links', { body: linkBody('L-1', '+14155552671') })
  assert.equal(linked.status, 201, linked.text)
  await sendMessages(deps, await claimMessages(deps, 'sms', 10))
  assert.equal(sms.received.length, 0)
  const { json } = await api.call(`GET /demo/messages?kind=sms&delivery_id=${landline.json.data.id}`)
  assert.deepEqual(
    [json.data[0].status, json.data[0].reason],
    ['suppressed', 'Not sent: this number can’t receive SMS. It is a landline, or a 1300 or 1800 number.'],
  )
  const ofVisitor = await api.call(`GET /demo/messages?kind=sms&delivery_id=${visitor.json.data.id}`)
  const ofLink = await api.call(`GET /demo/links/${linked.json.data.id}`)
  for (const { status, reason } of [ofVisitor.json.data[0], ofLink.json.data.messages[0]]) {
    assert.equal(status, 'suppressed')
    assert.equal(reason, 'Not sent: this business sends SMS only to numbers in AU.')
  }

  const staff_courier = { phone: '03 5550 1234', driver_name: 'Sam' }
  const own = await create(customer.phone, {
    store_reference: 'fitzroy',
    use_staff_couriers: true,
    staff_courier,
  })
  assert.equal(own.json.errors[0].field, 'staff_courier.phone')
  const listed = { store_reference: 'fitzroy', phone: '1300 975 707', driver_name: 'Sam' }
  assert.equal((await api.call('POST /demo/staff-couriers', { body: listed })).json.errors[0].field, 'phone')
  const [{ id }] = (await api.call('GET /demo/staff-couriers')).json.data
  const moved = await api.call(`PATCH /demo/staff-couriers/${id}`, { body: { phone: '03 5550 1234' } })
  assert.equal(moved.json.errors[0].field, 'phone')
  const line = `PATCH /demo/deliveries/${landline.json.data.id}/assign`
  assert.equal(
    (await api.call(line, { body: { staff_courier } })).json.errors[0].field,
    'staff_courier.phone',
  )

  await withSms(api, { countries: ['AU', 'NZ'] })
  assert.equal((await create('+64211234567')).status, 201)
})

test('an older delivery keeps its number when another field is amended', async (t) => {
  const api = await testApi(t, { work: false })
  const body = deliveryBody({
    customer: { ...customer, phone: '1900 654 321' },
    suppress_notifications: true,
  })
  const { id } = (await api.call('POST /demo/deliveries', { body })).json.data
  // As if an earlier version had accepted the number.
  await api.fixture.deps.db.query(
    `update deliveries set content = jsonb_set(content::jsonb, '{suppressNotifications}', 'false')::json
     where delivery_id = $1`,
    [id],
  )
  const ready = { ready_for_pickup_at: '2026-11-24T15:00:00+11:00' }
  assert.equal((await api.call(`PATCH /demo/deliveries/${id}/amend`, { body: ready })).status, 200)
  const again = { ...ready, customer: body.customer }
  const refused = await api.call(`PATCH /demo/deliveries/${id}/amend`, { body: again })
  assert.equal(refused.json.errors[0].field, 'customer.phone')
})

test('an account document names a courier’s landline', async (t) => {
  const api = await testApi(t, { work: false })
  const { json: document } = await api.operator('GET /admin/accounts/demo')
  document.stores[0].staff_couriers = [{ phone: '03 5550 1234', driver_name: 'Sam' }]
  const { status, text } = await api.operator('PUT /admin/accounts/demo', { body: document })
  assert.equal(status, 422)
  assert.match(text, /is not a mobile number/)
})

test('with a gateway, a sandbox courier’s phone does not get sixty SMS messages an hour', async (t) => {
  const sms = await smsGateway(t)
  const api = await testApi(t, { smsUrl: sms.url })
  const login = (by = api) => by.call('POST /driver/login', { body: { phone: SAM }, token: null })
  const statuses: number[] = []
  for (let n = 0; n < 6; n++) {
    statuses.push((await login()).status)
    await ageLoginAttempts(api.fixture.deps.db)
  }
  assert.deepEqual(statuses, [202, 202, 202, 429, 429, 429])
  await until(() => sms.received.length === 3)
  // A process that does not know of the gateway accepts more; the worker counts the messages that it sends.
  const withoutGateway = await usedBy(
    apiOf({ ...api.fixture, deps: { ...api.fixture.deps, notifier: { sms: null, email: null } } }),
    api.fixture,
  )
  t.after(() => withoutGateway.app.close())
  for (let n = 0; n < 4; n++) assert.equal((await login(withoutGateway)).status, 202)
  await until(async () => {
    const { rows } = await api.fixture.deps.db.query(
      `select response_excerpt from messages where status = 'suppressed'`,
    )
    return rows[0]?.response_excerpt === 'Not sent: this number got 6 codes in the last hour.'
  })
  // The sixth may be on its way while the seventh is refused.
  await until(() => sms.received.length >= 6)
  assert.equal(sms.received.length, 6)
})

async function withSms({ operator }: Api, sms: object): Promise<void> {
  const { json: document } = await operator('GET /admin/accounts/demo')
  const { status, text } = await operator('PUT /admin/accounts/demo', { body: { ...document, sms } })
  assert.equal(status, 200, text)
}
