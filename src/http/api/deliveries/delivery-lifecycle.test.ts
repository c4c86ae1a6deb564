import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Api, address, deliveryBody, parcel, quoteBody, testApi } from '../../../../test/api.ts'
import { TUESDAY_TEN_MS } from '../../../../test/fixture.ts'
import { untilStatus } from '../../../../test/until-status.ts'
import { until } from '../../../../test/wait-until.ts'

const HOUR_MS = 3_600_000

test('a requested delivery is booked once on request', async (t) => {
  const api = await testApi(t, { work: false })
  const created = await create(api)
  const booked = await api.call(`PATCH /demo/deliveries/${created.reference}/book`)
  assert.deepEqual([booked.status, booked.json.data.status], [200, 'booked'])
  assert.ok(booked.json.data.consignment_number)
  const again = await api.call(`PATCH /demo/deliveries/${created.id}/book`, { body: {} })
  assert.deepEqual([again.status, again.json.code], [409, 'not_bookable'])
  assert.deepEqual(await ledgerOf(api, created.reference), ['book booked'])
})

test('a booking response takes at most eight seconds, and the queue continues', async (t) => {
  const api = await testApi(t)
  const beganMs = performance.now()
  const created = await create(api, {
    delivery_type: 'fast',
    book_delivery_now: true,
    reference: 'NOW-lost-answer',
  })
  const tookMs = performance.now() - beganMs
  assert.ok(tookMs < 20_000, `${tookMs} ms`)
  assert.ok(['requested', 'booked'].includes(created.status), created.status)
  const later = await untilStatus(api, created.id, 'booked')
  assert.ok(later.consignment_number)
  const booked = (await ledgerOf(api, created.reference)).filter((entry) => entry === 'book booked')
  assert.equal(booked.length, 1)
})

test('a cancel with 200 is cancelled at the carrier too; a late cancel says what to do', async (t) => {
  const api = await testApi(t)
  const cancel = (id: string, call: object = {}) =>
    api.call(`PATCH /demo/deliveries/${id}/request-cancel`, call)
  const queued = await cancel((await create(api)).id)
  assert.deepEqual([queued.status, queued.json.data.status], [200, 'cancelled'])

  const booked = await create(api, { delivery_type: 'standard', book_delivery_now: true })
  const { status, json } = await cancel(booked.id, { body: { reason: 'Changed their mind' } })
  assert.deepEqual([status, json.data.status], [200, 'cancelled'])
  assert.deepEqual(await ledgerOf(api, booked.reference), ['book booked', 'cancel cancelled'])
  const timeline = (await api.call(`GET /demo/deliveries/${booked.id}/events`)).json.data
  assert.deepEqual([timeline.at(-1).type, timeline.at(-1).to], ['delivery.cancelled', 'cancelled'])

  const tooLate = await create(api, { delivery_type: 'fast', book_delivery_now: true })
  await api.fixture.setClock(TUESDAY_TEN_MS + 12 * HOUR_MS)
  await untilStatus(api, tooLate.id, 'delivered')
  const late = await cancel(tooLate.id)
  assert.deepEqual([late.status, late.json.code], [409, 'not_cancellable'])
  assert.match(late.json.detail, /delivered/)
})

test('a timeline lists each step oldest first, with its source', async (t) => {
  const api = await testApi(t)
  const created = await create(api, { delivery_type: 'fast', book_delivery_now: true })
  await api.fixture.setClock(TUESDAY_TEN_MS + 12 * HOUR_MS)
  await untilStatus(api, created.id, 'delivered')
  const { data } = (await api.call(`GET /demo/deliveries/${created.reference}/events`)).json
  assert.deepEqual(
    data.flatMap(({ to, source }: { to?: string; source: string }) => (to ? [`${to} ${source}`] : [])),
    [
      'created api',
      'requested api',
      'booked api',
      'assigned carrier',
      'approaching carrier',
      'collected carrier',
      'delivered carrier',
    ],
  )
  const times = data.map(({ at }: { at: string }) => Date.parse(at))
  assert.deepEqual(
    times,
    times.toSorted((a: number, b: number) => a - b),
  )
  for (const { id } of data) assert.match(id, /^evt_/)
  assert.equal(data[2].consignment_number, created.consignment_number)

  const updates = (await api.call(`GET /demo/deliveries/${created.reference}/carrier-events`)).json.data
  type TimelineEvent = { source: string; at: string; received_at?: string; detail?: string }
  const carrierEvents = data.filter(({ source }: TimelineEvent) => source === 'carrier')
  assert.deepEqual(
    updates.map(({ at, received_at, message }: { at: string; received_at: string; message: string }) => [
      at,
      received_at,
      message,
    ]),
    carrierEvents.map(({ at, received_at, detail }: TimelineEvent) => [at, received_at, detail]),
  )
  assert.deepEqual(
    updates.map(({ status }: { status: string }) => status),
    // Arrival at the destination is an update of its own that does not change the status.
    ['assigned', 'approaching', 'collected', 'collected', 'delivered'],
  )
  assert.ok(carrierEvents.every(({ at, received_at }: TimelineEvent) => received_at && received_at >= at))
  assert.ok(
    data.every(({ source, received_at }: TimelineEvent) => source === 'carrier' || received_at === undefined),
  )
})

test('a decision says why the driver needs a signature although the order gave authority to leave', async (t) => {
  const api = await testApi(t, { work: false })
  const asked = { authority_to_leave: true, price_cents_total_value: 10_000 }
  const warningsOf = async (body: object) => {
    const { id } = await create(api, { ...asked, ...body })
    return (await api.call(`GET /demo/deliveries/${id}/decision`)).json.data.explanation.warnings
  }
  assert.deepEqual(await warningsOf({ reference: 'LEAVE-1' }), [])
  const atWork = { ...address, business: true, company_name: 'Wattle Dental' }
  assert.deepEqual(await warningsOf({ reference: 'LEAVE-2', address: atWork }), [
    'The order gives authority to leave, but the driver must get a signature, because the address is a business.',
  ])
  assert.deepEqual(
    await warningsOf({ reference: 'LEAVE-3', address: atWork, authority_to_leave: false }),
    [],
    'nothing was overruled',
  )
})

test('a decision lists each service, and each carrier that was tried', async (t) => {
  const api = await testApi(t, { work: false })
  const created = await create(api, { reference: 'WHY-rejected', book_delivery_now: true })
  assert.deepEqual([created.status, Boolean(created.status_reason)], ['on_hold', true])
  const { explanation, attempts, account_version } = (
    await api.call('GET /demo/deliveries/WHY-rejected/decision')
  ).json.data
  assert.equal(account_version, api.fixture.demo().account.version)
  assert.deepEqual(
    explanation.services.map((one: { billing_basis?: object }) =>
      Object.keys(one.billing_basis ?? {}).join(),
    ),
    ['distance_km', 'distance_km', 'weight_kg', 'weight_kg', ''],
  )
  const now = (await api.call('GET /demo/deliveries/WHY-rejected/options')).json.data
  assert.deepEqual(
    now.explanation.services.map(({ service }: { service: string }) => service),
    explanation.services.map(({ service }: { service: string }) => service),
    'a manual retry starts the attempts again',
  )
  assert.deepEqual(
    explanation.services.map(
      ({ service, eligible }: { service: string; eligible: boolean }) => `${service} ${eligible}`,
    ),
    ['TODAY true', 'NOW true', 'ROAD true', 'AIR true', 'FREIGHT false'],
  )
  for (const { eligible, lines, price_cents, rule, detail } of explanation.services) {
    if (eligible)
      assert.equal(
        lines.reduce((sum: number, { cents }: { cents: number }) => sum + cents, 0),
        price_cents,
      )
    else assert.ok(rule && detail)
  }
  assert.deepEqual(
    attempts.map(({ service, state }: { service: string; state: string }) => `${service} ${state}`),
    ['TODAY rejected', 'NOW rejected', 'ROAD rejected', 'AIR rejected'],
  )
})

test('a delivery that no other carrier could take goes on hold at once, and the event says so', async (t) => {
  const api = await testApi(t, { work: false })
  const created = await create(api)
  const changeCity = (city: string) =>
    api.fixture.deps.db.query(
      `update deliveries set content = jsonb_set(content::jsonb, '{address,city}', to_jsonb($2::text))::json
       where delivery_id = $1`,
      [created.id, city],
    )
  // An address that we accept and the carrier does not; the response needs the old one again.
  await changeCity('')
  const authorization = `Bearer ${await api.tokenOf('demo-client', 'demo-secret')}`
  const url = `/demo/deliveries/${created.id}/book`
  const reply = await api.app.inject({ method: 'PATCH', url, headers: { authorization } })
  await changeCity('Carlton')
  assert.deepEqual([reply.statusCode, reply.json().data.status], [200, 'on_hold'])
  const { attempts } = (await api.call(`GET /demo/deliveries/${created.id}/decision`)).json.data
  assert.deepEqual(
    attempts.map(({ service, state }: Record<string, string>) => `${service} ${state}`),
    ['TODAY rejected'],
  )
  const last = (await api.call(`GET /demo/deliveries/${created.id}/events`)).json.data.at(-1)
  assert.deepEqual([last.type, last.from, last.to], ['delivery.on_hold', 'requested', 'on_hold'])
})

test('a store returns today’s hours, and its next closures by name', async (t) => {
  const api = await testApi(t, { work: false })
  const { data } = (await api.call('GET /demo/stores/melbourne-cbd')).json
  assert.equal(data.today.date, '2026-11-24')
  assert.deepEqual(data.today.trading, [
    { from: '2026-11-24T08:00:00+11:00', to: '2026-11-24T18:00:00+11:00' },
  ])
  assert.deepEqual(data.today.pickup, [
    { from: '2026-11-24T08:00:00+11:00', to: '2026-11-24T17:30:00+11:00' },
  ])
  assert.equal(data.today.open_now, true)
  assert.match(JSON.stringify(data.next_closures[0]), /2026-12-25.*Christmas Day/)
  assert.deepEqual((await api.call(`GET /demo/stores/${data.id}`)).json.data, data)
  await api.fixture.setClock(Date.parse('2026-12-25T10:00:00+11:00'))
  const christmas = (await api.call('GET /demo/stores/melbourne-cbd')).json.data.today
  assert.deepEqual([christmas.trading, christmas.open_now], [[], false])
})

test('a store says how its staff print labels; a label without a format is a PDF all the same', async (t) => {
  const api = await testApi(t, { work: false })
  const document = (await api.operator('GET /admin/accounts/demo')).json
  document.stores[0].labels = { format: 'zpl', printer: 'Zebra by the packing bench' }
  assert.equal((await api.operator('PUT /admin/accounts/demo', { body: document })).status, 200)
  const labelsOf = async (store: string) => (await api.call(`GET /demo/stores/${store}`)).json.data.labels
  assert.deepEqual(await labelsOf('melbourne-cbd'), document.stores[0].labels)
  assert.deepEqual(await labelsOf('fitzroy'), { format: 'pdf' })
  const { id } = await create(api, { book_delivery_now: true })
  const label = await api.call(`GET /demo/deliveries/${id}/label`)
  assert.match(label.text, /^%PDF/)
  assert.match((await api.call(`GET /demo/deliveries/${id}/label?format=zpl`)).text, /^\^XA/)
})

test('a store is open in the hours of an extra opening on a public holiday', async (t) => {
  const api = await testApi(t, { work: false })
  const document = (await api.operator('GET /admin/accounts/demo')).json
  document.stores[0].openings = [{ from: '2026-12-25', hours: '10:00-16:00', reason: 'Gifts' }]
  assert.equal((await api.operator('PUT /admin/accounts/demo', { body: document })).status, 200)
  await api.fixture.setClock(Date.parse('2026-12-25T10:00:00+11:00'))
  const { data } = (await api.call('GET /demo/stores/melbourne-cbd')).json
  assert.deepEqual(data.today.trading, [
    { from: '2026-12-25T10:00:00+11:00', to: '2026-12-25T16:00:00+11:00' },
  ])
  assert.equal(data.today.open_now, true)
  assert.deepEqual(data.next_openings, [
    { from: '2026-12-25T10:00:00+11:00', to: '2026-12-25T16:00:00+11:00', name: 'Gifts' },
  ])
  assert.deepEqual(data.next_closures[0], {
    from: '2026-12-25T16:00:00+11:00',
    to: '2026-12-26T00:00:00+11:00',
    name: 'Christmas Day',
  })
  const { json } = await api.call('POST /demo/deliveries/quote/availability', { body: quoteBody })
  assert.match(json.fast.from_datetime, /^2026-12-25T1/)
})

test('during a request to a carrier the intent is stored and no connection is held', async (t) => {
  const api = await testApi(t, { work: false })
  const { db } = api.fixture.deps
  const body = deliveryBody({ reference: 'SLOW-slow', delivery_type: 'standard', book_delivery_now: true })
  const answer = api.call('POST /demo/deliveries', { body })
  const intents = async () => (await db.query('select state, key from booking_intents')).rows
  await until(async () => (await intents()).length > 0, 'the intent is stored')
  let free = false
  for (let [intent] = await intents(); intent.state === 'sent'; [intent] = await intents()) {
    free ||= db.totalCount === db.idleCount
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  assert.ok(free, 'a connection was held during the request to the carrier')
  const { json } = await answer
  assert.equal(json.data.status, 'booked')
  const sent = await db.query('select reference from sandbox_consignments')
  assert.deepEqual(sent.rows, [{ reference: (await intents())[0].key }])
})

test('valuable and tall parcels go only to carriers that accept them', async (t) => {
  const api = await testApi(t, { work: false })
  const dear = await create(api, { price_cents_total_value: 500_001, delivery_type: 'express' })
  assert.equal(dear.service_code, 'AIR')
  const road = await api.call('POST /demo/deliveries', {
    body: deliveryBody({ price_cents_total_value: 500_001, delivery_type: 'standard' }),
  })
  assert.equal(road.json.code, 'no_service_available')
  const tall = await create(api, { parcels: [{ ...parcel, length_cm: 104 }] })
  assert.equal(tall.service_code, 'ROAD')
})

async function create(api: Api, over: object = {}) {
  const { status, json, text } = await api.call('POST /demo/deliveries', { body: deliveryBody(over) })
  assert.equal(status, 201, text)
  return json.data
}

async function ledgerOf(api: Api, reference: string): Promise<string[]> {
  const { json } = await api.operator(`GET /admin/accounts/demo/sandbox/ledger?reference=${reference}`)
  return json.data.map(
    ({ operation, outcome }: { operation: string; outcome: string }) => `${operation} ${outcome}`,
  )
}
