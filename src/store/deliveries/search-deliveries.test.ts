import assert from 'node:assert/strict'
import { test } from 'node:test'
import { customer, deliveryBody, testApi } from '../../../test/api.ts'
import { until } from '../../../test/wait-until.ts'

/** More than a search reads whole. */
const NEWER = 20_100

test('a customer is found by name, in either order, however many deliveries are newer', async (t) => {
  const { call, fixture } = await testApi(t, { work: false })
  const { db } = fixture.deps
  const create = async (reference: string, last_name: string) => {
    const body = deliveryBody({ reference, customer: { ...customer, first_name: 'Ada', last_name } })
    const { status, text, json } = await call('POST /demo/deliveries', { body })
    assert.equal(status, 201, text)
    return json.data.id as string
  }
  await create('OLD', 'Nguyễn')
  await create('BEFORE-SEARCH-KEYS', 'Kowalski')
  await db.query(`update deliveries set search_key = null where reference = 'BEFORE-SEARCH-KEYS'`)
  await create('LATER', 'Smith')
  // In parts, because a busy machine needs longer for all of them than a statement may take.
  for (let from = 1; from <= NEWER; from += 2_010)
    await db.query(
      `insert into deliveries
     select one.* from deliveries as d, generate_series($1::int, $1 + 2009) as n,
       jsonb_populate_record(d, jsonb_build_object('delivery_id', 'dlv_7' || lpad(n::text, 25, '0'), 'reference', 'N-' || n,
         'due_at', null, 'search_key', 'smithadasmith|fitzroy|n' || n)) as one
     where d.reference = 'LATER'`,
      [from],
    )
  const found = async (q: string) => {
    const { json } = await call(`GET /demo/deliveries?limit=5&q=${encodeURIComponent(q)}`)
    return json.data.map(({ reference }: { reference: string }) => reference)
  }
  for (const q of ['nguyen', 'NGUY', 'Ada Nguyễn', 'nguyen ada']) assert.deepEqual(await found(q), ['OLD'], q)
  assert.deepEqual(await found('OLD'), ['OLD'])
  assert.deepEqual(await found('kowalski'), [], 'only its number finds it')
  assert.deepEqual(await found('before-search-keys'), ['BEFORE-SEARCH-KEYS'])
  assert.equal((await found('smith')).length, 5)
  await create('NEW', 'Nguyen')
  assert.deepEqual(await found('nguyen'), ['NEW', 'OLD'])
  const first = await call('GET /demo/deliveries?limit=1&q=nguyen')
  const second = await call(`GET /demo/deliveries?limit=1&q=nguyen&after=${first.json.pagination.next}`)
  assert.deepEqual(
    [...first.json.data, ...second.json.data].map(({ reference }) => reference),
    ['NEW', 'OLD'],
  )
  // The newest delivery with this text has another reference.
  const { json } = await call('GET /demo/deliveries?limit=1&q=nguyen&reference=OLD')
  assert.equal(json.data[0]?.reference, 'OLD')
})

test('a search follows amendments and bookings', async (t) => {
  const { call, fixture } = await testApi(t)
  const ada = (last_name: string) => ({ ...customer, first_name: 'Ada', last_name })
  const created = await call('POST /demo/deliveries', {
    // Not due yet, so that it can be amended before it is booked.
    body: deliveryBody({
      reference: 'A-1',
      customer: ada('Nguyen'),
      ready_for_pickup_at: '2026-12-01T14:00:00+11:00',
    }),
  })
  assert.equal(created.status, 201, created.text)
  const { id } = created.json.data
  const key = async () => {
    const text = 'select search_key as key from deliveries where delivery_id = $1'
    return (await fixture.deps.db.query<{ key: string }>(text, [id])).rows[0]?.key ?? ''
  }
  assert.match(await key(), /^nguyenadanguyen\|[a-z]+\|a1$/)
  const { store_reference: _, ...body } = deliveryBody({ reference: 'A-2', customer: ada('Lee') })
  const amended = await call(`PATCH /demo/deliveries/${id}/amend`, { body })
  assert.ok(amended.status < 300, amended.text)
  assert.match(await key(), /^leeadalee\|[a-z]+\|a2/)
  await fixture.setClock(Date.parse('2026-11-25T14:30:00+11:00'))
  const number = await until(async () => {
    const { consignment_number } = (await call(`GET /demo/deliveries/${id}`)).json.data
    return consignment_number as string | null
  })
  assert.match(await key(), new RegExp(`^leeadalee\\|[a-z]+\\|a2\n${number.toLowerCase()}`))
  const { json } = await call(`GET /demo/deliveries?q=${number.slice(2, -1)}`)
  assert.deepEqual(
    json.data.map(({ reference }: { reference: string }) => reference),
    ['A-2'],
  )
})

test('a delivery of 10,000 pallets is booked, and found by its first articles', async (t) => {
  const { call } = await testApi(t)
  const { status, text, json } = await call('POST /demo/deliveries', {
    body: deliveryBody({
      reference: 'MANY',
      delivery_type: 'standard',
      book_delivery_now: true,
      address: {
        address: '12 Beach Rd',
        city: 'Ballarat Central',
        state: 'VIC',
        post_code: '3350',
        country: 'AU',
      },
      parcels: [
        {
          reference: 'P',
          quantity: 10_000,
          type: 'pallet',
          length_cm: 110,
          width_cm: 110,
          height_cm: 120,
          weight_kg: 300,
        },
      ],
    }),
  })
  assert.equal(status, 201, text.slice(0, 300))
  assert.equal(json.data.status, 'booked', json.data.status_reason)
  const [parcel] = json.data.parcels
  assert.equal(parcel.article_ids.length, 10_000)
  const found = await call(`GET /demo/deliveries?q=${parcel.article_ids[400]}`)
  assert.deepEqual(
    found.json.data.map(({ reference }: { reference: string }) => reference),
    ['MANY'],
  )
})
