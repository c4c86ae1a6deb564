import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Api, deliveryBody, parcel, testApi } from '../../../../test/api.ts'
import { textOf } from '../../../../test/documents/printed.ts'
import { without } from '../../../../test/tools.ts'

const perfumery = {
  ...parcel,
  reference: 'P2',
  contains_dangerous_goods: true,
  dangerous_goods: { dangerous_goods_definition: 'perfumery', net_weight_kg: 0.4 },
}
const pallet = { ...parcel, type: 'pallet', length_cm: 110, width_cm: 110, height_cm: 120, weight_kg: 300 }

test('a store’s manifests are split by group and by dangerous goods, submitted and priced', async (t) => {
  const api = await testApi(t)
  const road = [await booked(api, 'R-1'), await booked(api, 'R-2', { parcels: [{ ...parcel, quantity: 3 }] })]
  const mixed = await booked(api, 'R-3', { parcels: [parcel, perfumery] })
  const air = await booked(api, 'A-1', { delivery_type: 'express' })
  const freight = await booked(api, 'F-1', { parcels: [pallet] })
  await booked(api, 'S-1', { delivery_type: 'fast' })
  await booked(api, 'X-1', { store_reference: 'fitzroy' })

  const { status, json } = await api.call('POST /demo/store-manifests', {
    body: { store_reference: 'melbourne-cbd', create_manifest_now: true, generate_order_summary: true },
  })
  assert.equal(status, 201)
  assert.deepEqual(json.data.map(shapeOf), [
    ['SOUTHERN-ROAD', false, 2, 4],
    ['SOUTHERN-ROAD', true, 1, 2],
    ['SOUTHERN-AIR', false, 1, 1],
    ['BIGHAUL', false, 1, 1],
  ])
  const [first, dangerous] = json.data
  assert.deepEqual(
    first.delivery_ids,
    road.map(({ id }) => id),
  )
  assert.deepEqual(dangerous.delivery_ids, [mixed.id])
  for (const manifest of json.data) {
    assert.equal(manifest.status, 'submitted', manifest.status_reason)
    assert.match(manifest.external_ref.order_id, /^(SPO|BHM)/)
    const quotes = await Promise.all(manifest.delivery_ids.map((id: string) => read(api, id)))
    const quotedCents = quotes.reduce((sum, { service_quote }) => sum + service_quote.price_cents, 0)
    assert.equal(Math.round(manifest.external_ref.order_summary.total_cost * 100), quotedCents)
    assert.equal(manifest.counts.manifested, manifest.counts.deliveries)
    assert.match(manifest.order_summary_url, /order-summary\?exp=/)
  }
  const [, second] = first.manifest_deliveries
  assert.equal(second.tracking_details.article_ids.length, 3)
  assert.equal(second.tracking_details.article_id, second.tracking_details.article_ids[0])

  for (const { id } of [...road, mixed, air, freight])
    assert.equal((await read(api, id)).manifest_status, 'manifested')
  assert.equal((await read(api, 'S-1')).manifest_status, 'not_required')
  assert.equal((await read(api, 'X-1')).manifest_status, 'pending')

  const again = await api.call('POST /demo/store-manifests', {
    body: { store_reference: 'melbourne-cbd', create_manifest_now: true },
  })
  assert.deepEqual([again.status, again.json.data], [201, []])
  const listed = await api.call('GET /demo/manifests?store_reference=melbourne-cbd&limit=3')
  assert.deepEqual(
    listed.json.data.map(({ id }: { id: string }) => id),
    json.data
      .map(({ id }: { id: string }) => id)
      .reverse()
      .slice(0, 3),
  )
  const rest = await api.call(`GET /demo/manifests?after=${listed.json.pagination.next}`)
  assert.deepEqual([rest.json.data.length, rest.json.pagination.has_more], [1, false])
  const one = await api.call(`GET /demo/manifests/${first.id}`)
  assert.deepEqual({ ...one.json.data, order_summary_url: 0 }, { ...first, order_summary_url: 0 })
})

test('all ineligible references are named, and nothing is created or marked', async (t) => {
  const api = await testApi(t)
  await booked(api, 'N-1')
  await booked(api, 'N-2', { delivery_type: 'fast' })
  await booked(api, 'N-3', { store_reference: 'fitzroy' })
  await booked(api, 'N-4', { parcels: [perfumery] })
  await api.call('POST /demo/deliveries', {
    body: deliveryBody({ reference: 'N-5', delivery_type: 'standard' }),
  })
  const body = {
    store_reference: 'melbourne-cbd',
    create_manifest_now: true,
    ready_to_manifest: true,
    contains_dangerous_goods: false,
    delivery_references: ['N-1', 'N-2', 'N-3', 'N-4', 'N-5', 'nowhere'],
  }
  const { status, json } = await api.call('POST /demo/store-manifests', { body })
  assert.equal(status, 422)
  assert.deepEqual(
    json.errors.map(({ field, issue }: { field: string; issue: string }) => `${field} ${issue}`),
    [
      'delivery_references[1] not_eligible',
      'delivery_references[2] unknown_delivery',
      'delivery_references[3] not_eligible',
      'delivery_references[4] not_eligible',
      'delivery_references[5] unknown_delivery',
    ],
  )
  assert.match(json.errors[3].message, /N-5 is requested/)
  assert.equal((await read(api, 'N-1')).manifest_status, 'pending')
  assert.deepEqual((await api.call('GET /demo/manifests')).json.data, [])
})

test('a missing or unknown store is reported together with all other mistakes', async (t) => {
  const { call } = await testApi(t, { work: false })
  const cases: [string, object, string[]][] = [
    ['POST /demo/store-manifests', {}, ['create_manifest_now', 'store_id']],
    ['POST /demo/manifests', { store_reference: 'nowhere' }, ['manifest_group', 'store_reference']],
  ]
  for (const [line, body, fields] of cases) {
    const { status, json } = await call(line, { body })
    assert.equal(status, 422)
    assert.deepEqual(json.errors.map(({ field }: { field: string }) => field).sort(), fields)
  }
})

test('ready_to_manifest marks every eligible delivery of the store, not only the named ones', async (t) => {
  const api = await testApi(t)
  for (const reference of ['M-1', 'M-2', 'M-3']) await booked(api, reference)
  const before = await read(api, 'M-1')
  const { json } = await api.call('POST /demo/store-manifests', {
    body: {
      store_reference: 'melbourne-cbd',
      ready_to_manifest: true,
      create_manifest_now: true,
      delivery_references: ['M-2', 'M-2'],
    },
  })
  assert.deepEqual(json.data.map(shapeOf), [['SOUTHERN-ROAD', false, 1, 1]])
  const statuses = await Promise.all(['M-1', 'M-2', 'M-3'].map((reference) => read(api, reference)))
  assert.deepEqual(
    statuses.map(({ manifest_status }) => manifest_status),
    ['ready', 'manifested', 'ready'],
  )
  assert.ok(
    Date.parse(statuses[0].updated_at) > Date.parse(before.updated_at),
    'its readers see that it has changed',
  )
  const ready = await api.call('GET /demo/deliveries?manifest_status=ready')
  assert.equal(ready.json.data.length, 2)
})

test('a draft reserves nothing: deliveries on another manifest are named, submitted ones stay', async (t) => {
  const api = await testApi(t)
  for (const reference of ['D-1', 'D-2']) await booked(api, reference)
  const draft = async (references?: string[]) => {
    const named = references ? { delivery_references: references } : {}
    const body = { store_reference: 'melbourne-cbd', create_manifest_now: false, ...named }
    return (await api.call('POST /demo/store-manifests', { body })).json.data[0]
  }
  const [both, one] = [await draft(), await draft(['D-2'])]
  assert.equal(both.status, 'draft')
  assert.equal(both.external_ref.order_id, undefined)
  assert.equal((await read(api, 'D-1')).manifest_status, 'pending')

  const submitted = await api.call(`POST /demo/manifests/${one.id}/submit`)
  assert.equal(submitted.status, 200)
  const rejected = await api.call(`POST /demo/manifests/${both.id}/submit`)
  assert.deepEqual(
    [rejected.status, rejected.json.code, rejected.json.delivery_references],
    [409, 'deliveries_not_eligible', ['D-2']],
  )
  assert.match(rejected.json.detail, new RegExp(one.id))
  assert.equal((await read(api, 'D-1')).manifest_status, 'pending')

  const again = await api.call(`POST /demo/manifests/${one.id}/submit`)
  assert.deepEqual([again.status, again.json.data.external_ref], [200, submitted.json.data.external_ref])
  assert.equal((await api.call('POST /demo/manifests/man_nothing/submit')).status, 404)
})

test('two concurrent submits of one draft get the same order', async (t) => {
  const api = await testApi(t)
  await booked(api, 'T-1')
  const body = { store_reference: 'melbourne-cbd', create_manifest_now: false }
  const [draft] = (await api.call('POST /demo/store-manifests', { body })).json.data
  const answers = await Promise.all([1, 2, 3].map(() => api.call(`POST /demo/manifests/${draft.id}/submit`)))
  const orders = new Set(answers.map(({ json }) => json.data.external_ref.order_id))
  assert.equal(orders.size, 1)
  assert.ok(!orders.has(undefined))
  assert.deepEqual(await ledger(api, draft.id), ['manifest lodged'])
})

test('POST /manifests creates one group’s manifest, with dangerous goods or the rest on request', async (t) => {
  const api = await testApi(t)
  const store_id = (await booked(api, 'G-1')).store_id
  await booked(api, 'G-2', { parcels: [perfumery] })
  await booked(api, 'G-3', { delivery_type: 'express' })
  const post = (over: object) =>
    api.call('POST /demo/manifests', { body: { store_id, manifest_group: 'SOUTHERN-ROAD', ...over } })
  const dangerous = await post({ contains_dangerous_goods: true })
  assert.deepEqual(
    [dangerous.status, dangerous.json.data.map(shapeOf)],
    [201, [['SOUTHERN-ROAD', true, 1, 1]]],
  )
  assert.deepEqual((await post({ contains_dangerous_goods: true })).json.data, [])
  assert.deepEqual((await post({})).json.data.map(shapeOf), [['SOUTHERN-ROAD', false, 1, 1]])
  const unknown = await post({ manifest_group: 'NORTHERN' })
  assert.deepEqual([unknown.status, unknown.json.errors[0].field], [422, 'manifest_group'])
  assert.match(unknown.json.detail, /SOUTHERN-AIR/)
  assert.equal((await read(api, 'G-3')).manifest_status, 'pending')
})

test('a client without the scope, or of another store, gets no manifests', async (t) => {
  const api = await testApi(t)
  await booked(api, 'C-1')
  const client = async (body: object) => {
    const { json } = await api.operator('POST /admin/accounts/demo/clients', {
      body: { name: 'c', ...body },
    })
    await api.fixture.deps.accounts.refresh()
    return api.tokenOf(json.data.client_id, json.data.client_secret)
  }
  const reader = await client({ scopes: ['deliveries:read'] })
  const fitzroy = await client({ scopes: ['manifests'], store_references: ['fitzroy'] })
  const body = { store_reference: 'melbourne-cbd', create_manifest_now: true }
  assert.equal((await api.call('POST /demo/store-manifests', { body, token: reader })).status, 403)
  assert.equal((await api.call('POST /demo/store-manifests', { body, token: fitzroy })).status, 404)

  const [created] = (await api.call('POST /demo/store-manifests', { body })).json.data
  assert.equal((await api.call(`GET /demo/manifests/${created.id}`, { token: fitzroy })).status, 404)
  assert.equal((await api.call(`POST /demo/manifests/${created.id}/submit`, { token: fitzroy })).status, 404)
  assert.deepEqual((await api.call('GET /demo/manifests', { token: fitzroy })).json.data, [])
  const hidden = await api.call('GET /demo/manifests?store_reference=melbourne-cbd', { token: fitzroy })
  assert.deepEqual([hidden.status, hidden.json.detail], [404, 'There is no store melbourne-cbd.'])
  const mistakes = await api.call('POST /demo/store-manifests', { body: { create_manifest: true } })
  assert.deepEqual(mistakes.json.errors.map(({ field }: { field: string }) => field).sort(), [
    'create_manifest',
    'create_manifest_now',
    'store_id',
  ])
  const nowhere = await api.call('POST /demo/store-manifests', { body: { create_manifest_now: true } })
  assert.deepEqual([nowhere.status, nowhere.json.errors[0].field], [422, 'store_id'])
})

test('events report that manifests were created and submitted', async (t) => {
  const api = await testApi(t)
  await booked(api, 'E-1')
  const body = { store_reference: 'melbourne-cbd', create_manifest_now: true }
  const [created] = (await api.call('POST /demo/store-manifests', { body })).json.data
  const { rows } = await api.fixture.deps.db.query(
    `select type, data from events where account_id = 'demo' and type like 'manifest.%' order by position`,
  )
  assert.deepEqual(
    rows.map(({ type, data }) => [type, data.manifest_id, data.order_id, data.deliveries]),
    [
      ['manifest.created', created.id, undefined, 1],
      ['manifest.submitted', created.id, created.external_ref.order_id, 1],
    ],
  )
})

test('the same Idempotency-Key never creates a second manifest, also after a crash', async (t) => {
  const api = await testApi(t)
  await booked(api, 'I-1')
  const call = {
    body: { store_reference: 'melbourne-cbd', create_manifest_now: true },
    headers: { 'idempotency-key': 'k1' },
  }
  const first = await api.call('POST /demo/store-manifests', call)
  const replay = await api.call('POST /demo/store-manifests', call)
  assert.equal(replay.text, first.text)
  assert.equal(replay.headers['idempotent-replayed'], 'true')

  // The state after a process died between its commit and its response.
  await api.fixture.deps.db.query(
    `update idempotency_keys set status = null, body = null, locked_until = now() - interval '1 second' where key = 'k1'`,
  )
  const resumed = await api.call('POST /demo/store-manifests', call)
  assert.deepEqual(
    resumed.json.data.map(({ id }: { id: string }) => id),
    [first.json.data[0].id],
  )

  // The key is free after three days, and then creates a manifest of the deliveries of that day.
  await booked(api, 'I-2')
  await api.fixture.deps.db.query(`update idempotency_keys set created_at = now() - interval '73 hours'`)
  await api.fixture.deps.db.query('update manifests set created_at = $1', [
    new Date(api.fixture.demo().nowMs() - 73 * 3_600_000).toISOString(),
  ])
  const later = await api.call('POST /demo/store-manifests', call)
  assert.deepEqual(
    later.json.data[0].manifest_deliveries.map(({ reference }: { reference: string }) => reference),
    ['I-2'],
  )
})

test('a delivery on a manifest can no longer be cancelled', async (t) => {
  const api = await testApi(t)
  await booked(api, 'K-1')
  const body = { store_reference: 'melbourne-cbd', create_manifest_now: true }
  await api.call('POST /demo/store-manifests', { body })
  const cancel = await api.call('PATCH /demo/deliveries/K-1/request-cancel')
  assert.deepEqual([cancel.status, cancel.json.code], [409, 'cancel_refused'])
})

test('the order summary lists the handed-over consignments, at a signed URL', {
  skip: without('pdftotext'),
}, async (t) => {
  const api = await testApi(t)
  await booked(api, 'P-1', { parcels: [{ ...parcel, quantity: 2 }, perfumery] })
  const body = { store_reference: 'melbourne-cbd', create_manifest_now: true, generate_order_summary: true }
  const [created] = (await api.call('POST /demo/store-manifests', { body })).json.data
  const url = created.order_summary_url.replace('http://drover.test', '')
  const { status, bytes, headers } = await api.call(`GET ${url}`, { token: null })
  assert.deepEqual([status, headers['content-type']], [200, 'application/pdf'])
  const text = textOf(bytes).join('\n')
  for (const particulars of [
    created.external_ref.order_id,
    'P-1',
    'Carlton VIC 3053',
    'SOUTHERN-ROAD',
    '3 UN1266',
    '7.5 kg',
    created.external_ref.order_summary.total_cost.toFixed(2),
  ]) {
    assert.ok(text.includes(particulars), `${particulars} in ${text}`)
  }
  assert.ok(!text.includes('NOT SUBMITTED'))
  assert.equal((await api.call(`GET ${url.replace(/.$/, '-')}`, { token: null })).status, 403)
  assert.equal((await api.call(`GET /demo/manifests/${created.id}/order-summary`)).status, 200)

  await booked(api, 'P-2')
  const draft = await api.call('POST /demo/store-manifests', {
    body: { ...body, create_manifest_now: false },
  })
  const paper = await api.call(
    `GET ${draft.json.data[0].order_summary_url.replace('http://drover.test', '')}`,
    { token: null },
  )
  assert.ok(textOf(paper.bytes).join().includes('DRAFT – NOT SUBMITTED'))
})

test('a declaration has every particular once its carrier has the consignment', {
  skip: without('pdftotext'),
}, async (t) => {
  const api = await testApi(t)
  const batteries = {
    ...perfumery,
    reference: 'P3',
    quantity: 2,
    dangerous_goods: {
      dangerous_goods_definition: 'lithium_batteries_equipment',
      subsidiary_risk: 6.1,
      outer_packaging_type: 'jiffy',
    },
  }
  const one = await booked(api, 'DG-1', { parcels: [parcel, perfumery, batteries] })
  const url = one.dangerous_goods_form_url.replace('http://drover.test', '')
  assert.match(url, /^\/demo\/deliveries\/dlv_\w+\/label\/dgd\?exp=/)
  const { status, bytes } = await api.call(`GET ${url}`, { token: null })
  assert.equal(status, 200)
  const text = textOf(bytes, { layout: false }).join('\n').replace(/\s+/g, ' ')
  const particulars = [
    'UN1266',
    'Perfumery products',
    'II',
    '0.4 kg net',
    'UN3481',
    'Lithium ion batteries packed with equipment',
    '6.1',
    '2 × jiffy',
    '5 kg gross',
    'DG-1',
    one.consignment_number,
    'Wattle & Co',
    '200 Bourke St',
    '03 5550 0101',
    'Ada Nguyen',
    '12 Drummond Street',
    '0491 570 156',
    'I declare',
    '24 Nov 2026',
    'NOT BY AIR',
  ]
  for (const particular of particulars) assert.ok(text.includes(particular), `${particular} in ${text}`)
  const { db } = api.fixture.deps
  const stored = Buffer.from('%PDF-1.4 as an earlier release drew it')
  await db.query(`update carrier_labels set document = $1 where format = 'declaration'`, [stored])
  const again = await api.call('GET /demo/deliveries/DG-1/label/dgd')
  assert.deepEqual([again.status, again.bytes], [200, stored], 'the stored one')
  await db.query(`update carrier_labels set ref = 'EARLIER' where format = 'declaration'`)
  const rebooked = await api.call('GET /demo/deliveries/DG-1/label/dgd')
  assert.ok(textOf(rebooked.bytes).join().includes(one.consignment_number), 'another booking has its own')

  await booked(api, 'DG-2')
  await booked(api, 'DG-3', {
    parcels: [{ ...pallet, contains_dangerous_goods: true, dangerous_goods: perfumery.dangerous_goods }],
  })
  const waiting = deliveryBody({ reference: 'DG-4', delivery_type: 'standard', parcels: [perfumery] })
  const created = await api.call('POST /demo/deliveries', { body: waiting })
  assert.equal(created.json.data.dangerous_goods_form_url, undefined)
  const refusals = [
    ['DG-2', 404, 'no_declaration'],
    ['DG-3', 404, 'no_declaration'],
    ['DG-4', 409, 'declaration_not_available'],
    ['DG-5', 404, 'not_found'],
  ]
  for (const [reference, expectedStatus, expectedCode] of refusals) {
    const refused = await api.call(`GET /demo/deliveries/${reference}/label/dgd`)
    assert.deepEqual([refused.status, refused.json.code], [expectedStatus, expectedCode], `${reference}`)
  }
})

async function booked(api: Api, reference: string, over: object = {}) {
  const body = deliveryBody({ reference, delivery_type: 'standard', book_delivery_now: true, ...over })
  const { json } = await api.call('POST /demo/deliveries', { body })
  assert.equal(json.data?.status, 'booked', JSON.stringify(json))
  return json.data
}

async function read(api: Api, reference: string) {
  return (await api.call(`GET /demo/deliveries/${reference}`)).json.data
}

async function ledger(api: Api, reference: string): Promise<string[]> {
  const { json } = await api.operator(`GET /admin/accounts/demo/sandbox/ledger?reference=${reference}`)
  return json.data.map(
    ({ operation, outcome }: { operation: string; outcome: string }) => `${operation} ${outcome}`,
  )
}

// biome-ignore lint/suspicious/noExplicitAny: a response of any shape.
function shapeOf({ manifest_group, contains_dangerous_goods, delivery_ids, external_ref }: any) {
  return [
    manifest_group,
    contains_dangerous_goods,
    delivery_ids.length,
    external_ref.order_summary.number_of_items,
  ]
}
