import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { deliveryBody, parcel, type Reply, testApi } from '../../../../test/api.ts'
import { copies } from '../../../../test/booked-deliveries.ts'

const CREATE = 'POST /demo/deliveries'

test('the reference of a cancelled delivery is rejected with a free one as a proposal', async (t) => {
  const { call } = await testApi(t, { work: false })
  for (const reference of ['SR-1', 'SR-1-2']) {
    const { json } = await call(CREATE, { body: deliveryBody({ reference }) })
    await call(`PATCH /demo/deliveries/${json.data.id}/request-cancel`, { body: {} })
  }
  const again = await call(CREATE, { body: deliveryBody({ reference: 'SR-1' }) })
  assert.deepEqual(
    [again.status, again.json.code, again.json.delivery_status, again.json.suggested_reference],
    [409, 'duplicate_reference', 'cancelled', 'SR-1-3'],
  )
  assert.match(again.json.detail, /SR-1 is cancelled.*such as SR-1-3\./)
  const created = await call(CREATE, { body: deliveryBody({ reference: again.json.suggested_reference }) })
  assert.equal(created.status, 201)

  const other = await call(CREATE, { body: deliveryBody({ reference: 'SR-2' }) })
  const amended = await call(`PATCH /demo/deliveries/${other.json.data.id}/amend`, {
    body: { ready_for_pickup_at: other.json.data.ready_for_pickup_at, reference: 'SR-1' },
  })
  assert.deepEqual([amended.status, amended.json.suggested_reference], [409, 'SR-1-4'])
  const open = await call(CREATE, { body: deliveryBody({ reference: 'SR-2' }) })
  assert.deepEqual(
    [open.json.delivery_status, open.json.suggested_reference],
    [other.json.data.status, undefined],
  )
})

test('a reference of maximum length gets a proposal that is accepted', async (t) => {
  const { call } = await testApi(t, { work: false })
  const reference = 'R'.repeat(100)
  const { json } = await call(CREATE, { body: deliveryBody({ reference }) })
  await call(`PATCH /demo/deliveries/${json.data.id}/request-cancel`, { body: {} })
  const { suggested_reference } = (await call(CREATE, { body: deliveryBody({ reference }) })).json
  assert.equal((await call(CREATE, { body: deliveryBody({ reference: suggested_reference }) })).status, 201)
})

test('one row may hold all units of a delivery, at most 10,000', async (t) => {
  const { call } = await testApi(t, { work: false })
  const small = { ...parcel, type: 'carton', length_cm: 1, width_cm: 1, height_cm: 1, weight_kg: 0.001 }
  const quote = (...quantities: number[]) =>
    call(CREATE, {
      body: deliveryBody({
        reference: `U-${quantities.join('-')}`,
        parcels: quantities.map((quantity, at) => ({ ...small, reference: `P${at}`, quantity })),
      }),
    })
  const [one, two] = [await quote(1_092), await quote(546, 546)]
  assert.deepEqual([one.status, one.json.code], [two.status, two.json.code])
  assert.notEqual(one.json.code, 'invalid_request')
  assert.deepEqual(
    (await quote(10_001)).json.errors.map(({ field }: { field: string }) => field),
    ['parcels[0].quantity', 'parcels'],
  )
  assert.equal((await quote(9_999, 2)).json.code, 'invalid_request')
})

test('a cancelled delivery is named, and the labels of the others are returned', async (t) => {
  const { call } = await testApi(t, { work: false })
  const ids: string[] = []
  for (const reference of ['L-1', 'L-2', 'L-3']) {
    const { json } = await call(CREATE, { body: deliveryBody({ reference, book_delivery_now: true }) })
    ids.push(json.data.id)
  }
  await call(`PATCH /demo/deliveries/${ids[1]}/request-cancel`, { body: {} })
  const labels = (body: object) => call('POST /demo/deliveries/labels', { body: { format: 'zpl', ...body } })
  const refused = await labels({ delivery_ids: ids })
  assert.deepEqual([refused.status, refused.json.code], [409, 'label_not_available'])
  const rest = await labels({ delivery_ids: ids, skip_unavailable: true })
  const leftOut = ({ headers }: Reply) => [headers['labels-left-out'], headers['labels-left-out-count']]
  assert.deepEqual([rest.status, ...leftOut(rest)], [200, ids[1], '1'])
  assert.ok(rest.text.includes('L-1') && rest.text.includes('L-3') && !rest.text.includes('L-2'))
  const available = await labels({ delivery_ids: [ids[0], ids[2]], skip_unavailable: true })
  assert.deepEqual(leftOut(available), [undefined, undefined])
  assert.equal((await labels({ delivery_ids: [ids[1]], skip_unavailable: true })).status, 409)
})

test('of many deliveries without a label, the first 50 are named: a proxy may read only 4 kB of headers', async (t) => {
  const { call, fixture } = await testApi(t, { work: false })
  const { json } = await call(CREATE, {
    body: deliveryBody({ reference: 'BOOKED', book_delivery_now: true }),
  })
  await call(CREATE, { body: deliveryBody({ reference: 'OPEN' }) })
  const references = await copies(fixture, 'OPEN', 120)
  const { rows } = await fixture.deps.db.query<{ id: string }>(
    'select delivery_id as id from deliveries where reference = any ($1) order by delivery_id',
    [references],
  )
  const ids = rows.map(({ id }) => id)
  const body = {
    ...{ format: 'zpl', skip_unavailable: true },
    ...{ delivery_ids: [json.data.id, ...ids], delivery_references: references },
  }
  const { status, text, headers } = await call('POST /demo/deliveries/labels', { body })
  assert.equal(status, 200, text)
  assert.deepEqual(String(headers['labels-left-out']).split(', '), ids.slice(0, 50))
  assert.equal(headers['labels-left-out-count'], '120', 'each is named twice but counts once')
})

test('label_url is the same in every response and opens the label for 30 days', async (t) => {
  const { call } = await testApi(t, { work: false })
  const { json } = await call(CREATE, { body: deliveryBody({ reference: 'S-1', book_delivery_now: true }) })
  const { id, label_url } = json.data
  // A URL signed a second later would end a second later.
  await sleep(1_100)
  assert.equal((await call(`GET /demo/deliveries/${id}`)).json.data.label_url, label_url)
  const days = (Number(new URL(label_url).searchParams.get('exp')) * 1_000 - Date.now()) / 86_400_000
  assert.ok(days > 29.9 && days < 30.1, `${days} days`)
  const { pathname, search } = new URL(label_url)
  assert.equal((await call(`GET ${pathname}${search}`, { token: null })).status, 200)
})
