import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Api, address, deliveryBody, parcel, quoteBody, testApi } from '../../../../test/api.ts'
import { TUESDAY_TEN_MS } from '../../../../test/fixture.ts'
import { until } from '../../../../test/wait-until.ts'
import { applyAccount, exportAccount } from '../../../operations/accounts/apply-account.ts'
import { openQuoteToken, sealQuoteToken } from '../../../operations/quoting/quote-token/quote-token.ts'

const CREATE = 'POST /demo/deliveries'
const QUOTE = 'POST /demo/deliveries/quote-next-available'
const AVAILABILITY = 'POST /demo/deliveries/quote/availability'
const READY = '2026-11-24T11:00:00+11:00'
const MINUTE_MS = 60_000
const CUT_OFF_PASSED_MS = TUESDAY_TEN_MS + 160 * MINUTE_MS

const quoted = { ...quoteBody, address, ready_for_pickup_at: READY }
const order = (over: object = {}) => deliveryBody({ ready_for_pickup_at: READY, ...over })

type Option = {
  price_cents: number
  from_datetime: string
  to_datetime: string
  quote_id: string
  valid_until: string
}

async function quote(api: Api, type = 'flexible', body: object = quoted): Promise<Option> {
  const { status, json, text } = await api.call(`${QUOTE}?hold=true`, { body })
  assert.equal(status, 200, text)
  return json.data[type]
}

test('without hold the responses have no extra fields', async (t) => {
  const api = await testApi(t, { work: false })
  const plain = (await api.call(QUOTE, { body: quoted })).json
  const held = (await api.call(`${QUOTE}?hold=true`, { body: quoted })).json
  const windows = (await api.call(AVAILABILITY, { body: quoted })).json
  const heldWindows = (await api.call(`${AVAILABILITY}?hold=true`, { body: quoted })).json
  assert.deepEqual(Object.keys(plain.data.flexible), [
    'price_cents',
    'currency',
    'from_datetime',
    'to_datetime',
    'num_days',
  ])
  assert.deepEqual(Object.keys(windows.flexible), ['from_datetime', 'to_datetime'])
  for (const [less, more] of [
    [plain.data, held.data],
    [windows, heldWindows],
  ]) {
    assert.deepEqual(Object.keys(less), Object.keys(more))
    for (const type of Object.keys(less)) {
      const { quote_id, valid_until, ...rest } = more[type]
      assert.deepEqual(rest, less[type])
      assert.match(quote_id, /^quo_[A-Za-z0-9_-]{100,400}$/)
      assert.match(valid_until, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    }
  }
})

test('a quote is valid for 30 minutes or the account’s setting, and never past its cut-off', async (t) => {
  const api = await testApi(t, { work: false })
  const lifeOf = async (type: string) => Date.parse((await quote(api, type)).valid_until) - Date.now()
  assert.ok(Math.abs((await lifeOf('standard')) - 30 * MINUTE_MS) < MINUTE_MS)
  await change(api, { quotes: { hold_minutes: 240 } })
  assert.ok(Math.abs((await lifeOf('standard')) - 240 * MINUTE_MS) < MINUTE_MS)
  // At 12:10, ready at 11:00 and with a buffer of 15 minutes: a delivery for today must be requested by 12:15.
  await api.fixture.setClock(TUESDAY_TEN_MS + 130 * MINUTE_MS)
  const left = await lifeOf('flexible')
  assert.ok(left > 3 * MINUTE_MS && left < 7 * MINUTE_MS, `${left / MINUTE_MS} minutes`)
  for (const minutes of [4, 241, 30.5])
    await assert.rejects(change(api, { quotes: { hold_minutes: minutes } }))
})

test('a quote keeps its price and window when the price list goes up', async (t) => {
  const api = await testApi(t, { work: false })
  const option = await quote(api)
  await change(api, { pricing: { markup_percent: 50 } })
  assert.ok((await quote(api)).price_cents > option.price_cents)
  const { status, json, text } = await api.call(CREATE, { body: order({ quote_id: option.quote_id }) })
  assert.equal(status, 201, text)
  const { price_cents, from_datetime, to_datetime } = json.data.service_quote
  assert.deepEqual(
    { price_cents, from_datetime, to_datetime },
    { price_cents: option.price_cents, from_datetime: option.from_datetime, to_datetime: option.to_datetime },
  )
  assert.equal(json.data.delivery_type, 'flexible')
  assert.equal(json.data.quote_id, undefined)

  const booked = await api.call(`PATCH /demo/deliveries/${json.data.id}/book`)
  assert.equal(booked.json.data.status, 'booked', booked.text)
  assert.equal(booked.json.data.service_quote.price_cents, option.price_cents)
  assert.equal(booked.json.data.from_datetime, option.from_datetime)
  assert.equal(booked.json.data.service_code, 'TODAY')
})

test('after the cut-off a quote is rejected with the current options, and nothing is created', async (t) => {
  const api = await testApi(t, { work: false })
  const option = await quote(api)
  await api.fixture.setClock(CUT_OFF_PASSED_MS)
  const body = order({ quote_id: option.quote_id })
  const { status, json } = await api.call(CREATE, { body })
  assert.deepEqual([status, json.code], [409, 'option_changed'])
  assert.match(json.options.flexible.from_datetime, /^2026-11-25/)
  assert.equal((await api.call(`GET /demo/deliveries/${body.reference}`)).status, 404)
  const rebooked = await api.call(CREATE, { body: { ...body, quote_id: json.options.flexible.quote_id } })
  assert.equal(rebooked.status, 201, rebooked.text)
  assert.equal(rebooked.json.data.from_datetime, json.options.flexible.from_datetime)
})

test('an expired quote is rejected with the current options', async (t) => {
  const api = await testApi(t, { work: false })
  const body = order({ quote_id: ranOut(api, (await quote(api)).quote_id) })
  const { status, json } = await api.call(CREATE, { body })
  assert.deepEqual([status, json.code], [409, 'option_changed'])
  assert.match(json.detail, /has expired/)
  assert.ok(json.options.flexible.quote_id)
})

test('every difference from the quote is named in one response', async (t) => {
  const api = await testApi(t, { work: false })
  const body = { ...quoted, price_cents_total_value: 10_000, product_types: { prescription_meds_s2: true } }
  const { quote_id } = await quote(api, 'flexible', body)
  const fitzroy = api.fixture.demo().account.storeByReference.get('fitzroy')!
  const good = { price_cents_total_value: 10_000, product_types: { prescription_meds_s2: true }, quote_id }
  const dangerous = {
    contains_dangerous_goods: true,
    dangerous_goods: { dangerous_goods_definition: 'aerosols' },
  }
  const cases: [object, string[]][] = [
    [{ store_reference: 'fitzroy' }, ['store_reference']],
    [{ store_reference: undefined, store_id: fitzroy.id }, ['store_id']],
    [{ ready_for_pickup_at: '2026-11-24T11:00:00.001+11:00' }, ['ready_for_pickup_at']],
    [{ ignore_buffer_time: true }, ['ignore_buffer_time']],
    [{ use_dynamic_RFP: true }, ['use_dynamic_RFP']],
    [{ price_cents_total_value: 10_001 }, ['price_cents_total_value']],
    [{ product_types: {} }, ['product_types']],
    [{ delivery_type: 'express' }, ['delivery_type']],
    [{ address: { ...address, address: '14 Drummond Street' } }, ['address.address']],
    [{ address: { ...address, business: true, company_name: 'Acme' } }, ['address.business']],
    [{ address: { ...address, city: 'Richmond', post_code: '3121' } }, ['address.post_code', 'address.city']],
    [{ parcels: [{ ...parcel, weight_kg: 2.6 }] }, ['parcels']],
    [{ parcels: [{ ...parcel, quantity: 2 }] }, ['parcels']],
    [{ parcels: [{ ...parcel, ...dangerous }] }, ['parcels']],
    [{ use_staff_couriers: true, staff_courier: { phone: '0491 570 156', driver_name: 'Bo' } }, ['quote_id']],
    [
      {
        price_cents_total_value: 1,
        product_types: { prescription_meds_s2: false },
        ignore_buffer_time: true,
      },
      ['ignore_buffer_time', 'price_cents_total_value', 'product_types'],
    ],
  ]
  for (const [over, fields] of cases) {
    const { status, json, text } = await api.call(CREATE, { body: order({ ...good, ...over }) })
    assert.equal(status, 422, text)
    assert.deepEqual(
      json.errors.map(({ field }: { field: string }) => field),
      fields,
      text,
    )
    for (const { message } of json.errors) assert.match(message, /quote/)
  }
  const same = {
    address: { ...address, address: ' 12 drummond  street', company_name: 'Acme', name: 'Ada' },
    delivery_type: 'flexible',
    parcels: [{ ...parcel, reference: 'Another', type: 'carton', description: 'A box' }],
    product_types: { prescription_meds_s2: true, alcohol: false },
    ready_for_pickup_at: '2026-11-24T11:00',
    line_items: [],
  }
  const { status, text } = await api.call(CREATE, { body: order({ ...good, ...same }) })
  assert.equal(status, 201, text)
})

test('the quote fixes the mode too, but not a field that it left open', async (t) => {
  const api = await testApi(t, { work: false })
  const pickup = await quote(api, 'standard', { ...quoted, delivery_mode: 'customer_pickup' })
  const turned = await api.call(CREATE, { body: order({ quote_id: pickup.quote_id }) })
  assert.deepEqual(
    turned.json.errors.map(({ field }: { field: string }) => field),
    ['delivery_mode'],
  )

  const open = await quote(api, 'flexible', quoteBody)
  const { status, text } = await api.call(CREATE, { body: order({ quote_id: open.quote_id }) })
  assert.equal(status, 201, text)
  const tomorrow = order({ quote_id: open.quote_id, ready_for_pickup_at: '2026-11-25T11:00:00+11:00' })
  assert.equal((await api.call(CREATE, { body: tomorrow })).json.code, 'option_changed')
})

test('a token that this account did not issue is rejected with its field', async (t) => {
  const api = await testApi(t, { work: false })
  const { quote_id } = await quote(api)
  const { deps } = api.fixture
  const own = openQuoteToken(placeOf(api), quote_id)!
  const acme = sealQuoteToken({ ...placeOf(api), accountId: 'acme-byoc' }, own)
  const other = sealQuoteToken({ ...placeOf(api), secretKey: `${deps.secretKey}!` }, own)
  const ofLink = sealQuoteToken({ ...placeOf(api), linkId: 'lnk_1' }, own)
  for (const bad of ['nonsense', 'quo_', quote_id.slice(0, -4), `${quote_id}AAAA`, acme, other, ofLink]) {
    const { status, json } = await api.call(CREATE, { body: order({ quote_id: bad }) })
    assert.equal(status, 422, bad)
    assert.deepEqual(
      json.errors.map(({ field }: { field: string }) => field),
      ['quote_id'],
    )
  }
  const long = await api.call(CREATE, { body: order({ quote_id: `quo_${'a'.repeat(2_000)}` }) })
  assert.equal(long.status, 422)
  const wrong = order({ quote_id: 'nonsense', address: { ...address, post_code: '9998' } })
  const { json } = await api.call(CREATE, { body: wrong })
  assert.deepEqual(json.errors.map(({ field }: { field: string }) => field).sort(), [
    'address.post_code',
    'quote_id',
  ])
})

test('a repeated key returns the first response although the quote has expired', async (t) => {
  const api = await testApi(t, { work: false })
  const { quote_id } = await quote(api)
  const body = order({ quote_id })
  const headers = { 'idempotency-key': 'held-1' }
  const first = await api.call(CREATE, { body, headers })
  assert.equal(first.status, 201, first.text)
  await api.fixture.setClock(CUT_OFF_PASSED_MS)
  const again = await api.call(CREATE, { body, headers })
  assert.equal(again.text, first.text)
  assert.equal(again.headers['idempotent-replayed'], 'true')
  const refused = { body: order({ quote_id }), headers: { 'idempotency-key': 'held-2' } }
  const no = await api.call(CREATE, refused)
  assert.equal(no.json.code, 'option_changed')
  await api.fixture.setClock(TUESDAY_TEN_MS)
  assert.equal((await api.call(CREATE, refused)).text, no.text)
})

test('a carrier refuses while the caller waits: the delivery is on hold with other options', async (t) => {
  const api = await testApi(t, { work: false })
  const option = await quote(api)
  const body = order({ reference: 'HOLD-rejected', quote_id: option.quote_id, book_delivery_now: true })
  const headers = { 'idempotency-key': 'refused-1' }
  const { status, json, text } = await api.call(CREATE, { body, headers })
  assert.deepEqual([status, json.code], [409, 'option_changed'], text)
  assert.match(json.detail, /Swiftly refused it/)
  assert.equal((await api.call(CREATE, { body, headers })).text, text)

  const held = (await api.call(`GET /demo/deliveries/${json.delivery_id}`)).json.data
  assert.equal(held.status, 'on_hold')
  assert.equal(held.from_datetime, option.from_datetime)
  assert.equal(held.status_reason, json.detail)
  const attempted = await attempts(api, json.delivery_id)
  assert.deepEqual(attempted, ['TODAY'])
  assert.equal(json.options.flexible, undefined, 'a carrier that refused is not an option')

  const { quote_id } = json.options.express
  const booked = await api.call(`PATCH /demo/deliveries/${json.delivery_id}/book`, { body: { quote_id } })
  assert.deepEqual([booked.status, booked.json.code], [409, 'option_changed'])
  assert.deepEqual(await attempts(api, json.delivery_id), ['TODAY', 'AIR'])
  await api.call(`PATCH /demo/deliveries/${json.delivery_id}/book`)
  assert.ok((await attempts(api, json.delivery_id)).length > 3, 'without a quote every carrier is tried')
})

test('a carrier refuses in the queue: no other is booked, and an event says so', async (t) => {
  const api = await testApi(t)
  const option = await quote(api)
  const body = order({ reference: 'QUEUE-rejected', quote_id: option.quote_id })
  const { json } = await api.call(CREATE, { body })
  const read = async () => (await api.call(`GET /demo/deliveries/${json.data.id}`)).json.data
  await until(async () => (await read()).status === 'on_hold')
  const { status_reason, from_datetime } = await read()
  assert.match(status_reason, /promised the customer Tuesday 24 November, 2 – 8 pm/)
  assert.equal(from_datetime, option.from_datetime)
  assert.deepEqual(await attempts(api, json.data.id), ['TODAY'])
})

test('a delivery that misses its promised time goes on hold and is not moved to another day', async (t) => {
  const api = await testApi(t, { work: false })
  const { quote_id } = await quote(api)
  const { json } = await api.call(CREATE, { body: order({ quote_id }) })
  await api.fixture.setClock(CUT_OFF_PASSED_MS)
  const booked = await api.call(`PATCH /demo/deliveries/${json.data.id}/book`)
  assert.equal(booked.json.data.status, 'on_hold')
  assert.match(booked.json.data.status_reason, /^No carrier can make that time any more/)
  assert.deepEqual(await attempts(api, json.data.id), [])
})

test('a quote books an existing delivery only if the delivery matches it', async (t) => {
  const api = await testApi(t, { work: false })
  const { json } = await api.call(CREATE, { body: order() })
  const book = `PATCH /demo/deliveries/${json.data.id}/book`
  assert.equal(json.data.delivery_type, 'flexible')
  const other = await quote(api, 'express', { ...quoted, parcels: [{ ...parcel, weight_kg: 9 }] })
  const refused = await api.call(book, { body: { quote_id: other.quote_id } })
  assert.deepEqual(
    refused.json.errors.map(({ field }: { field: string }) => field),
    ['parcels'],
  )
  assert.match(refused.json.detail, /^The delivery’s parcels/)
  assert.equal((await api.call(book, { body: { quote_id: 'nonsense' } })).json.errors[0].field, 'quote_id')

  const express = await quote(api, 'express')
  const headers = { 'idempotency-key': 'book-held' }
  const booked = await api.call(book, { body: { quote_id: express.quote_id }, headers })
  assert.equal(booked.status, 200, booked.text)
  const { status, delivery_type, service_quote, from_datetime } = booked.json.data
  assert.deepEqual(
    [status, delivery_type, service_quote.price_cents, from_datetime],
    ['booked', 'express', express.price_cents, express.from_datetime],
  )
  assert.equal((await api.call(book, { body: { quote_id: express.quote_id }, headers })).text, booked.text)
})

test('an amend chooses again, so an earlier quote no longer holds', async (t) => {
  const api = await testApi(t, { work: false })
  const option = await quote(api, 'express')
  const { json } = await api.call(CREATE, { body: order({ quote_id: option.quote_id }) })
  assert.equal(json.data.delivery_type, 'express')
  const path = `/demo/deliveries/${json.data.id}`
  const amended = await api.call(`PATCH ${path}/amend`, { body: { ready_for_pickup_at: READY } })
  assert.equal(amended.json.data.delivery_type, 'flexible')
  assert.ok(amended.json.data.service_quote.price_cents < option.price_cents)
})

test('availability holds the window, and no price', async (t) => {
  const api = await testApi(t, { work: false })
  const { json } = await api.call(`${AVAILABILITY}?hold=true`, { body: quoted })
  const { flexible } = json
  const created = await api.call(CREATE, { body: order({ quote_id: flexible.quote_id }) })
  assert.equal(created.status, 201, created.text)
  const { delivery_type, from_datetime, to_datetime } = created.json.data
  assert.deepEqual(
    [delivery_type, from_datetime, to_datetime],
    ['flexible', flexible.from_datetime, flexible.to_datetime],
  )
  const booked = await api.call(`PATCH /demo/deliveries/${created.json.data.id}/book`)
  assert.deepEqual([booked.json.data.status, booked.json.data.to_datetime], ['booked', flexible.to_datetime])
  await api.fixture.setClock(CUT_OFF_PASSED_MS)
  const late = await api.call(CREATE, { body: order({ quote_id: flexible.quote_id }) })
  assert.deepEqual(
    [late.json.code, typeof late.json.options.flexible.price_cents],
    ['option_changed', 'number'],
  )
})

test('a quote_id from availability is never rejected in the same second', async (t) => {
  const api = await testApi(t, { work: false })
  const asks = [
    {},
    { ready_for_pickup_at: '2027-02-02T16:30:00+11:00' },
    { address: { city: 'Perth', state: 'WA', post_code: '6000' } },
    { address: { city: 'Alice Springs', state: 'NT', post_code: '0870' } },
    {
      parcels: [
        {
          ...parcel,
          type: 'pallet',
          length_cm: 116,
          width_cm: 116,
          height_cm: 120,
          weight_kg: 300,
        },
      ],
    },
    { parcels: [{ ...parcel, weight_kg: 21 }] },
  ]
  let held = 0
  let unheld = 0
  for (const [number, ask] of asks.entries()) {
    const body = { ...quoted, ...ask }
    const { json } = await api.call(`${AVAILABILITY}?hold=true`, { body })
    for (const [type, { quote_id }] of Object.entries<{ quote_id?: string }>(json)) {
      if (quote_id === undefined) {
        unheld += 1
        continue
      }
      held += 1
      const to = { ...address, ...body.address }
      const created = await api.call(CREATE, {
        body: order({ ...ask, reference: `HELD-${number}-${type}`, address: to, quote_id }),
      })
      assert.equal(created.status, 201, `${type} ${JSON.stringify(ask)}: ${created.text}`)
    }
  }
  assert.ok(held > 6 && unheld > 0, `${held} held, ${unheld} not`)
})

test('an account with its own carriers holds the exact service, and cannot pin another', async (t) => {
  const api = await testApi(t, { work: false })
  const token = await api.tokenOf('acme-client', 'acme-secret', undefined, 'acme-byoc')
  const body = {
    ...quoted,
    store_reference: 'acme-geelong',
    ready_for_pickup_at: '2027-02-02T10:00:00+11:00',
  }
  const { json } = await api.call('POST /acme-byoc/deliveries/quote-next-available?hold=true', {
    body,
    token,
  })
  const { standard } = json.data
  const make = (over: object) =>
    api.call('POST /acme-byoc/deliveries', {
      token,
      body: order({
        store_reference: body.store_reference,
        ready_for_pickup_at: body.ready_for_pickup_at,
        quote_id: standard.quote_id,
        ...over,
      }),
    })
  const pinned = await make({ provider_options: { provider: 'big_haul' } })
  assert.deepEqual(
    pinned.json.errors.map(({ field }: { field: string }) => field),
    ['provider_options'],
  )
  const { provider, service } = standard
  const created = await make({ provider_options: { provider: provider.toUpperCase(), service } })
  assert.equal(created.status, 201, created.text)
  assert.equal(created.json.data.service_quote.price_cents, standard.price_cents)
})

async function attempts(api: Api, id: string): Promise<string[]> {
  const { json } = await api.call(`GET /demo/deliveries/${id}/decision`)
  return json.data.attempts.map(({ service }: { service: string }) => service)
}

function placeOf({ fixture }: Api) {
  return { secretKey: fixture.deps.secretKey, accountId: 'demo', linkId: null }
}

function ranOut(api: Api, quoteId: string): string {
  const token = openQuoteToken(placeOf(api), quoteId)!
  return sealQuoteToken(placeOf(api), { ...token, untilMs: Date.now() - 1 })
}

async function change({ fixture: { deps } }: Api, more: object): Promise<void> {
  const { document } = await exportAccount(deps, 'demo')
  await applyAccount(deps, { ...document, ...more }, { by: 'test' })
  await deps.accounts.refresh()
}
