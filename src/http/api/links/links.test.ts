import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { ageLoginAttempts } from '../../../../test/age-login-attempts.ts'
import {
  type Api,
  address,
  apiOf,
  customer,
  deliveryBody,
  lineItem,
  parcel,
  testApi,
  usedBy,
} from '../../../../test/api.ts'
import { TUESDAY_TEN_MS } from '../../../../test/fixture.ts'
import { mailServer } from '../../../../test/mail-server.ts'
import { smsGateway } from '../../../../test/sms-gateway.ts'
import { untilIdle } from '../../../../test/until-idle.ts'
import { until } from '../../../../test/wait-until.ts'

const HOUR_MS = 3_600_000
const { country: _, ...linkAddress } = address

let created = 0
function linkBody(over: object = {}): Record<string, unknown> {
  return {
    store_reference: 'melbourne-cbd',
    reference: `CC-${++created}`,
    customer,
    address: linkAddress,
    line_items: [lineItem],
    parcels: [parcel],
    ...over,
  }
}

test('a link is created with its id and URL, and its secret is not stored', async (t) => {
  const api = await testApi(t)
  const body = linkBody()
  const headers = { 'idempotency-key': 'link-1' }
  const { status, json, text } = await api.call('POST /demo/links', { body, headers })
  assert.equal(status, 201)
  assert.deepEqual(Object.keys(json.data), ['id', 'link'])
  assert.match(json.data.id, /^lnk_[0-9a-z]{26}$/)
  assert.match(json.data.link, /^http:\/\/drover\.test\/l\/[A-Za-z0-9_-]{32}$/)
  assert.ok(!json.data.link.includes(body.reference as string))

  const again = await api.call('POST /demo/links', { body, headers })
  assert.equal(again.text, text)
  assert.equal(again.headers['idempotent-replayed'], 'true')

  await until(async () =>
    (await messagesOf(api, json.data.id)).every(({ status }) => status === 'no_channel'),
  )
  const token = tokenOf(json.data.link)
  const { rows } = await api.fixture.deps.db.query<{ text: string; count: number }>(
    `select 'link' as text, token_hash as hash from links union all select body, null from idempotency_keys
     union all select body, null from messages union all select data::text, null from events`,
  )
  assert.deepEqual((rows[0] as unknown as { hash: Buffer }).hash, createHash('sha256').update(token).digest())
  for (const row of rows) assert.ok(!row.text?.includes(token))
  const events = (await api.call('GET /demo/links')).json.data
  assert.deepEqual(
    events.map(({ id, status }: { id: string; status: string }) => [id, status]),
    [[json.data.id, 'open']],
  )
})

test('tokens are long, unique and spread over the alphabet', async (t) => {
  const api = await testApi(t, { work: false })
  const tokens: string[] = []
  // Twenty at a time, because two hundred could time out waiting for a connection on a busy machine.
  while (tokens.length < 200) {
    const some = Array.from({ length: 20 }, async () => tokenOf((await create(api)).link))
    tokens.push(...(await Promise.all(some)))
  }
  assert.equal(new Set(tokens).size, 200)
  // The first four bytes name the account; 160 bits after them are the secret.
  const bits = tokens.map((token) => Buffer.from(token, 'base64url').subarray(4))
  for (const secret of bits) assert.equal(secret.length * 8, 160)
  const ones = Array.from(
    { length: 160 },
    (_, bit) => bits.filter((secret) => ((secret[bit >> 3] ?? 0) >> (bit & 7)) & 1).length,
  )
  for (const count of ones) assert.ok(count > 50 && count < 150, `${count} of 200`)
})

test('the customer gets the link by SMS and by email, without the order number', async (t) => {
  const mail = await mailServer(t)
  const sms = await smsGateway(t)
  const api = await testApi(t, { smtpUrl: mail.url, smsUrl: sms.url })
  const { id, link, reference } = await create(api)
  await until(async () => (await messagesOf(api, id)).every(({ status }) => status === 'sent'))
  assert.equal(sms.received.length, 1)
  assert.equal(mail.mails.length, 1)
  for (const text of [sms.received[0]?.text ?? '', mail.mails[0]?.body ?? '']) {
    assert.ok(text.includes(link), text)
    assert.ok(!text.includes(reference))
  }
  for (const { text } of await messagesOf(api, id)) assert.match(text, /\{link\}/)

  const phoneOnly = await create(api, { customer: { ...customer, email: undefined } })
  await until(async () => (await messagesOf(api, phoneOnly.id)).every(({ status }) => status === 'sent'))
  assert.deepEqual(
    (await messagesOf(api, phoneOnly.id)).map(({ kind }) => kind),
    ['sms'],
  )
  assert.equal(mail.mails.length, 1)
})

test('an account without click-and-deliver creates and shows no links', async (t) => {
  const api = await testApi(t, { work: false })
  const token = await api.tokenOf('acme-client', 'acme-secret', undefined, 'acme-byoc')
  const body = linkBody({ store_reference: 'acme-geelong' })
  const { status, json } = await api.call('POST /acme-byoc/links', { body, token })
  assert.equal(status, 403)
  assert.equal(json.code, 'capability_disabled')
  for (const line of ['GET /acme-byoc/links', 'GET /acme-byoc/links/lnk_none']) {
    const shown = await api.call(line, { token })
    assert.deepEqual([shown.status, shown.json.code], [403, 'capability_disabled'], line)
  }
})

test('an older link can be revoked after links were disabled', async (t) => {
  const api = await testApi(t, { work: false })
  const { id } = await create(api)
  const { json: document } = await api.operator('GET /admin/accounts/demo')
  const body = { ...document, capabilities: { ...document.capabilities, click_and_deliver: false } }
  assert.equal((await api.operator('PUT /admin/accounts/demo', { body })).status, 200)
  assert.equal((await api.call(`GET /demo/links/${id}`)).status, 403)
  assert.equal((await api.call(`DELETE /demo/links/${id}`)).status, 204)
  const { rows } = await api.fixture.deps.db.query('select revoked_at is not null as ended from links')
  assert.deepEqual(rows, [{ ended: true }])
})

test('only clients with the scope create links, and see those of their own stores', async (t) => {
  const api = await testApi(t, { work: false })
  const { id } = await create(api)
  const reader = await api.tokenOf('demo-client', 'demo-secret', 'deliveries:read')
  assert.equal((await api.call('POST /demo/links', { body: linkBody(), token: reader })).status, 403)
  assert.equal((await api.call('GET /demo/links', { token: reader })).status, 403)
  const { json } = await api.operator('POST /admin/accounts/demo/clients', {
    body: { name: 'Fitzroy', scopes: ['links'], store_references: ['fitzroy'] },
  })
  const fitzroy = await api.tokenOf(json.data.client_id, json.data.client_secret)
  assert.deepEqual((await api.call('GET /demo/links', { token: fitzroy })).json.data, [])
  const lines = [`GET /demo/links/${id}`, `DELETE /demo/links/${id}`]
  for (const line of [...lines, `POST /demo/links/${id}/send`, `POST /demo/links/${id}/address`]) {
    assert.equal((await api.call(line, { token: fitzroy })).status, 404, line)
  }
  assert.equal((await api.call('POST /demo/links', { body: linkBody(), token: fitzroy })).status, 404)
  assert.equal((await api.call('GET /demo/links/lnk_nobody')).status, 404)
})

test('every mistake of a request is reported in one response', async (t) => {
  const api = await testApi(t, { work: false })
  const cases: [object, string[]][] = [
    [{ store_reference: 'nowhere' }, ['store_reference']],
    [{ reference: undefined, customer: { ...customer, phone: '12' } }, ['customer.phone', 'reference']],
    [{ reference: 'dlv_mine' }, ['reference']],
    [{ line_items: [] }, ['line_items']],
    [{ parcels: undefined }, ['parcels']],
    [{ address: { ...linkAddress, country: 'NZ' } }, ['address.country']],
    [{ address: { ...linkAddress, business: true } }, ['address.company_name']],
    [{ address: { city: 'Carlton', state: 'VIC', post_code: '3053' } }, ['address.address']],
    [{ address: { ...linkAddress, post_code: '9998' } }, ['address.post_code']],
    [{ expires_at: 'soon' }, ['expires_at']],
    [{ expires_at: '2026-11-24T09:59:59+11:00' }, ['expires_at']],
    [{ customer: { first_name: 'Ada' } }, ['customer.last_name', 'customer.phone']],
    [{ delivery_type: 'fast' }, ['delivery_type']],
    [{ parcels: [{ ...parcel, weight_kg: '2' }] }, ['parcels[0].weight_kg']],
  ]
  for (const [over, fields] of cases) {
    const { status, json, text } = await api.call('POST /demo/links', { body: linkBody(over) })
    assert.equal(status, 422, text)
    assert.deepEqual(json.errors.map(({ field }: { field: string }) => field).sort(), fields, text)
  }
  const listed = { ...parcel, description: 'A box', type: 'satchel' }
  const accepted = linkBody({ parcels: [listed], address: { ...linkAddress, country: 'AU' } })
  assert.equal((await api.call('POST /demo/links', { body: accepted })).status, 201)
})

test('the order number opens a link in any case; then it shows the order and the options', async (t) => {
  const api = await testApi(t, { work: false })
  const { token, reference } = await create(api)
  const early = await api.call(`GET /l/${token}/options`, { token: null })
  assert.equal(early.status, 403)
  assert.equal(early.json.code, 'link_not_verified')
  assert.ok(!early.text.includes('Carlton'))

  const { status, json, headers } = await verify(api, token, ` ${reference.toLowerCase()} `)
  assert.equal(status, 200)
  assert.equal(json.data.status, 'open')
  assert.equal(json.data.order.reference, reference)
  assert.equal(json.data.order.brand, 'Wattle & Co')
  assert.equal(json.data.order.address.city, 'Carlton')
  assert.deepEqual(json.data.order.line_items, [{ name: lineItem.name, quantity: 1 }])
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['referrer-policy'], 'no-referrer')
  assert.match(String(headers['x-robots-tag']), /noindex/)

  const options = await optionsOf(api, token, json.data.session)
  assert.equal(options.status, 200)
  assert.ok(options.json.data.fast.price_cents > 0)
  assert.ok(options.json.data.standard.from_datetime.endsWith('+11:00'))
  for (const option of Object.values(options.json.data)) assert.ok(!('provider' in (option as object)))
})

test('before verification a link shows its merchant, and after its end whom to call', async (t) => {
  const api = await testApi(t, { work: false })
  const { token, reference, id } = await create(api)
  const open = await api.call(`GET /l/${token}`, { token: null })
  assert.equal(open.status, 200)
  assert.deepEqual(open.json.data.brand, {
    name: 'Wattle & Co',
    header_color: '#17513f',
    header_text_color: '#ffffff',
  })
  assert.match(open.json.data.help.tel, /^\+61/)
  assert.equal(open.json.data.attempts_left, 5)
  await verify(api, token, 'WRONG')
  assert.equal((await api.call(`GET /l/${token}`, { token: null })).json.data.attempts_left, 4)
  await api.call(`DELETE /demo/links/${id}`)
  const over = await api.call(`GET /l/${token}`, { token: null })
  assert.equal(over.status, 410)
  assert.equal(over.json.code, 'link_revoked')
  assert.equal(over.json.brand.name, 'Wattle & Co')
  for (const { text } of [open, over]) {
    for (const secret of [reference, customer.first_name, 'Carlton', 'Kettle'])
      assert.ok(!text.includes(secret))
  }
})

test('options are those of the moment of the request', async (t) => {
  const api = await testApi(t, { work: false })
  const { token, session } = await opened(api)
  const morning = (await optionsOf(api, token, session)).json.data
  assert.match(morning.flexible.from_datetime, /^2026-11-24/)
  await api.fixture.setClock(TUESDAY_TEN_MS + 8 * HOUR_MS)
  const evening = (await optionsOf(api, token, session)).json.data
  assert.notDeepEqual(evening.flexible, morning.flexible)
})

test('five wrong numbers lock a link for good, also in parallel', async (t) => {
  const api = await testApi(t, { work: false })
  const { token, reference, id, session } = await opened(api)
  const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => verify(api, token, `WRONG-${i}`)))
  const codes = answers.map(({ json }) => json.code).sort()
  assert.deepEqual(codes, [...Array(8).fill('link_locked'), ...Array(4).fill('reference_mismatch')])
  assert.deepEqual(answers.flatMap(({ json }) => json.attempts_left ?? []).sort(), [1, 2, 3, 4])
  const right = await verify(api, token, reference)
  assert.equal(right.json.code, 'link_locked')
  assert.ok(!right.text.includes('Carlton'))
  assert.equal((await book(api, token, session)).json.code, 'link_locked')
  assert.equal((await api.call(`GET /demo/links/${id}`)).json.data.status, 'locked')
})

test('right numbers use no tries, and restore none', async (t) => {
  const api = await testApi(t, { work: false })
  const { id, token, reference } = await create(api)
  const openedAt = async () => (await api.call(`GET /demo/links/${id}`)).json.data.opened_at
  assert.equal((await api.call(`GET /l/${token}`, { token: null })).status, 200)
  assert.equal(await openedAt(), undefined, 'reading the link does not count as opening it')
  assert.equal((await verify(api, token, 'WRONG')).json.code, 'reference_mismatch')
  const first = await openedAt()
  assert.ok(Math.abs(Date.parse(first) - TUESDAY_TEN_MS) < HOUR_MS, first)
  for (let i = 0; i < 3; i++)
    assert.equal((await verify(api, token, 'WRONG')).json.code, 'reference_mismatch')
  const rights = await Promise.all(Array.from({ length: 10 }, () => verify(api, token, reference)))
  for (const { status } of rights) assert.equal(status, 200)
  assert.equal(await openedAt(), first)
  assert.equal((await verify(api, token, 'WRONG')).json.code, 'link_locked')
})

test('a session works for one link, for half an hour, and only if we issued it', async (t) => {
  const api = await testApi(t, { work: false })
  const one = await opened(api)
  const other = await opened(api)
  const flipped = `${one.session.slice(0, -1)}${one.session.endsWith('A') ? 'B' : 'A'}`
  const [exp, signature] = one.session.split('.') as [string, string]
  for (const session of [
    other.session,
    flipped,
    `${Number(exp) + 60}.${signature}`,
    `1.${signature}`,
    '',
    'x.y',
  ]) {
    assert.equal((await optionsOf(api, one.token, session)).json.code, 'link_not_verified', session)
    assert.equal((await book(api, one.token, session)).json.code, 'link_not_verified', session)
  }
})

test('a link books exactly one delivery, with the link’s reference and customer', async (t) => {
  const api = await testApi(t)
  const { token, session, reference, id } = await opened(api, {
    customer: { ...customer, email: undefined },
  })
  const booked = await book(api, token, session, {
    delivery_type: 'standard',
    special_instructions: 'Ring twice',
  })
  assert.equal(booked.status, 201, booked.text)
  assert.equal(booked.json.data.reference, reference)
  assert.equal(booked.json.data.delivery_type, 'standard')
  assert.deepEqual(Object.keys(booked.json.data).sort(), [
    'delivery_type',
    'from_datetime',
    'price_cents',
    'reference',
    'status',
    'to_datetime',
    'tracking_url',
  ])
  const { data } = (await api.call(`GET /demo/deliveries/${reference}`)).json
  assert.equal(data.customer.phone, '+61491570156')
  assert.equal(data.customer.email, undefined)
  assert.equal(data.special_instructions, 'Ring twice')
  assert.equal(data.address.country, 'AU')
  const link = (await api.call(`GET /demo/links/${id}`)).json.data
  assert.deepEqual([link.status, link.delivery_id], ['booked', data.id])
  const timeline = (await api.call(`GET /demo/deliveries/${data.id}/events`)).json.data
  assert.deepEqual(
    timeline.slice(0, 3).map(({ type }: { type: string }) => type),
    ['delivery.created', 'delivery.requested', 'link.booked'],
  )
  await until(
    async () => (await api.call(`GET /demo/deliveries/${data.id}`)).json.data.status !== 'requested',
  )

  await until(async () => (await linkEventsOf(api)).length === 2)
  assert.deepEqual(
    (await linkEventsOf(api)).map(({ type, data }) => [type, data.link_id, data.reference, data.delivery_id]),
    [
      ['link.created', id, reference, undefined],
      ['link.booked', id, reference, data.id],
    ],
  )
  const listMessages = (await api.call(`GET /demo/messages?delivery_id=${data.id}`)).json.data
  assert.deepEqual(
    listMessages.map(({ kind, template }: { kind: string; template: string }) => [kind, template]),
    [['sms', 'booked']],
  )

  const again = await book(api, token, session, { delivery_type: 'fast' })
  assert.equal(again.status, 200)
  assert.equal(again.json.data.delivery_type, 'standard')
  assert.equal((await optionsOf(api, token, session)).json.code, 'link_used')
  const reopened = await verify(api, token, reference)
  assert.equal(reopened.json.data.status, 'booked')
  assert.equal(reopened.json.data.booking.delivery_type, 'standard')
})

test('fifty parallel bookings on two processes create one delivery', async (t) => {
  const api = await testApi(t, { work: false })
  const second = await usedBy(apiOf(api.fixture), api.fixture)
  t.after(() => second.app.close())
  const { token, session, reference } = await opened(api)
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, i) => book(i % 2 ? api : second, token, session)),
  )
  const statuses = answers.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [...Array(49).fill(200), 201])
  assert.equal(new Set(answers.map(({ json }) => JSON.stringify(json.data))).size, 1)
  const { rows } = await api.fixture.deps.db.query(
    `select (select count(*)::int from deliveries where reference = $1) as deliveries,
      (select count(*)::int from events where type = 'link.booked') as events`,
    [reference],
  )
  assert.deepEqual(rows[0], { deliveries: 1, events: 1 })
})

test('an order that already has a delivery is not booked twice', async (t) => {
  const api = await testApi(t, { work: false })
  const { token, session, reference } = await opened(api)
  await api.call('POST /demo/deliveries', { body: deliveryBody({ reference }) })
  const refused = await book(api, token, session)
  assert.equal(refused.status, 409)
  assert.equal(refused.json.code, 'duplicate_reference')
  assert.equal(refused.json.delivery_id, undefined)
  const { rows } = await api.fixture.deps.db.query('select used_at from links')
  assert.deepEqual(rows, [{ used_at: null }])
  const another = await api.call('POST /demo/links', { body: linkBody({ reference }) })
  assert.equal(another.json.code, 'duplicate_reference')
})

test('a link that no service accepts is rejected with every rule, but not because the services are closed now', async (t) => {
  const api = await testApi(t, { work: false })
  const heavy = linkBody({ parcels: [{ ...parcel, weight_kg: 40_000 }] })
  const { status, json } = await api.call('POST /demo/links', { body: heavy })
  assert.deepEqual([status, json.code], [422, 'no_service_available'])
  assert.ok(json.exclusions.length >= 4)
  for (const { rule } of json.exclusions) assert.match(rule, /^(parcel|total|service_area)/)
  assert.equal((await api.fixture.deps.db.query('select 1 from links')).rowCount, 0)
  // No service runs at night; it runs again tomorrow.
  await api.fixture.setClock(TUESDAY_TEN_MS + 13 * HOUR_MS)
  assert.equal((await api.call('POST /demo/links', { body: linkBody() })).status, 201)
})

test('an order has one open link, also in parallel, and may get another when it ends', async (t) => {
  const api = await testApi(t, { work: false })
  const body = linkBody({ reference: 'TWICE', expires_at: '2026-11-24T12:00:00' })
  const answers = await Promise.all(Array.from({ length: 8 }, () => api.call('POST /demo/links', { body })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(7).fill(409)])
  const first = answers.find(({ status }) => status === 201)!.json.data.id
  for (const { status, json } of answers.filter(({ status }) => status === 409)) {
    assert.deepEqual([status, json.code, json.link_id], [409, 'duplicate_link', first])
  }
  const make = async (over: object = {}) => api.call('POST /demo/links', { body: { ...body, ...over } })
  assert.equal((await make({ store_reference: 'fitzroy' })).status, 201, 'another store has its own orders')
  assert.equal((await make()).json.code, 'duplicate_link')

  await api.call(`DELETE /demo/links/${first}`)
  const second = await make()
  assert.equal(second.status, 201, 'after it was revoked')
  await api.fixture.setClock(TUESDAY_TEN_MS + 2 * HOUR_MS)
  const third = await make({ expires_at: undefined })
  assert.equal(third.status, 201, 'after it expired')
  const token = tokenOf(third.json.data.link)
  for (let tries = 0; tries < 5; tries++) await verify(api, token, 'WRONG')
  const fourth = await make({ expires_at: undefined })
  assert.equal(fourth.status, 201, 'after it was locked')

  const headers = { 'idempotency-key': 'one-link' }
  const keyed = linkBody({ reference: 'KEYED' })
  const created = await api.call('POST /demo/links', { body: keyed, headers })
  assert.equal((await api.call('POST /demo/links', { body: keyed, headers })).text, created.text)

  const short = linkBody({ reference: 'SHORT', expires_at: '2026-11-24T13:00:00' })
  const key = { headers: { 'idempotency-key': 'short-link' } }
  const made = await api.call('POST /demo/links', { body: short, ...key })
  assert.equal(made.status, 201, made.text)
  await api.fixture.setClock(TUESDAY_TEN_MS + 4 * HOUR_MS)
  const again = await api.call('POST /demo/links', { body: short, ...key })
  assert.equal(again.text, made.text, 'after its expiry time, which a new request could not have')
})

test('a chosen time is booked as shown, or rejected with the current times', async (t) => {
  const api = await testApi(t, { work: false })
  const { token, session, reference, id } = await opened(api)
  const shown = (await optionsOf(api, token, session)).json.data
  for (const { quote_id, valid_until } of Object.values(shown) as {
    quote_id: string
    valid_until: string
  }[]) {
    assert.match(quote_id, /^quo_/)
    assert.ok(Date.parse(valid_until) > Date.now())
  }
  await api.fixture.setClock(TUESDAY_TEN_MS + 3.5 * HOUR_MS)
  const chosen = { delivery_type: 'flexible', quote_id: shown.flexible.quote_id }
  const { status, json, text } = await book(api, token, session, chosen)
  assert.deepEqual([status, json.code], [409, 'option_changed'], text)
  assert.doesNotMatch(text, /swiftly/i)
  assert.match(json.options.flexible.from_datetime, /^2026-11-25/)
  const link = (await api.call(`GET /demo/links/${id}`)).json.data
  assert.equal(link.status, 'open')

  const other = { delivery_type: 'express', quote_id: shown.flexible.quote_id }
  assert.equal((await book(api, token, session, other)).json.errors[0].field, 'delivery_type')
  const nonsense = { delivery_type: 'express', quote_id: 'nonsense' }
  assert.equal((await book(api, token, session, nonsense)).json.errors[0].field, 'quote_id')
  const another = await opened(api)
  const foreign = await book(api, another.token, another.session, chosen)
  assert.equal(foreign.json.errors[0].field, 'quote_id', 'it is valid for one link only')

  const { quote_id, price_cents } = json.options.flexible
  const booked = await book(api, token, session, { delivery_type: 'flexible', quote_id })
  assert.equal(booked.status, 201, booked.text)
  assert.equal(booked.json.data.price_cents, price_cents)
  const { data } = (await api.call(`GET /demo/deliveries/${reference}`)).json
  assert.match(data.from_datetime, /^2026-11-25/)
})

test('an option that is no longer free is rejected without naming a carrier, and the customer can choose again', async (t) => {
  const api = await testApi(t, { work: false })
  const { token, session } = await opened(api, { parcels: [{ ...parcel, weight_kg: 21 }] })
  const refused = await book(api, token, session, { delivery_type: 'fast' })
  assert.equal(refused.status, 422)
  assert.equal(refused.json.code, 'no_service_available')
  assert.equal(refused.json.exclusions, undefined)
  assert.doesNotMatch(refused.text, /swiftly/i)
  assert.equal((await book(api, token, session, { delivery_type: 'standard' })).status, 201)
})

test('a link expires by the account’s clock, to the minute, and then shows nothing of the order', async (t) => {
  const api = await testApi(t, { work: false })
  const { token, session, reference, id } = await opened(api, { expires_at: '2026-11-24T12:00:00' })
  assert.equal((await api.call(`GET /demo/links/${id}`)).json.data.expires_at, '2026-11-24T01:00:00.000Z')
  await api.fixture.setClock(TUESDAY_TEN_MS + 2 * HOUR_MS - 30_000)
  assert.equal((await verify(api, token, reference)).status, 200)
  await api.fixture.setClock(TUESDAY_TEN_MS + 2 * HOUR_MS)
  const answers = await Promise.all([
    verify(api, token, reference),
    optionsOf(api, token, session),
    book(api, token, session),
  ])
  for (const { status, json, text, headers } of answers) {
    assert.equal(status, 410)
    assert.equal(json.code, 'link_expired')
    assert.doesNotMatch(text, /Ada|Carlton|CC-/)
    assert.match(String(headers['x-robots-tag']), /noindex/)
  }
  assert.equal((await api.call(`GET /demo/links/${id}`)).json.data.status, 'expired')
  assert.equal((await api.fixture.deps.db.query('select 1 from deliveries')).rowCount, 0)
})

test('a booked link stays booked after its expiry, and still shows the booking', async (t) => {
  const api = await testApi(t, { work: false })
  const { token, session, reference, id } = await opened(api, { expires_at: '2026-11-24T12:00:00' })
  const first = await book(api, token, session)
  assert.equal(first.status, 201, first.text)
  await api.fixture.setClock(TUESDAY_TEN_MS + 3 * HOUR_MS)
  const seen = await verify(api, token, reference)
  assert.deepEqual([seen.status, seen.json.data.status], [200, 'booked'], seen.text)
  assert.deepEqual(seen.json.data.booking, first.json.data)
  const again = await book(api, token, session)
  assert.deepEqual([again.status, again.json.data], [200, first.json.data])
  assert.equal((await optionsOf(api, token, session)).json.code, 'link_used')
  assert.equal((await api.call(`GET /demo/links/${id}`)).json.data.status, 'booked')
})

test('the database’s clock decides whether a link has expired', async (t) => {
  const api = await testApi(t, { work: false })
  const { token, session, reference } = await opened(api, { expires_at: '2026-11-24T12:00:00' })
  await api.fixture.setClock(TUESDAY_TEN_MS + 2 * HOUR_MS - 300_000)
  const wallMs = Date.now
  let offMs = 600_000
  t.mock.method(Date, 'now', () => wallMs() + offMs)
  assert.equal((await verify(api, token, reference)).status, 200)

  offMs = 0
  await api.fixture.setClock(TUESDAY_TEN_MS + 2 * HOUR_MS)
  offMs = -600_000
  for (const answer of [await verify(api, token, reference), await book(api, token, session)]) {
    assert.equal(answer.json.code, 'link_expired')
  }
  assert.equal((await api.fixture.deps.db.query('select 1 from deliveries')).rowCount, 0)
})

test('a revoked link ends at once, and its queued messages are not sent', async (t) => {
  const sms = await smsGateway(t)
  const api = await testApi(t, { work: false, smsUrl: sms.url })
  const { token, session, reference, id } = await opened(api)
  assert.equal((await api.call(`DELETE /demo/links/${id}`)).status, 204)
  assert.equal((await api.call(`DELETE /demo/links/${id}`)).status, 204)
  for (const answer of [await verify(api, token, reference), await book(api, token, session)]) {
    assert.equal(answer.status, 410)
    assert.equal(answer.json.code, 'link_revoked')
  }
  api.fixture.parts.runner.start()
  await untilIdle(api.fixture.parts.runner)
  assert.equal(sms.asked.length, 0)
  for (const { status } of await messagesOf(api, id)) assert.equal(status, 'expired')
})

test('booking and revoking at the same moment: exactly one succeeds', async (t) => {
  const api = await testApi(t, { work: false })
  for (let i = 0; i < 10; i++) {
    const { token, session, reference, id } = await opened(api)
    const [booked] = await Promise.all([book(api, token, session), api.call(`DELETE /demo/links/${id}`)])
    const found = await api.call(`GET /demo/deliveries/${reference}`)
    const { delivery_id: deliveryId, status } = (await api.call(`GET /demo/links/${id}`)).json.data
    assert.equal(status, 'revoked')
    assert.equal(found.status === 200, booked.status === 201, `${booked.status} ${found.status}`)
    assert.equal(deliveryId, found.status === 200 ? found.json.data.id : undefined)
  }
})

test('a link is sent again with the same URL, and not while a message is queued', async (t) => {
  const sms = await smsGateway(t)
  const api = await testApi(t, { smsUrl: sms.url })
  const { id, link, token, reference } = await create(api, { customer: { ...customer, email: undefined } })
  const listMessages = async () => (await api.call(`GET /demo/links/${id}`)).json.data.messages
  await until(async () => (await listMessages())[0].status === 'sent')
  const later = () => ageLoginAttempts(api.fixture.deps.db)
  await later()
  const headers = { 'idempotency-key': 'again' }
  const again = await api.call(`POST /demo/links/${id}/send`, { headers })
  assert.equal(again.status, 202)
  assert.deepEqual(again.json.data.messages, [{ kind: 'sms', status: 'queued' }])
  assert.equal((await api.call(`POST /demo/links/${id}/send`, { headers })).text, again.text)
  await until(async () => (await listMessages())[0].status === 'sent')
  assert.equal(sms.received.length, 2)
  assert.equal(sms.received[0]?.text, sms.received[1]?.text)
  assert.ok(sms.received[1]?.text.includes(link))
  assert.equal((await verify(api, token, reference)).status, 200)

  sms.fate = 500
  await later()
  for (let i = 0; i < 3; i++) assert.equal((await api.call(`POST /demo/links/${id}/send`)).status, 202)
  assert.equal((await messagesOf(api, id)).length, 3)
  assert.deepEqual(await audited(api, 'sendLink'), [id, id])
})

test('only an open link is sent again, and only by a client that may create links', async (t) => {
  const api = await testApi(t, { work: false })
  const soon = new Date(TUESDAY_TEN_MS + HOUR_MS).toISOString()
  const cases: [code: string, over: object, close: (link: Opened) => Promise<unknown>][] = [
    ['link_revoked', {}, ({ id }) => api.call(`DELETE /demo/links/${id}`)],
    ['link_used', {}, ({ token, session }) => book(api, token, session)],
    [
      'link_locked',
      {},
      async ({ token }) => {
        for (let i = 0; i < 5; i++) await verify(api, token, 'WRONG')
      },
    ],
    [
      'link_url_unrecoverable',
      {},
      ({ id }) =>
        api.fixture.deps.db.query(`update links set token_hash = sha256('another key') where link_id = $1`, [
          id,
        ]),
    ],
    ['link_expired', { expires_at: soon }, () => api.fixture.setClock(TUESDAY_TEN_MS + HOUR_MS)],
  ]
  const tokens: string[] = []
  for (const [code, over, close] of cases) {
    const created = await opened(api, over)
    tokens.push(created.token)
    const acts = [`POST /demo/links/${created.id}/send`, `POST /demo/links/${created.id}/address`]
    const headers = { 'idempotency-key': created.id }
    const { json } = await api.call(acts[1] as string, { headers })
    assert.deepEqual(json.data, { id: created.id, link: created.link })
    await close(created)
    for (const line of acts) assert.equal((await api.call(line)).json.code, code, line)
    assert.equal((await api.call(acts[1] as string, { headers })).json.data.link, created.link)
  }
  assert.equal((await audited(api, 'readLinkAddress')).length, cases.length)
  assert.deepEqual(await audited(api, 'sendLink'), [])
  const { rows } = await api.fixture.deps.db.query('select body from idempotency_keys')
  assert.ok(rows.length >= cases.length)
  assert.deepEqual(
    tokens.filter((token) => JSON.stringify(rows).includes(token)),
    [],
  )

  const duplicate = await create(api)
  const delivery = deliveryBody({ reference: duplicate.reference, store_reference: 'melbourne-cbd' })
  assert.equal((await api.call('POST /demo/deliveries', { body: delivery })).status, 201)
  assert.equal((await api.call(`POST /demo/links/${duplicate.id}/send`)).json.code, 'duplicate_reference')
})

test('a link that is revoked during a resend is not sent', async (t) => {
  const api = await testApi(t, { work: false })
  for (let i = 0; i < 10; i++) {
    const { id } = await create(api)
    await api.fixture.deps.db.query(`update messages set status = 'sent', due_at = null where link_id = $1`, [
      id,
    ])
    await Promise.all([api.call(`POST /demo/links/${id}/send`), api.call(`DELETE /demo/links/${id}`)])
    for (const { status } of await messagesOf(api, id)) assert.notEqual(status, 'queued')
  }
})

test('unknown URLs get equal responses, and too many from one address are rejected', async (t) => {
  const api = await testApi(t, { work: false })
  const { token, reference } = await create(api)
  // Time stands still, so that the token bucket does not refill.
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const unknownToken = `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`
  for (const wrong of [unknownToken, 'short', 'x'.repeat(32), '%F0%9F%99%82']) {
    const { status, json } = await verify(api, wrong, reference)
    assert.equal(status, 404, wrong)
    assert.equal(json.code, 'not_found')
  }
  let limited = 0
  for (let i = 0; i < 120; i++) limited += Number((await verify(api, unknownToken, reference)).status === 429)
  assert.ok(limited >= 10)
  const wasShed = await verify(api, token, reference)
  assert.equal(wasShed.status, 429)
  assert.ok(Number(wasShed.headers['retry-after']) > 0)
  assert.equal(wasShed.headers['ratelimit-policy'], '"default";q=100;w=100')
})

test('links are paged and found by their order', async (t) => {
  const api = await testApi(t, { work: false })
  const links = []
  for (let i = 0; i < 5; i++) links.push(await create(api))
  const seen: string[] = []
  let after = ''
  do {
    const { json } = await api.call(`GET /demo/links?limit=2${after && `&after=${after}`}`)
    seen.push(...json.data.map(({ id }: { id: string }) => id))
    after = json.pagination.next
  } while (after)
  assert.deepEqual(seen, links.map(({ id }) => id).reverse())
  const { json } = await api.call(`GET /demo/links?reference=${links[1]?.reference}`)
  assert.deepEqual(
    json.data.map(({ id }: { id: string }) => id),
    [links[1]?.id],
  )
  assert.ok(!JSON.stringify(json).includes('/l/'))
  assert.equal((await api.call('GET /demo/links?after=abc')).status, 422)
})

type Body = { reference: string }
type Opened = Awaited<ReturnType<typeof opened>>
type LinkEvent = { type: string; data: { link_id: string; reference: string; delivery_id?: string } }
type Message = { kind: string; status: string; text: string }

async function create(api: Api, over: object = {}) {
  const body = linkBody(over)
  const { status, json, text } = await api.call('POST /demo/links', { body })
  assert.equal(status, 201, text)
  const { id, link } = json.data as { id: string; link: string }
  return { id, link, token: tokenOf(link), reference: (body as Body).reference }
}

async function opened(api: Api, over: object = {}) {
  const link = await create(api, over)
  const { json } = await verify(api, link.token, link.reference)
  return { ...link, session: json.data.session as string }
}

function verify(api: Api, token: string, reference: string) {
  return api.call(`POST /l/${token}/verify`, { body: { reference }, token: null })
}

function optionsOf(api: Api, token: string, session: string) {
  return api.call(`GET /l/${token}/options`, { token: null, headers: { 'link-session': session } })
}

function book(api: Api, token: string, session: string, body: object = { delivery_type: 'standard' }) {
  return api.call(`POST /l/${token}/book`, { body, token: null, headers: { 'link-session': session } })
}

async function linkEventsOf(api: Api): Promise<LinkEvent[]> {
  const { data } = (await api.call('GET /demo/events')).json
  return data.filter(({ type }: LinkEvent) => type.startsWith('link.'))
}

async function messagesOf(api: Api, id: string): Promise<Message[]> {
  return (await api.call(`GET /demo/messages?link_id=${id}`)).json.data
}

async function audited({ fixture }: Api, action: string): Promise<string[]> {
  const { rows } = await fixture.deps.db.query<{ object: string }>(
    'select object from audit_log where action = $1',
    [action],
  )
  return rows.map(({ object }) => object)
}

function tokenOf(link: string): string {
  return link.slice(link.lastIndexOf('/') + 1)
}
