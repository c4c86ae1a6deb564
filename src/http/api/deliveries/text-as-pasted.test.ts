import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  address,
  customer,
  deliveryBody,
  lineItem,
  parcel,
  quoteBody,
  testApi,
} from '../../../../test/api.ts'

const CREATE = 'POST /demo/deliveries'
const QUOTE = 'POST /demo/deliveries/quote-next-available'
const AVAILABILITY = 'POST /demo/deliveries/quote/availability'
const LINK = 'POST /demo/links'
const EMPTY = ['', '  ', '\u00A0\u3000', null]

test('an optional field that is empty, blank or null counts as not sent', async (t) => {
  const api = await testApi(t, { work: false })
  const optional = (empty: unknown) => ({
    delivery_type: empty,
    price_cents_total_value: empty,
    provider_options: empty,
    product_types: empty,
    address: { ...address, address2: empty, company_name: empty, name: empty, business: empty },
    parcels: [{ ...parcel, description: empty, type: empty, dangerous_goods: empty }],
  })
  let number = 0
  for (const empty of EMPTY) {
    for (const line of [QUOTE, AVAILABILITY]) {
      const { status, json } = await api.call(line, { body: { ...quoteBody, ...optional(empty) } })
      assert.equal(status, 200, JSON.stringify(json))
    }
    const body = deliveryBody({
      ...optional(empty),
      reference: `EMPTY-${++number}`,
      store_id: empty,
      book_delivery_now: empty,
      quote_id: empty,
      special_instructions: empty,
      pickup_instructions: empty,
      staff_courier: empty,
      metadata: empty,
      line_items: [{ ...lineItem, packing_instructions: empty }],
      customer: { ...customer, country: empty },
    })
    const { status, json } = await api.call(CREATE, { body })
    assert.equal(status, 201, JSON.stringify(json))
    for (const name of ['special_instructions', 'delivery_type', 'staff_courier', 'provider_options'])
      assert.ok(!(name in json.data) || name === 'delivery_type', name)
    assert.ok(!('address2' in json.data.address) && !('company_name' in json.data.address))
    const link = {
      store_reference: 'melbourne-cbd',
      reference: `LINK-${number}`,
      expires_at: empty,
      customer: { ...customer, email: empty, country: empty },
      address: { ...address, country: empty, address2: empty, company_name: empty },
      line_items: [lineItem],
      parcels: [parcel],
    }
    const created = await api.call(LINK, { body: link })
    assert.equal(created.status, 201, JSON.stringify(created.json))
  }
})

test('provider options without a provider and a service count as not sent', async (t) => {
  const api = await testApi(t, { work: false })
  const provider_options = { provider: null, service: '' }
  const quoted = await api.call(QUOTE, { body: { ...quoteBody, provider_options } })
  assert.equal(quoted.status, 200, quoted.text)
  const created = await api.call(CREATE, { body: deliveryBody({ provider_options }) })
  assert.equal(created.status, 201, created.text)
  assert.ok(!('provider_options' in created.json.data))
  // The mistakes of a body that its schema rejects are found in another place.
  const refused = await api.call(CREATE, { body: deliveryBody({ reference: '', provider_options }) })
  assert.deepEqual(
    refused.json.errors.map(({ field }: { field: string }) => field),
    ['reference'],
  )
})

test('a required field that is empty, blank or null is rejected by name', async (t) => {
  const api = await testApi(t, { work: false })
  for (const empty of EMPTY) {
    const body = deliveryBody({
      reference: empty,
      address: { ...address, city: empty, state: empty, post_code: empty },
      customer: { ...customer, first_name: empty, phone: empty, email: empty },
    })
    const { status, json } = await api.call(CREATE, { body })
    assert.equal(status, 422)
    const fields = json.errors.map(({ field }: { field: string }) => field)
    for (const field of ['reference', 'address.city', 'address.state', 'address.post_code'])
      assert.ok(fields.includes(field), `${JSON.stringify(empty)}: ${field} of ${fields}`)
    for (const field of ['customer.first_name', 'customer.phone', 'customer.email'])
      assert.ok(fields.includes(field), `${JSON.stringify(empty)}: ${field} of ${fields}`)
  }
})

test('an amend with an empty field removes an optional value', async (t) => {
  const api = await testApi(t, { work: false })
  for (const [at, empty] of EMPTY.entries()) {
    const reference = `CLEAR-${at}`
    const body = deliveryBody({
      reference,
      special_instructions: 'Ring twice',
      delivery_type: 'express',
      line_items: [lineItem],
    })
    const { data } = (await api.call(CREATE, { body })).json
    assert.deepEqual([data.special_instructions, data.delivery_type], ['Ring twice', 'express'])
    const amend = {
      ready_for_pickup_at: body.ready_for_pickup_at,
      special_instructions: empty,
      delivery_type: empty,
      line_items: empty,
    }
    const { status, json } = await api.call(`PATCH /demo/deliveries/${data.id}/amend`, { body: amend })
    assert.equal(status, 200, JSON.stringify(json))
    assert.ok(!('special_instructions' in json.data), JSON.stringify(empty))
    assert.notEqual(
      json.data.delivery_type,
      'express',
      'the cheapest eligible type, not the one chosen before',
    )
    assert.deepEqual(json.data.line_items, [])
    for (const field of ['reference', 'address', 'customer', 'parcels']) {
      const refused = await api.call(`PATCH /demo/deliveries/${data.id}/amend`, {
        body: { ready_for_pickup_at: body.ready_for_pickup_at, [field]: empty },
      })
      assert.equal(refused.status, 422, field)
      assert.equal(refused.json.errors[0].field.split('.')[0], field)
    }
  }
})

test('a state is accepted by name, ISO code and in any case, and returned as its abbreviation', async (t) => {
  const api = await testApi(t, { work: false })
  for (const [at, state] of ['Victoria', 'vic', 'AU-VIC', ' Vic ', 'V.I.C.'].entries()) {
    const body = deliveryBody({ reference: `STATE-${at}`, address: { ...address, state } })
    const { status, json } = await api.call(CREATE, { body })
    assert.equal(status, 201, JSON.stringify(json))
    assert.equal(json.data.address.state, 'VIC')
  }
  const { json } = await api.call(CREATE, {
    body: deliveryBody({ address: { ...address, state: 'Tasmania' } }),
  })
  assert.equal(json.errors[0].field, 'address.post_code', 'a state against its postcode stays refused')
})

test('a phone, an email and a postcode are accepted as pasted; an offset may be hours only', async (t) => {
  const api = await testApi(t, { work: false })
  const body = deliveryBody({
    ready_for_pickup_at: '2026-11-24T13:00+11',
    address: { ...address, post_code: `\uFEFF${address.post_code} ` },
    customer: { ...customer, phone: '\u202A(+61) 0491 570 110\u202C', email: ' ada\u200B@example.com' },
  })
  const { status, json } = await api.call(CREATE, { body })
  assert.equal(status, 201, JSON.stringify(json))
  assert.equal(json.data.customer.phone, '+61491570110')
  assert.equal(json.data.customer.email, 'ada@example.com')
  assert.equal(json.data.address.post_code, address.post_code)
})

test('invisible characters in a reference or a name are rejected with name and position, all at once', async (t) => {
  const api = await testApi(t, { work: false })
  const body = deliveryBody({
    reference: 'SR-1\u200B',
    special_instructions: 'Ring\u00AD twice',
    customer: { ...customer, first_name: '\u200EAda', last_name: 'O’Brien 👩🏽‍💻' },
    parcels: [{ ...parcel, reference: 'A1\u00A0', description: 'Kettle\u2060' }],
  })
  const { status, json } = await api.call(CREATE, { body })
  assert.equal(status, 422)
  const messages = json.errors.map(({ message }: { message: string }) => message).sort()
  assert.deepEqual(messages, [
    'customer.first_name contains an invisible character, U+200E, at position 1. Remove it.',
    'parcels[0].description contains an invisible character, U+2060, at position 7. Remove it.',
    'parcels[0].reference contains an invisible character, U+00A0 (a no-break space), at position 3. Remove it.',
    'reference contains an invisible character, U+200B, at position 5. Remove it.',
    'special_instructions contains an invisible character, U+00AD, at position 5. Remove it.',
  ])
})

test('a driver logs in with a number as the phone’s contacts show it', async (t) => {
  const api = await testApi(t, { work: false })
  const { status, json } = await api.call('POST /driver/login', {
    body: { phone: '\u202A0491 570 110\u202C' },
    token: null,
  })
  assert.ok(status < 300, JSON.stringify(json))
})

test('a delivery lists the characters that its label cannot print, also once it is booked', async (t) => {
  const api = await testApi(t)
  const body = deliveryBody({
    book_delivery_now: true,
    customer: { ...customer, first_name: 'Дмитрий 😀', last_name: 'Nguyễn' },
  })
  const created = await api.call(CREATE, { body })
  const read = await api.call(`GET /demo/deliveries/${created.json.data.id}`)
  for (const { json } of [created, read]) {
    assert.equal(json.data.status, 'booked')
    assert.equal(json.data.label_warnings.length, 1)
    assert.match(json.data.label_warnings[0], /In customer\.first_name the label prints 😀 as “:grinning:”/)
  }
  const decision = await api.call(`GET /demo/deliveries/${read.json.data.id}/decision`)
  assert.deepEqual(decision.json.data.explanation.warnings, read.json.data.label_warnings)
})

test('a create with texts too long for any label is rejected, and costs sixty requests', async (t) => {
  const api = await testApi(t, { work: false })
  const long = {
    address: { ...address, address: 'W'.repeat(200) },
    special_instructions: 'W '.repeat(500).trim(),
  }
  const short = await api.call(CREATE, { body: deliveryBody({ reference: 'SHORT' }) })
  const refused = await api.call(CREATE, { body: deliveryBody({ reference: 'LONG', ...long }) })
  assert.deepEqual([refused.status, refused.json.errors[0].issue], [422, 'too_long'])
  const leftOf = ({ headers }: { headers: object }) =>
    Number(/r=(\d+)/.exec(String((headers as { ratelimit?: string }).ratelimit))?.[1])
  assert.ok(leftOf(short) - leftOf(refused) > 25, `${leftOf(short)} and ${leftOf(refused)} left`)
})

test('texts are compared in normalisation form C, and a delivery answers them as they were sent', async (t) => {
  const { call } = await testApi(t, { work: false })
  const [composed, decomposed] = ['Café-1', 'Cafe\u0301-1']
  const sent = {
    reference: decomposed,
    special_instructions: `Ring ${decomposed}`,
    customer: { ...customer, last_name: decomposed },
    parcels: [{ ...parcel, reference: decomposed }],
  }
  const body = deliveryBody(sent)
  const echoed = ({ data }: { data: typeof sent }) => [
    ...[data.reference, data.special_instructions, data.customer.last_name, data.parcels[0]?.reference],
  ]
  const expected = [decomposed, `Ring ${decomposed}`, decomposed, decomposed]
  const made = await call(CREATE, { body })
  assert.equal(made.status, 201, made.text)
  assert.deepEqual(echoed(made.json), expected)
  const again = await call(CREATE, { body: { ...body, reference: composed } })
  assert.deepEqual([again.status, again.json.code], [409, 'duplicate_reference'])
  for (const name of [composed, decomposed]) {
    const found = await call(`GET /demo/deliveries/${encodeURIComponent(name)}`)
    assert.deepEqual(echoed(found.json), expected)
  }
  const listed = await call(`GET /demo/deliveries?reference=${encodeURIComponent(composed)}`)
  assert.deepEqual(echoed({ data: listed.json.data[0] }), expected)

  const path = `PATCH /demo/deliveries/${made.json.data.id}/amend`
  const { ready_for_pickup_at } = body
  const amended = await call(path, { body: { ready_for_pickup_at, special_instructions: composed } })
  assert.equal(amended.status, 200, amended.text)
  assert.deepEqual(echoed(amended.json), [decomposed, composed, decomposed, decomposed])
  const renamed = await call(path, { body: { ready_for_pickup_at, reference: composed } })
  assert.deepEqual(echoed(renamed.json), [composed, composed, decomposed, decomposed])
})
