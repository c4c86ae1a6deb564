import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Api, apiOf, deliveryBody, quoteBody, testApi, usedBy } from '../../../test/api.ts'
import { until } from '../../../test/wait-until.ts'
import { claimKey } from '../../store/deliveries/idempotency.ts'
import { closeServer } from '../server/stop.ts'
import { fingerprint } from './idempotency.ts'

const CREATE = 'POST /demo/deliveries'
const keyed = (key: string) => ({ headers: { 'idempotency-key': key } })
const references = async ({ fixture }: Api): Promise<number> => {
  const { rows } = await fixture.deps.db.query<{ n: number }>('select count(*)::int as n from deliveries')
  return rows[0]?.n ?? -1
}

test('the same key and body get the first response again, byte for byte', async (t) => {
  const api = await testApi(t)
  const { call } = api
  const body = deliveryBody({ book_delivery_now: true })
  const first = await call(CREATE, { body, ...keyed('k1') })
  assert.equal(first.status, 201)
  assert.equal(first.json.data.status, 'booked')
  assert.equal(first.headers['idempotent-replayed'], undefined)

  await call(`PATCH /demo/deliveries/${first.json.data.id}/request-cancel`)
  const shuffled = Object.fromEntries(Object.entries(body).reverse())
  for (const again of [body, shuffled]) {
    const replay = await call(CREATE, { body: again, ...keyed('"k1"') })
    assert.equal(replay.status, 201)
    assert.equal(replay.text, first.text, 'whatever happened since')
    assert.equal(replay.headers['idempotent-replayed'], 'true')
    assert.equal(replay.headers['content-type'], first.headers['content-type'])
  }
  assert.equal(await references(api), 1)
})

test('a key belongs to one body, one path and one method', async (t) => {
  const api = await testApi(t, { work: false })
  const { call } = api
  const body = deliveryBody()
  const first = await call(CREATE, { body, ...keyed('k') })
  assert.equal(first.status, 201)
  for (const [line, other] of [
    [CREATE, deliveryBody()],
    [CREATE, { ...body, reference: 'ANOTHER' }],
    [CREATE, {}],
    ['POST /demo/deliveries/quote-next-available', quoteBody],
    [`PATCH /demo/deliveries/${first.json.data.id}/request-cancel`, {}],
  ] as const) {
    const refused = await call(line, { body: other, ...keyed('k') })
    assert.equal(refused.status, 422, line)
    assert.equal(refused.json.code, 'idempotency_key_reused', line)
  }
  assert.equal(await references(api), 1)
})

test('keys belong to an account', async (t) => {
  const { call, tokenOf } = await testApi(t, { work: false })
  const acme = await tokenOf('acme-client', 'acme-secret', undefined, 'acme-byoc')
  const quote = 'deliveries/quote-next-available'
  assert.equal((await call(`POST /demo/${quote}`, { body: quoteBody, ...keyed('k') })).status, 200)
  const otherAccount = await call(`POST /acme-byoc/${quote}`, {
    token: acme,
    body: { ...quoteBody, store_reference: 'acme-geelong' },
    ...keyed('k'),
  })
  assert.equal(otherAccount.status, 200)
  assert.equal(otherAccount.headers['idempotent-replayed'], undefined)
})

test('a caller with other stores does not get a stored response', async (t) => {
  const { call, operator, tokenOf } = await testApi(t, { work: false })
  const tokenFor = async (...store_references: string[]) => {
    const newClient = { name: 'Till', scopes: ['deliveries:write', 'webhooks'], store_references }
    const { json } = await operator('POST /admin/accounts/demo/clients', { body: newClient })
    return tokenOf(json.data.client_id, json.data.client_secret)
  }
  const fitzroy = await tokenFor('fitzroy')
  const { id } = (await call(CREATE, { body: deliveryBody() })).json.data
  const hook = await call('POST /demo/webhook-endpoints', { body: { url: 'http://127.0.0.1:9/' } })
  for (const [line, body] of [
    [CREATE, deliveryBody({ reference: 'SEEN-1' })],
    [`PATCH /demo/deliveries/${id}/request-cancel`, { reason: 'x' }],
    [`POST /demo/webhook-endpoints/${hook.json.data.id}/rotate-secret`, {}],
  ] as const) {
    const send = { body, ...keyed(line) }
    const first = await call(line, send)
    assert.ok(first.status < 300, first.text)
    const { status, json } = await call(line, { ...send, token: fitzroy })
    assert.deepEqual([status, json.code], [422, 'idempotency_key_reused'], line)
    assert.equal((await call(line, send)).text, first.text)
  }

  const [both, turned] = [
    await tokenFor('fitzroy', 'melbourne-cbd'),
    await tokenFor('melbourne-cbd', 'fitzroy'),
  ]
  const own = { body: deliveryBody({ store_reference: 'fitzroy' }), ...keyed('own') }
  const created = await call(CREATE, { ...own, token: both })
  assert.equal(created.status, 201, created.text)
  assert.equal(
    (await call(CREATE, { ...own, token: turned })).text,
    created.text,
    'who sees the same is answered',
  )
  assert.equal((await call(CREATE, own)).json.code, 'idempotency_key_reused')
})

test('a corrected body may reuse its key; a response about the work is stored', async (t) => {
  const { call } = await testApi(t, { work: false })
  const body = deliveryBody()
  assert.equal((await call(CREATE, { body: { ...body, parcels: [] }, ...keyed('mend') })).status, 422)
  assert.equal(
    (await call(CREATE, { body: { ...body, store_reference: 'nowhere' }, ...keyed('mend') })).status,
    422,
  )
  const mended = await call(CREATE, { body, ...keyed('mend') })
  assert.equal(mended.status, 201)

  const duplicate = await call(CREATE, { body, ...keyed('taken') })
  assert.equal(duplicate.status, 409)
  assert.equal(duplicate.json.code, 'duplicate_reference')
  assert.equal(duplicate.json.delivery_id, mended.json.data.id)
  const again = await call(CREATE, { body, ...keyed('taken') })
  assert.equal(again.text, duplicate.text)
  assert.equal(again.headers['idempotent-replayed'], 'true')

  const heavy = deliveryBody({
    parcels: [{ reference: 'P', length_cm: 1, width_cm: 1, height_cm: 1, weight_kg: 9_000, quantity: 1 }],
  })
  const first = await call(CREATE, { body: heavy, ...keyed('heavy') })
  assert.equal(first.json.code, 'no_service_available')
  assert.equal((await call(CREATE, { body: heavy, ...keyed('heavy') })).text, first.text)

  const id = mended.json.data.id
  const cancel = () =>
    call(`PATCH /demo/deliveries/${id}/request-cancel`, { body: { reason: 'x' }, ...keyed('cancel') })
  const cancelled = await cancel()
  assert.equal(cancelled.json.data.status, 'cancelled')
  assert.equal((await cancel()).text, cancelled.text)
  const missing = () => call('PATCH /demo/deliveries/NEXT-1/request-cancel', keyed('later'))
  assert.equal((await missing()).status, 404)
  assert.equal((await call(CREATE, { body: deliveryBody({ reference: 'NEXT-1' }) })).status, 201)
  assert.equal((await missing()).status, 200, 'a 404 is not stored under the key')
})

test('fifty parallel requests with one key on two processes create one delivery', async (t) => {
  const api = await testApi(t)
  const second = apiOf(api.fixture)
  t.after(() => closeServer(second, { drainMs: 0, withinMs: 500 }))
  const apis = [api, await usedBy(second, api.fixture)]
  for (const book_delivery_now of [false, true]) {
    const body = deliveryBody({ book_delivery_now })
    const key = `storm-${book_delivery_now}`
    const before = await references(api)
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, i) => apis[i % 2]!.call(CREATE, { body, ...keyed(key) })),
    )
    const created = replies.filter(({ status }) => status === 201)
    for (const { status, json, headers } of replies.filter(({ status }) => status !== 201)) {
      assert.equal(status, 409)
      assert.equal(json.code, 'idempotency_in_progress')
      assert.ok(Number(headers['retry-after']) >= 1)
    }
    assert.ok(created.length >= 1)
    assert.equal(new Set(created.map(({ text }) => text)).size, 1, 'all the same bytes')
    assert.equal(created.filter(({ headers }) => headers['idempotent-replayed'] === undefined).length, 1)
    assert.equal(await references(api), before + 1)
  }
})

test('fifty parallel requests without a key create one delivery and forty-nine errors that name it', async (t) => {
  const api = await testApi(t, { work: false })
  const body = deliveryBody()
  const replies = await Promise.all(Array.from({ length: 50 }, () => api.call(CREATE, { body })))
  const [created, ...others] = replies.toSorted((a, b) => a.status - b.status)
  assert.equal(created!.status, 201)
  for (const { status, json } of others) {
    assert.equal(status, 409)
    assert.equal(json.delivery_id, created!.json.data.id)
  }
})

test('a crashed request is taken over when its lock expires', async (t) => {
  const { call, fixture } = await testApi(t, { work: false })
  const QUOTE = 'POST /demo/deliveries/quote-next-available'
  const ask = () => call(QUOTE, { body: quoteBody, ...keyed('dead') })
  const first = await ask()
  assert.equal(first.status, 200)
  const db = fixture.deps.db
  await db.query(
    "update idempotency_keys set status = null, body = null, locked_until = now() + interval '20 s'",
  )
  const busy = await ask()
  assert.equal(busy.status, 409)
  assert.equal(busy.json.code, 'idempotency_in_progress')
  const seconds = Number(busy.headers['retry-after'])
  assert.ok(seconds > 5 && seconds <= 20, `${seconds} s: as long as the lock of one that died`)
  await db.query("update idempotency_keys set locked_until = now() + interval '60 s'")
  assert.ok(
    Number((await ask()).headers['retry-after']) <= 5,
    'the retry is soon while the process may be alive',
  )
  await db.query("update idempotency_keys set locked_until = now() - interval '1 s'")
  const takenOver = await ask()
  assert.equal(takenOver.status, 200)
  assert.equal(takenOver.headers['idempotent-replayed'], undefined)
  assert.equal((await ask()).headers['idempotent-replayed'], 'true')
  await db.query("update idempotency_keys set created_at = now() - interval '73 hours'")
  assert.equal(
    (await call(QUOTE, { body: { ...quoteBody, delivery_type: 'fast' }, ...keyed('dead') })).status,
    200,
  )
})

test('a request that got 503 frees its key as soon as the database is back', async (t) => {
  const { call, fixture } = await testApi(t, { work: false })
  const { json } = await call(CREATE, { body: deliveryBody() })
  await call(`PATCH /demo/deliveries/${json.data.id}/request-cancel`)
  const { db } = fixture.deps
  const query = db.query.bind(db) as (...given: unknown[]) => unknown
  const CLAIMING = ['claim-idempotency-key', 'read-times-of-key', 'claim-idempotency-key-at']
  const KEY_KEEPING = ['complete-idempotency-key', 'release-idempotency-key']
  const away = { isAway: false, refused: new Set<string>(), refuses: (_name: string) => true }
  t.mock.method(db, 'query', (...given: unknown[]) => {
    const { name = '' } = given[0] as { name?: string }
    if (!away.isAway || !away.refuses(name)) return query(...given)
    away.refused.add(name)
    return Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }))
  })
  for (const [what, refuses] of [
    ['before anything was done', (name: string) => !CLAIMING.includes(name)],
    ['as its refusal was kept', (name: string) => KEY_KEEPING.includes(name)],
  ] as const) {
    const ask = () => call(`PATCH /demo/deliveries/${json.data.id}/book`, keyed(what))
    Object.assign(away, { isAway: true, refused: new Set(), refuses })
    const first = await ask()
    assert.equal(first.status, 503, `${what}: ${first.text}`)
    assert.ok(away.refused.has('release-idempotency-key'), [...away.refused].join())
    away.isAway = false
    await until(async () => {
      const held = 'select locked_until > clock_timestamp() as young from idempotency_keys where key = $1'
      const { rows } = await db.query<{ young: boolean }>(held, [what])
      assert.ok(rows[0]?.young ?? true, `${what}: the key was never given back, its lock ran out`)
      return rows.length === 0
    })
    const again = await ask()
    assert.equal(again.json.code, 'not_bookable', again.text)
  }
})

test('a key older than 72 hours may create another delivery, also before the purge', async (t) => {
  const api = await testApi(t, { work: false })
  const { call, fixture } = api
  const ages = () =>
    fixture.deps.db.query("update idempotency_keys set created_at = now() - interval '73 hours'")
  const old = deliveryBody()
  assert.equal((await call(CREATE, { body: old, ...keyed('old') })).status, 201)
  await ages()
  const duplicate = await call(CREATE, { body: old, ...keyed('old') })
  assert.equal(duplicate.json.code, 'duplicate_reference')
  assert.ok(duplicate.json.delivery_id)

  await ages()
  const body = deliveryBody()
  const created = await call(CREATE, { body, ...keyed('old') })
  assert.equal(created.status, 201, created.text)
  assert.equal(created.headers['idempotent-replayed'], undefined)
  assert.equal((await call(CREATE, { body, ...keyed('old') })).text, created.text)

  await ages()
  const concurrent = deliveryBody()
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => call(CREATE, { body: concurrent, ...keyed('old') })),
  )
  const answers = replies.filter(({ status }) => status === 201).map(({ text }) => text)
  assert.equal(new Set(answers).size, 1)
  for (const { status, json } of replies)
    if (status !== 201) assert.equal(json.code, 'idempotency_in_progress')
  assert.equal(await references(api), 3)
})

test('a create continues after a process crashed while it recorded the key’s rejection', async (t) => {
  const api = await testApi(t, { work: false })
  const { call, fixture } = api
  const { db } = fixture.deps
  const body = deliveryBody()
  const print = fingerprint('POST', '/demo/deliveries', body)
  assert.equal((await claimKey(db, { accountId: 'demo', key: 'k', fingerprint: print })).kind, 'claimed')
  const ask = () => call(CREATE, { body, ...keyed('k') })
  assert.equal((await ask()).json.code, 'idempotency_in_progress', 'its lock is young')
  await db.query("update idempotency_keys set locked_until = now() - interval '1 s'")
  const other = await call(CREATE, { body: deliveryBody(), ...keyed('k') })
  assert.equal(other.json.code, 'idempotency_key_reused')
  const created = await ask()
  assert.equal(created.status, 201, created.text)
  assert.equal((await ask()).text, created.text)
  assert.equal(await references(api), 1)
})

test('an internal error is not stored: the same key may retry', async (t) => {
  const api = await testApi(t, { work: false })
  const { fixture } = api
  const createDelivery = async () => {
    throw new Error('it broke')
  }
  const broken = apiOf({ ...fixture, deps: { ...fixture.deps, createDelivery } })
  t.after(() => broken.close())
  const ask = { body: deliveryBody(), ...keyed('ours') }
  assert.equal((await (await usedBy(broken, fixture)).call(CREATE, ask)).status, 500)
  const again = await api.call(CREATE, ask)
  assert.equal(again.status, 201)
  assert.equal(again.headers['idempotent-replayed'], undefined)
})

test('a key has 1 to 255 printable characters', async (t) => {
  const { call } = await testApi(t, { work: false })
  const QUOTE = 'POST /demo/deliveries/quote-next-available'
  for (const key of ['', '""', 'x'.repeat(256), 'tab\there', 'caf\u00e9']) {
    const { status, json } = await call(QUOTE, { body: quoteBody, ...keyed(key) })
    assert.equal(status, 400, JSON.stringify(key))
    assert.equal(json.errors[0].field, 'Idempotency-Key')
  }
  for (const key of ['x', `"${'y'.repeat(255)}"`, 'a b;c=d']) {
    assert.equal((await call(QUOTE, { body: quoteBody, ...keyed(key) })).status, 200, key)
  }
})
