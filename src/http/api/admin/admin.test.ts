import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiOf, deliveryBody, quoteBody, testApi, usedBy } from '../../../../test/api.ts'
import { WORLD_SECRET_KEY } from '../../../../test/fixture.ts'
import { until } from '../../../../test/wait-until.ts'
import { composeApp } from '../../../bootstrap/composition-root.ts'

test('PUT accepts exactly what GET returns for an account; a dry run changes nothing', async (t) => {
  const { operator, call } = await testApi(t, { work: false })
  const ONE = '/admin/accounts/demo'
  const { json: document, headers } = await operator(`GET ${ONE}`)
  assert.equal(headers.etag, '"1"')
  const same = await operator(`PUT ${ONE}`, { body: document })
  assert.deepEqual(same.json.data, { version: 1, changed: false, dry_run: false, plan: [], warnings: [] })

  const renamed = { ...document, name: 'Another name' }
  const dry = await operator(`PUT ${ONE}?dry_run=true`, { body: renamed })
  assert.equal(dry.json.data.changed, true)
  assert.equal(dry.json.data.plan[0].changes[0].field, 'name')
  assert.equal((await operator(`GET ${ONE}`)).json.name, document.name)
  assert.equal((await operator(`PUT ${ONE}`, { body: renamed })).json.data.version, 2)
  const late = await operator(`PUT ${ONE}?expect_version=1`, { body: document })
  assert.equal(late.status, 409)
  assert.equal(late.json.code, 'version_conflict')

  const mistaken = { ...renamed, stores: [{ reference: 'x' }], zone: 'Moon/Base', nonsense: 1 }
  const refused = await operator(`PUT ${ONE}`, { body: mistaken })
  assert.equal(refused.status, 422)
  assert.ok(refused.json.errors.length >= 3)
  const otherAccount = await operator('PUT /admin/accounts/other', { body: document })
  assert.equal(otherAccount.json.errors[0].field, 'tenant_id')

  const versions = await operator(`GET ${ONE}/versions`)
  assert.deepEqual(
    versions.json.data.map((one: { version: number }) => one.version),
    [2, 1],
  )
  assert.deepEqual((await operator(`GET ${ONE}/versions/1`)).json, document)
  for (const none of ['3', '0', 'x', '-1']) {
    assert.equal((await operator(`GET ${ONE}/versions/${none}`)).status, 404, none)
  }
  assert.equal((await call('POST /demo/deliveries/quote-next-available', { body: quoteBody })).status, 200)
})

test('PUT accepts the largest rate card as GET returns it, and rejects one that is too large', async (t) => {
  const { operator } = await testApi(t, { work: false })
  const ONE = '/admin/accounts/demo'
  const { json: document } = await operator(`GET ${ONE}`)
  const zones = Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [`Zone ${n} ${'of a long name '.repeat(3)}.`, [`${3000 + n}`]]),
  )
  const rates = Object.keys(zones).flatMap((zone) =>
    Array.from({ length: 500 }, (_, n) => ({
      zone,
      up_to_kg: n + 1,
      cents: 1_000 + n,
      ...(n === 499 && { cents_per_extra_kg: 50 }),
    })),
  )
  const withCards = (max: number) => {
    let cards = 0
    const carriers = document.carriers.map((carrier: { services: { price?: unknown }[] }) => ({
      ...carrier,
      services: carrier.services.map(({ price, ...service }) => {
        if (price === undefined || cards === max) return { ...service, ...(price !== undefined && { price }) }
        cards += 1
        return { ...service, rate_card: { zones, rates } }
      }),
    }))
    assert.equal(cards, max)
    return { ...document, carriers }
  }
  const put = await operator(`PUT ${ONE}`, { body: withCards(1) })
  assert.equal(put.status, 200, put.text)
  const { json: stored } = await operator(`GET ${ONE}`)
  assert.equal((await operator(`PUT ${ONE}`, { body: stored })).json.data.changed, false)

  const refused = await operator(`PUT ${ONE}`, { body: withCards(5) })
  assert.equal(refused.status, 422)
  assert.match(refused.json.errors[0].message, /over 500,000 values|MiB, and the limit is 6 MiB/)
})

test('PUT rejects a name too long for a label, with its field and all other mistakes', async (t) => {
  const { operator } = await testApi(t, { work: false })
  const ONE = '/admin/accounts/demo'
  const { json: document } = await operator(`GET ${ONE}`)
  const [brand] = document.brands
  const body = { ...document, brands: [{ ...brand, name: 'W'.repeat(200) }] }
  const message = 'Is too long to print on a label; at most about 68 letters like these fit. Shorten it.'
  const ofLabel = { field: 'brands[0].name', issue: 'too_long', message }
  for (const query of ['', '?dry_run=true']) {
    const { status, json } = await operator(`PUT ${ONE}${query}`, { body })
    assert.deepEqual({ status, errors: json.errors }, { status: 422, errors: [ofLabel] })
  }
  // The request itself is wrong too, so it is refused before its handler.
  const { tenant_id: _, ...unnamed } = body
  const all = await operator(`PUT ${ONE}?dry_run=perhaps`, { body: unnamed })
  assert.deepEqual(
    all.json.errors.map(({ field }: { field: string }) => field),
    ['dry_run', 'tenant_id', 'brands[0].name'],
  )
  const otherAccount = await operator('PUT /admin/accounts/other', { body })
  assert.deepEqual(
    otherAccount.json.errors.map(({ field }: { field: string }) => field),
    ['tenant_id', 'brands[0].name'],
  )
  assert.equal((await operator(`GET ${ONE}`)).headers.etag, '"1"')
})

test('PUT accepts a state by name or code: GET returns it as sent, the store uses the abbreviation', async (t) => {
  const { operator, call } = await testApi(t, { work: false })
  const { json: document } = await operator('GET /admin/accounts/demo')
  for (const state of ['Victoria', 'vic', 'AU-VIC']) {
    const [store, ...others] = document.stores
    const put = { ...document, stores: [{ ...store, address: { ...store.address, state } }, ...others] }
    assert.equal(store.address.state, 'VIC')
    const { status, text } = await operator('PUT /admin/accounts/demo', { body: put })
    assert.equal(status, 200, text)
    assert.deepEqual((await operator('GET /admin/accounts/demo')).json, put)
    const { json } = await call('GET /demo/stores')
    const served = json.data.find((one: { reference: string }) => one.reference === store.reference)
    assert.equal(served.address.state, 'VIC')
  }
  const [store, ...others] = document.stores
  const wrong = { ...store, address: { ...store.address, state: 'New South Wales' } }
  const refused = await operator('PUT /admin/accounts/demo', {
    body: { ...document, stores: [wrong, ...others] },
  })
  assert.equal(refused.status, 422)
  assert.match(refused.json.errors[0].message, /is in VIC, not in NSW/)
})

test('a new account is served as soon as it is applied', async (t) => {
  const { operator, call, tokenOf, fixture } = await testApi(t, { work: false })
  const { json: document } = await operator('GET /admin/accounts/demo')
  assert.equal((await operator('GET /admin/accounts/fresh')).status, 404)
  const created = await operator('PUT /admin/accounts/fresh', { body: { ...document, tenant_id: 'fresh' } })
  assert.equal(created.status, 200, created.text)
  const client = await operator('POST /admin/accounts/fresh/clients', {
    body: { name: 'Till', scopes: ['quotes'] },
  })
  const { client_id, client_secret } = client.json.data
  const clients = () => operator('GET /admin/accounts/fresh/clients')
  assert.equal((await clients()).json.data[0].last_used_at, undefined)
  const token = await tokenOf(client_id, client_secret, undefined, 'fresh')
  assert.equal(
    (await call('POST /fresh/deliveries/quote-next-available', { token, body: quoteBody })).status,
    200,
  )
  assert.doesNotMatch((await clients()).text, new RegExp(client_secret))
  const lastUsed = async () => (await clients()).json.data[0].last_used_at
  await until(async () => (await lastUsed()) !== undefined)

  // Another process, which has recorded no use yet, receives a token that it did not issue.
  const { rows } = await fixture.deps.db.query<{ at: number }>(
    `update api_clients set last_used_at = '2026-01-01' where account_id = 'fresh' returning last_used_at as at`,
  )
  const other = composeApp({
    config: { secretKey: WORLD_SECRET_KEY, publicUrl: 'http://drover.test' },
    databaseUrl: fixture.databaseUrl,
    name: 'other',
    log: fixture.deps.log,
  })
  t.after(() => other.stop())
  await other.start({ work: false })
  const api = await usedBy(apiOf({ ...fixture, parts: other, deps: other.deps }), fixture)
  const refused = await api.call('GET /fresh/deliveries', { token })
  assert.equal(refused.json.code, 'insufficient_scope')
  await until(async () => Date.parse(await lastUsed()) !== rows[0]?.at)
})

test('a retry with the same key creates one client, and its stored secret is encrypted', async (t) => {
  const { operator, fixture } = await testApi(t, { work: false })
  const line = 'POST /admin/accounts/demo/clients'
  const body = { name: 'shop', scopes: ['quotes'] }
  const headers = { 'idempotency-key': 'make-shop' }
  const first = await operator(line, { body, headers })
  const second = await operator(line, { body, headers })
  assert.equal(first.status, 201)
  assert.equal(second.text, first.text)
  assert.equal(second.headers['idempotent-replayed'], 'true')
  const other = await operator(line, { body: { ...body, name: 'other' }, headers })
  assert.equal(other.json.code, 'idempotency_key_reused')
  const { rows } = await fixture.deps.db.query(`select * from idempotency_keys where key = 'make-shop'`)
  assert.equal(rows.length, 1)
  assert.ok(!JSON.stringify(rows).includes(first.json.data.client_secret))
  assert.equal((await operator('POST /admin/accounts/nobody/clients', { body })).status, 404)
})

test('a test clock is set, advances and is removed', async (t) => {
  const { operator, call } = await testApi(t, { work: false })
  const set = await operator('PUT /admin/accounts/demo/clock', { body: { now: '2026-12-24T09:00' } })
  assert.equal(set.status, 200)
  assert.equal(
    set.json.data.now.slice(0, 16),
    '2026-12-23T22:00',
    'without an offset it is the account’s local time',
  )
  const read = await operator('GET /admin/accounts/demo/clock')
  assert.equal(read.json.data.offset_ms, set.json.data.offset_ms)
  assert.equal(read.json.data.now.slice(0, 16), '2026-12-23T22:00')
  assert.equal((await operator('GET /admin/accounts/nobody/clock')).status, 404)
  const quote = await call('POST /demo/deliveries/quote/availability', { body: quoteBody })
  assert.match(quote.json.fast.from_datetime, /^2026-12-24T09/)
  const away = await operator('PUT /admin/accounts/demo/clock', { body: { now: null } })
  assert.equal(away.json.data.offset_ms, 0)
  for (const body of [{}, { now: 5 }, { now: 'soon' }]) {
    assert.equal((await operator('PUT /admin/accounts/demo/clock', { body })).status, 422)
  }
  assert.equal((await operator('PUT /admin/accounts/nobody/clock', { body: { now: null } })).status, 404)
})

test('secrets are stored and never returned', async (t) => {
  const { operator } = await testApi(t, { work: false })
  const put = await operator('PUT /admin/accounts/demo/secrets/swiftly-key', {
    body: { secret: 'hush-hush' },
  })
  assert.equal(put.status, 204)
  const listed = await operator('GET /admin/accounts/demo/secrets')
  assert.deepEqual(
    listed.json.data.map((one: { name: string }) => one.name),
    ['swiftly-key'],
  )
  assert.doesNotMatch(listed.text, /hush/)
  assert.equal(
    (await operator('PUT /admin/accounts/demo/secrets/NO%20NAME', { body: { secret: 'x' } })).status,
    422,
  )
  assert.equal(
    (await operator('PUT /admin/accounts/nobody/secrets/x', { body: { secret: 'x' } })).status,
    404,
  )
  assert.equal((await operator('DELETE /admin/accounts/demo/secrets/swiftly-key')).status, 204)
  assert.deepEqual((await operator('GET /admin/accounts/demo/secrets')).json.data, [])
  assert.equal((await operator('DELETE /admin/accounts/demo/secrets/swiftly-key')).status, 404)
})

test('the sandbox ledger is paged, each entry once', async (t) => {
  const { operator, call } = await testApi(t)
  for (let i = 0; i < 3; i++)
    await call('POST /demo/deliveries', { body: deliveryBody({ book_delivery_now: true }) })
  const seen: string[] = []
  let after = 0
  for (let page = 0; page < 10; page++) {
    const { json } = await operator(`GET /admin/accounts/demo/sandbox/ledger?limit=1&after=${after}`)
    seen.push(...json.data.map((entry: { reference: string }) => entry.reference))
    if (!json.pagination.has_more) break
    after = json.pagination.next
  }
  assert.equal(seen.length, 3)
  assert.equal(new Set(seen).size, 3)
  const one = await operator(`GET /admin/accounts/demo/sandbox/ledger?reference=${seen[1]}`)
  assert.equal(one.json.data.length, 1)
})
