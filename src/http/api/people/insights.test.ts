import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Api, deliveryBody, parcel, testApi } from '../../../../test/api.ts'

/** Ends a delivery directly, as a carrier would: the test is about the counting. */
async function end(api: Api, reference: string, cameAt: string, status = 'delivered'): Promise<void> {
  const { rowCount } = await api.fixture.deps.db.query(
    `update deliveries set status = $2, due_at = null, updated_at = $3, carrier_event_at = $3 where reference = $1`,
    [reference, status, cameAt],
  )
  assert.equal(rowCount, 1)
}

test('insights count ended deliveries: cost, punctuality, stores, and rules that excluded services', async (t) => {
  const api = await testApi(t, { work: false })
  for (const [reference, over] of [
    ['inside', {}],
    ['late', {}],
    ['back', { store_reference: 'fitzroy' }],
    ['before', {}],
    ['open', {}],
  ] as const) {
    const body = deliveryBody({
      reference,
      delivery_type: 'flexible',
      ready_for_pickup_at: '2026-11-24T10:00:00',
      ...over,
    })
    const { status, text } = await api.call('POST /demo/deliveries', { body })
    assert.equal(status, 201, text)
  }
  // TODAY is promised from 2 pm to 8 pm.
  await end(api, 'inside', '2026-11-24T14:00:00+11:00')
  await end(api, 'late', '2026-11-24T20:10:00+11:00')
  await end(api, 'back', '2026-11-24T15:00:00+11:00', 'returned')
  await end(api, 'before', '2026-10-20T15:00:00+11:00')

  const { json } = await api.call('GET /demo/insights?from=2026-11-01&to=2026-11-24')
  const { total, before, services, weeks, stores, exclusions } = json.data
  assert.deepEqual(total, {
    deliveries: 3,
    own_deliveries: 0,
    returned: 1,
    delivered_with_window: 2,
    early: 0,
    on_time: 1,
    late: 1,
    cost_cents: 2_370,
  })
  assert.equal(before.deliveries, 1)
  assert.equal(services.length, 1)
  assert.deepEqual(services[0].bins, [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0])
  assert.deepEqual(weeks, [
    { week: '2026-11-23', provider: 'swiftly', service: 'TODAY', deliveries: 3, cost_cents: 2_370 },
  ])
  assert.deepEqual(
    stores.map((one: { store_reference: string; deliveries: number }) => [
      one.store_reference,
      one.deliveries,
    ]),
    [
      ['melbourne-cbd', 2],
      ['fitzroy', 1],
    ],
  )
  const freight = exclusions.find(({ service }: { service: string }) => service === 'FREIGHT')
  assert.deepEqual(freight ?? null, null, 'another type was requested, which is not an excluding rule')

  const one = await api.call('GET /demo/insights?store_reference=fitzroy')
  assert.equal(one.json.data.total.deliveries, 1)
  assert.equal(one.json.data.from, '2026-10-28')
})

test('the deliveries of a store that was removed stay in the figures, under its reference', async (t) => {
  const api = await testApi(t, { work: false })
  for (const store_reference of ['fitzroy', 'melbourne-cbd']) {
    const body = deliveryBody({ reference: store_reference, store_reference })
    assert.equal((await api.call('POST /demo/deliveries', { body })).status, 201)
    await end(api, store_reference, '2026-11-23T15:00:00+11:00')
  }
  const { json: document } = await api.operator('GET /admin/accounts/demo')
  const text = JSON.stringify({
    ...document,
    stores: document.stores.filter(({ reference }: { reference: string }) => reference !== 'fitzroy'),
  })
  const applied = await api.operator('PUT /admin/accounts/demo', { body: JSON.parse(text) })
  assert.ok(applied.status < 300, applied.text)
  const period = 'from=2026-11-01&to=2026-11-24'
  const { data } = (await api.call(`GET /demo/insights?${period}`)).json
  assert.equal(data.total.deliveries, 2)
  const named = data.stores.map((one: { store_reference: string; name: string }) => [
    one.store_reference,
    one.name,
  ])
  assert.deepEqual(named.sort(), [
    ['fitzroy', 'fitzroy'],
    ['melbourne-cbd', 'Melbourne CBD'],
  ])
  const costs = (await api.call(`GET /demo/insights/deliveries?${period}`)).json.data
  assert.deepEqual(costs.map((one: { store_reference: string }) => one.store_reference).sort(), [
    'fitzroy',
    'melbourne-cbd',
  ])
  const listed = await api.call('GET /demo/deliveries?ended_from=2026-11-01&ended_to=2026-11-24')
  assert.equal(listed.json.data.length, 2)
})

test('a period must be valid', async (t) => {
  const api = await testApi(t, { work: false })
  for (const query of [
    'from=2026-11-25&to=2026-11-24',
    'from=2024-01-01&to=2026-01-01',
    'from=2026-02-30',
    'store_reference=none',
  ]) {
    assert.equal((await api.call(`GET /demo/insights?${query}`)).status, 422, query)
    const ended = query.replace('from=', 'ended_from=').replace('to=', 'ended_to=')
    assert.equal((await api.call(`GET /demo/deliveries?${ended}`)).status, 422, ended)
  }
})

test('a rule shows the extra cost of each cheaper service that it excluded', async (t) => {
  const api = await testApi(t, { work: false })
  for (const reference of ['long', 'longer', 'unpriced']) {
    const body = deliveryBody({ reference, parcels: [{ ...parcel, length_cm: 104 }] })
    const { status, text, json } = await api.call('POST /demo/deliveries', { body })
    assert.equal(status, 201, text)
    assert.equal(json.data.service_code, 'ROAD', 'TODAY and NOW would have been cheaper')
    await end(api, reference, '2026-11-24T15:00:00+11:00')
  }
  const { rows } = await api.fixture.deps.db.query<{ cents: number; now: number; today: number }>(
    `select (chosen->>'priceCents')::int as cents,
       (decision->'services'->2->>'wouldCostCents')::int as now,
       (decision->'services'->3->>'wouldCostCents')::int as today
     from deliveries where reference = 'long'`,
  )
  const [paid] = rows
  assert.ok(paid && paid.now < paid.cents && paid.today < paid.now)
  // The format of records from before prices were recorded.
  await api.fixture.deps.db.query(
    `update deliveries set decision = replace(decision::text, 'wouldCostCents', 'x')::json where reference = 'unpriced'`,
  )
  const { json } = await api.call('GET /demo/insights')
  const of = (service: string) =>
    json.data.exclusions.find((one: { rule: string; service: string }) => one.service === service)
  const swiftly = {
    rule: 'parcel_side',
    provider: 'swiftly',
    carrier: 'Swiftly',
    deliveries: 3,
    priced_count: 2,
    cheaper_count: 2,
  }
  assert.deepEqual(of('NOW'), { ...swiftly, service: 'NOW', extra_cost_cents: 2 * (paid.cents - paid.now) })
  assert.deepEqual(of('TODAY'), {
    ...swiftly,
    service: 'TODAY',
    extra_cost_cents: 2 * (paid.cents - paid.today),
  })
  const freight = of('FREIGHT')
  assert.deepEqual(
    [freight.priced_count, freight.cheaper_count, freight.extra_cost_cents],
    [2, 0, 0],
    'it is dearer',
  )
})

test('every figure links to the deliveries that it counts', async (t) => {
  const api = await testApi(t, { work: false })
  const promised = { delivery_type: 'flexible', ready_for_pickup_at: '2026-11-24T10:00:00' }
  const ends: [reference: string, over: object, cameAt: string, status?: string][] = [
    ['early', promised, '2026-11-24T13:50:00+11:00'],
    ['inside', promised, '2026-11-24T14:00:00+11:00'],
    ['last', promised, '2026-11-24T20:00:00+11:00'],
    ['late', promised, '2026-11-24T20:00:01+11:00'],
    ['road', { delivery_type: 'standard' }, '2026-11-24T15:00:00+11:00'],
    ['fitzroy', { ...promised, store_reference: 'fitzroy' }, '2026-11-24T21:00:00+11:00'],
    ['back', promised, '2026-11-24T15:00:00+11:00', 'returned'],
    ['gone', promised, '2026-11-24T15:00:00+11:00', 'cancelled'],
    ['first-day', promised, '2026-10-28T00:00:00+11:00'],
    ['before', promised, '2026-10-27T23:59:59+11:00'],
  ]
  for (const [reference, over, cameAt, status] of ends) {
    const { text, ...made } = await api.call('POST /demo/deliveries', {
      body: deliveryBody({ reference, ...over }),
    })
    assert.equal(made.status, 201, text)
    await end(api, reference, cameAt, status)
  }
  await api.call('POST /demo/deliveries', { body: deliveryBody({ reference: 'open' }) })
  const period = 'ended_from=2026-10-28&ended_to=2026-11-24'
  const listed = async (query: string) => {
    const { status, json, text } = await api.call(`GET /demo/deliveries?${query}`)
    assert.equal(status, 200, `${query}: ${text}`)
    return json.data.map(({ reference }: { reference: string }) => reference).toReversed()
  }
  const { data } = (await api.call('GET /demo/insights')).json
  const cases: [query: string, found: string[], count: number][] = [
    [
      period,
      ['early', 'inside', 'last', 'late', 'road', 'fitzroy', 'back', 'first-day'],
      data.total.deliveries,
    ],
    [`${period}&timeliness=late`, ['late', 'fitzroy'], data.total.late],
    ['timeliness=late', ['late', 'fitzroy'], data.total.late],
    [`${period}&timeliness=early`, ['early', 'road', 'first-day'], data.total.early],
    [`${period}&timeliness=on_time`, ['inside', 'last'], data.total.on_time],
    [`${period}&status=returned`, ['back'], data.total.returned],
    [`${period}&store_reference=fitzroy`, ['fitzroy'], data.stores[1].deliveries],
    [`${period}&provider=southern_parcels&service=ROAD`, ['road'], data.services[1].deliveries],
    [`${period}&provider=swiftly&timeliness=late`, ['late', 'fitzroy'], data.services[0].late],
    [`${period}&provider=none`, [], 0],
    ['ended_from=2026-10-20&ended_to=2026-10-27', ['before'], 1],
    [`${period}&q=fitz`, ['fitzroy'], 1],
  ]
  for (const [query, found, count] of cases) {
    assert.deepEqual(await listed(query), found, query)
    assert.equal(count, found.length, query)
  }
  assert.deepEqual(await listed(`${period}&limit=2`), ['back', 'first-day'], 'the newest first')

  // The demo's first document was applied before its clock was set back to that Tuesday.
  await api.fixture.deps.db.query(
    `update account_versions set applied_at = now() - interval '3 days' where account_id = 'demo'`,
  )
  const { versions } = (await api.call('GET /demo/insights')).json.data
  assert.equal(versions.length, 1)
  assert.match(versions[0].applied_at, /^2026-11-21T10:0\d:\d\d\+11:00$/)
})
