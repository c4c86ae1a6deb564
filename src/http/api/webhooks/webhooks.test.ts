import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Api, deliveryBody, testApi } from '../../../../test/api.ts'
import { untilLockAwaited } from '../../../../test/until-lock-awaited.ts'

const url = 'https://hooks.example.com/drover'

test('an endpoint’s secret is shown once and not stored in clear', async (t) => {
  const api = await testApi(t, { work: false })
  const headers = { 'idempotency-key': 'make-1' }
  const body = { url, event_types: ['delivery.booked'] }
  const created = await api.call('POST /demo/webhook-endpoints', { body, headers })
  assert.equal(created.status, 201, created.text)
  const { secret, ...endpoint } = created.json.data
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.equal(endpoint.status, 'active')
  const again = await api.call('POST /demo/webhook-endpoints', { body, headers })
  assert.equal(again.text, created.text, 'the same key: the same secret, byte for byte')
  assert.equal(again.headers['idempotent-replayed'], 'true')

  const read = await api.call(`GET /demo/webhook-endpoints/${endpoint.id}`)
  assert.deepEqual(read.json.data, endpoint)
  assert.deepEqual((await api.call('GET /demo/webhook-endpoints')).json.data, [endpoint])

  const rotated = await api.call(`POST /demo/webhook-endpoints/${endpoint.id}/rotate-secret`)
  assert.notEqual(rotated.json.data.secret, secret)
  for (const table of ['webhook_endpoints', 'idempotency_keys']) {
    const { rows } = await api.fixture.deps.db.query(`select row_to_json(t)::text as row from ${table} as t`)
    const plain = secret.slice('whsec_'.length)
    assert.ok(!rows.some(({ row }) => row.includes(plain) || row.includes(hex(plain))), `${table} shows it`)
  }

  const { json } = await api.call(`PATCH /demo/webhook-endpoints/${endpoint.id}`, {
    body: { event_types: null, status: 'paused' },
  })
  assert.equal(json.data.event_types, null)
  assert.equal(json.data.status, 'paused')
  assert.ok(json.data.paused_reason)
  const active = await api.call(`PATCH /demo/webhook-endpoints/${endpoint.id}`, {
    body: { status: 'active' },
  })
  assert.equal(active.json.data.paused_at, undefined)
  assert.equal((await api.call(`DELETE /demo/webhook-endpoints/${endpoint.id}`)).status, 204)
  assert.equal((await api.call(`GET /demo/webhook-endpoints/${endpoint.id}`)).status, 404)
})

test('every mistake is reported by its field', async (t) => {
  const api = await testApi(t, { work: false, allowPrivateWebhooks: false })
  const { id } = (await api.call('POST /demo/webhook-endpoints', { body: { url } })).json.data
  const cases: [string, object, string[]][] = [
    ['POST /demo/webhook-endpoints', {}, ['url']],
    ['POST /demo/webhook-endpoints', { url: 'http://hooks.example.com' }, ['url']],
    ['POST /demo/webhook-endpoints', { url: 'https://localhost/x' }, ['url']],
    [
      'POST /demo/webhook-endpoints',
      { url: 7, event_types: ['delivery.bookd'], x: 1 },
      ['event_types[0]', 'url', 'x'],
    ],
    [`PATCH /demo/webhook-endpoints/${id}`, { url: 'https://10.0.0.1' }, ['url']],
    [`PATCH /demo/webhook-endpoints/${id}`, { status: 'gone', event_types: [] }, ['event_types', 'status']],
    [`POST /demo/webhook-endpoints/${id}/replay`, {}, ['event_ids']],
    [
      `POST /demo/webhook-endpoints/${id}/replay`,
      { event_ids: ['evt_1'], from: '2026-11-24T10:00Z' },
      ['from'],
    ],
    [
      `POST /demo/webhook-endpoints/${id}/replay`,
      { event_ids: ['evt_1', 'evt_2'] },
      ['event_ids[0]', 'event_ids[1]'],
    ],
  ]
  for (const [line, body, fields] of cases) {
    const { status, json } = await api.call(line, { body })
    assert.equal(status, 422, `${line} ${JSON.stringify(body)}`)
    assert.deepEqual(
      json.errors.map(({ field }: { field: string }) => field).sort(),
      fields,
      JSON.stringify(body),
    )
  }
  for (const query of ['after=nonsense', 'after=MS4', 'limit=0', 'limit=201', 'x=1']) {
    assert.equal((await api.call(`GET /demo/events?${query}`)).status, 422, query)
  }
  const far = Buffer.from('9'.repeat(30)).toString('base64url')
  assert.equal((await api.call(`GET /demo/webhook-endpoints/${id}/attempts?after=${far}`)).status, 422)
})

test('scopes and stores limit the events that an endpoint gets', async (t) => {
  const api = await testApi(t, { work: false })
  await api.call('POST /demo/deliveries', { body: deliveryBody() })
  await api.call('POST /demo/deliveries', { body: deliveryBody({ store_reference: 'fitzroy' }) })
  const unlimited = (await api.call('POST /demo/webhook-endpoints', { body: { url } })).json.data
  const { json } = await api.operator('POST /admin/accounts/demo/clients', {
    body: { name: 'Fitzroy', scopes: ['deliveries:read', 'webhooks'], store_references: ['fitzroy'] },
  })
  const token = await api.tokenOf(json.data.client_id, json.data.client_secret)
  const own = (await api.call('POST /demo/webhook-endpoints', { body: { url }, token })).json.data
  assert.deepEqual(ids(await api.call('GET /demo/webhook-endpoints', { token })), [own.id])
  assert.equal((await api.call(`GET /demo/webhook-endpoints/${unlimited.id}`, { token })).status, 404)
  const feed = await api.call('GET /demo/events', { token })
  assert.deepEqual(
    feed.json.data.map((event: { data: { store_reference: string } }) => event.data.store_reference),
    ['fitzroy', 'fitzroy'],
  )
  const [foreign] = (await api.call('GET /demo/events')).json.data
  const replay = await api.call(`POST /demo/webhook-endpoints/${own.id}/replay`, {
    body: { event_ids: [foreign.id] },
    token,
  })
  assert.equal(replay.status, 422)

  const [mine] = feed.json.data
  const line = `POST /demo/webhook-endpoints/${own.id}/replay`
  const written = async () => {
    const { rows } = await api.fixture.deps.db.query(
      `select (select count(*)::int from webhook_replays) as replays,
         (select count(*)::int from audit_log where action = 'replayWebhooks') as audited`,
    )
    return rows[0]
  }
  const counted = await api.call(line, { body: { event_ids: [mine.id], dry_run: true }, token })
  assert.deepEqual([counted.status, counted.json.data], [200, { count: 1, at_least: false }])
  assert.deepEqual(await written(), { replays: 0, audited: 0 })
  const foreignCounted = await api.call(line, { body: { event_ids: [foreign.id], dry_run: true }, token })
  assert.equal(foreignCounted.status, 422)
  const again = await api.call(line, { body: { event_ids: [mine.id] }, token })
  assert.equal(again.status, 202)
  assert.deepEqual(await written(), { replays: 1, audited: 1 })

  const reader = await api.tokenOf('demo-client', 'demo-secret', 'deliveries:read')
  assert.equal((await api.call('GET /demo/events', { token: reader })).status, 200)
  assert.equal((await api.call('GET /demo/webhook-endpoints', { token: reader })).status, 403)
  const acme = await api.tokenOf('acme-client', 'acme-secret', undefined, 'acme-byoc')
  assert.deepEqual((await api.call('GET /acme-byoc/events', { token: acme })).json.data, [])
  assert.equal(
    (await api.call(`GET /acme-byoc/webhook-endpoints/${unlimited.id}`, { token: acme })).status,
    404,
  )
})

test('an endpoint that is removed during a replay is not found', async (t) => {
  const api = await testApi(t, { work: false })
  const { id } = (await api.call('POST /demo/webhook-endpoints', { body: { url } })).json.data
  const { db } = api.fixture.deps
  const remover = await db.connect()
  try {
    await remover.query('begin')
    await remover.query("delete from webhook_endpoints where account_id = 'demo' and endpoint_id = $1", [id])
    const asking = api.call(`POST /demo/webhook-endpoints/${id}/replay`, {
      body: { from: '2026-11-24T10:00:00+11:00' },
    })
    await untilLockAwaited(db)
    await remover.query('commit')
    assert.equal((await asking).status, 404)
  } finally {
    remover.release(true)
  }
})

test('the feed is read in pages to its end, and continued from there', async (t) => {
  const api = await testApi(t, { work: false })
  for (let number = 0; number < 4; number++) await api.call('POST /demo/deliveries', { body: deliveryBody() })
  const seen: string[] = []
  let next: string | null = null
  for (;;) {
    const page = await feedAfter(api, next, 3)
    seen.push(...page.data.map(({ id }) => id))
    next = page.pagination.next
    if (!page.pagination.has_more) break
  }
  assert.equal(seen.length, 8)
  assert.equal(new Set(seen).size, 8)
  const end = await feedAfter(api, next, 3)
  assert.deepEqual(end, { data: [], pagination: { next, has_more: false } })

  const created = (
    await api.call('POST /demo/deliveries', { body: deliveryBody({ book_delivery_now: true }) })
  ).json.data
  const { data } = await feedAfter(api, next, 50)
  assert.deepEqual(
    data.map((event) => [event.type, event.sequence, event.data.status, event.data.previous_status]),
    [
      ['delivery.created', 1, 'created', undefined],
      ['delivery.requested', 2, 'requested', 'created'],
      ['delivery.booked', 3, 'booked', 'requested'],
    ],
  )
  const booked = data[2]?.data
  assert.equal(booked?.delivery_id, created.id)
  assert.equal(booked?.reference, created.reference)
  assert.equal(booked?.store_reference, 'melbourne-cbd')
  assert.equal(booked?.consignment_number, created.consignment_number)
  for (const private_ of ['Ada', 'Nguyen', '491570156', '491 570', 'ada@example', 'Drummond']) {
    assert.ok(!JSON.stringify(data).includes(private_), private_)
  }
})

test('the events of a customer pickup say so', async (t) => {
  const api = await testApi(t, { work: false })
  await api.call('POST /demo/deliveries', { body: deliveryBody({ delivery_mode: 'customer_pickup' }) })
  const { data } = await feedAfter(api, null, 50)
  assert.ok(data.length === 2 && data.every((event) => event.data.delivery_mode === 'customer_pickup'))
})

type Feed = {
  data: { id: string; type: string; sequence: number; data: Record<string, string | undefined> }[]
  pagination: { next: string | null; has_more: boolean }
}

async function feedAfter(api: Api, after: string | null, limit: number): Promise<Feed> {
  return (await api.call(`GET /demo/events?limit=${limit}${after ? `&after=${after}` : ''}`)).json
}

function ids({ json }: { json: { data: { id: string }[] } }): string[] {
  return json.data.map(({ id }) => id)
}

function hex(text: string): string {
  return Buffer.from(text).toString('hex')
}
