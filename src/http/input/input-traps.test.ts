import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliveryBody, lineItem, parcel, quoteBody, testApi } from '../../../test/api.ts'

/** A body as bytes, so that it can be text that JSON.stringify never writes. */
const raw = (text: string | Buffer, type = 'application/json') => ({
  payload: text,
  headers: { 'content-type': type },
})
const quoteWith = (over: object) => JSON.stringify({ ...quoteBody, ...over })
const parcelWith = (over: object) => quoteWith({ parcels: [{ ...parcel, ...over }] })
const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

test('values that break other programs are rejected with their field', async (t) => {
  const { call } = await testApi(t, { work: false })
  const QUOTE = 'POST /demo/deliveries/quote-next-available'
  const quote = (payload: string | Buffer, type?: string) => call(QUOTE, raw(payload, type))

  const cases: [name: string, payload: string | Buffer, status: number, field?: string][] = [
    ['NUL in a string', quoteWith({ store_reference: 'a\0b' }), 422, 'store_reference'],
    ['NUL in a nested string', parcelWith({ reference: 'a\0' }), 422, 'parcels[0].reference'],
    ['a lone surrogate', '{"store_reference":"\\ud800"}', 422, 'store_reference'],
    ['a lone surrogate as a key', '{"\\udfff":1}', 422, '\uFFFD'],
    ['invalid UTF-8', Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}')]), 400],
    ['UTF-16', Buffer.from(quoteWith({}), 'utf16le'), 400],
    ['21 deep', deep(21), 400],
    ['10,000 deep', deep(10_000), 400],
    ['10,000 deep behind another mistake', `{"__proto__":1,"a":${deep(10_000)}}`, 400],
    ['20 deep is read', deep(19), 422, 'a'],
    ['3e9 of a small integer', parcelWith({ quantity: 3e9 }), 422, 'parcels[0].quantity'],
    ['a fraction of an integer', parcelWith({ quantity: 1.5 }), 422, 'parcels[0].quantity'],
    ['zero of something', parcelWith({ quantity: 0 }), 422, 'parcels[0].quantity'],
    ['a negative measure', parcelWith({ weight_kg: -1 }), 422, 'parcels[0].weight_kg'],
    ['a zero measure', parcelWith({ length_cm: 0 }), 422, 'parcels[0].length_cm'],
    ['1e999', parcelWith({}).replace('2.5', '1e999'), 422, 'parcels[0].weight_kg'],
    ['2^53 + 1 cents', quoteWith({}).replace('4995', '9007199254740993'), 422, 'line_items[0].price_cents'],
    ['a fraction of a cent', quoteWith({}).replace('4995', '0.5'), 422, 'line_items[0].price_cents'],
    ['a string for a number', parcelWith({ weight_kg: '5' }), 422, 'parcels[0].weight_kg'],
    ['null for a number', parcelWith({ weight_kg: null }), 422, 'parcels[0].weight_kg'],
    ['true for a number', parcelWith({ weight_kg: true }), 422, 'parcels[0].weight_kg'],
    ['a number for a string', quoteWith({ store_reference: 5 }), 422, 'store_reference'],
    ['a string for a boolean', quoteWith({ ignore_buffer_time: 'true' }), 422, 'ignore_buffer_time'],
    ['an unknown field', quoteWith({ wieght: 1 }), 422, 'wieght'],
    ['an unknown nested field', parcelWith({ wieght_kg: 1 }), 422, 'parcels[0].wieght_kg'],
    [
      'a date that does not exist',
      quoteWith({ ready_for_pickup_at: '2026-02-30T10:00' }),
      422,
      'ready_for_pickup_at',
    ],
    ['a date without a time', quoteWith({ ready_for_pickup_at: '2026-02-20' }), 422, 'ready_for_pickup_at'],
    ['__proto__', '{"__proto__":{"admin":true}}', 422, '__proto__'],
    ['constructor', '{"constructor":{"prototype":{}}}', 422, 'constructor'],
    ['a body of another shape', '[1,2]', 422, ''],
    ['a bare string', '"quote"', 422, ''],
    ['null', 'null', 422, ''],
    ['nothing', '', 400],
    ['spaces', '   ', 400],
    ['half a body', '{"a":', 400],
    [
      '201 parcels',
      quoteWith({ parcels: Array.from({ length: 201 }, (_, i) => ({ ...parcel, reference: `P${i}` })) }),
      422,
      'parcels',
    ],
    ['501 items', quoteWith({ line_items: Array.from({ length: 501 }, () => lineItem) }), 422, 'line_items'],
    ['a million values', `{"parcels":[${'0,'.repeat(200_000)}0]}`, 422, ''],
    [
      'a million values behind another mistake',
      `{"__proto__":1,"parcels":[${'{},'.repeat(200_000)}{}]}`,
      422,
      '',
    ],
    ['45,000 different keys', `{${Array.from({ length: 45_000 }, (_, i) => `"k${i}":1`)}}`, 422, ''],
    ['100 different keys', `{${Array.from({ length: 100 }, (_, i) => `"k${i}":1`)}}`, 422, ''],
    ['nothing but mistakes', `{"parcels":["\\u0000"${',"\\u0000"'.repeat(9_000)}]}`, 422, 'parcels[0]'],
    [
      'a reference of 101 characters',
      parcelWith({ reference: 'x'.repeat(101) }),
      422,
      'parcels[0].reference',
    ],
    [
      'a reference of half a megabyte',
      parcelWith({ reference: 'x'.repeat(500_000) }),
      422,
      'parcels[0].reference',
    ],
    [
      'half a megabyte of spaces',
      parcelWith({ reference: ' '.repeat(500_000) }),
      422,
      'parcels[0].reference',
    ],
    ['an unknown name of half a megabyte', quoteWith({ ['x'.repeat(500_000)]: 1 }), 422, 'x'.repeat(60)],
    ['a space before a reference', parcelWith({ reference: ' P1' }), 422, 'parcels[0].reference'],
    ['a line break in a reference', parcelWith({ reference: 'P1\r\nX: y' }), 422, 'parcels[0].reference'],
    ['a bidi override in a reference', parcelWith({ reference: 'P\u202e1' }), 422, 'parcels[0].reference'],
    ['an empty reference', parcelWith({ reference: '' }), 422, 'parcels[0].reference'],
    ['more than a mebibyte', quoteWith({ store_reference: 'x'.repeat(1_100_000) }), 413],
  ]
  for (const [name, payload, status, field] of cases) {
    const { status: got, json, text } = await quote(payload)
    assert.equal(got, status, `${name}: ${text.slice(0, 300)}`)
    assert.equal(json.status, status, name)
    if (field !== undefined) {
      assert.equal(json.code, 'invalid_request', name)
      assert.ok(
        json.errors.some((one: { field: string }) => one.field === field),
        `${name}: ${text.slice(0, 300)}`,
      )
    }
    const fields = (json.errors ?? []).map((one: { field: string }) => one.field)
    assert.equal(new Set(fields).size, fields.length, `${name} is told once`)
  }
  for (const type of [
    'text/plain',
    'application/xml',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
  ]) {
    assert.equal((await quote(quoteWith({}), type)).status, 415, type)
  }
  assert.equal(
    (
      await call(QUOTE, {
        payload: quoteWith({}),
        headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      })
    ).status,
    415,
  )
  assert.equal((await call(QUOTE)).status, 400, 'no body at all')
})

test('a Content-Encoding without a body is ignored', async (t) => {
  const { call } = await testApi(t, { work: false })
  const headers = { 'content-encoding': 'gzip' }
  assert.equal((await call('GET /demo/stores', { headers })).status, 200)
  assert.equal((await call('GET /demo/deliveries/none', { headers })).status, 404)
  assert.equal((await call('PATCH /demo/deliveries/none/book', { headers })).status, 404)
  assert.equal((await call('DELETE /demo/links/none', { headers })).status, 404)
  const encoded = { payload: 'x', headers: { ...headers, 'content-type': 'application/json' } }
  assert.equal((await call('PATCH /demo/deliveries/none/book', encoded)).status, 415)
})

test('all mistakes are reported at once, with the nearest known name', async (t) => {
  const { call } = await testApi(t, { work: false })
  const { json } = await call('POST /demo/deliveries', {
    body: {
      ...deliveryBody({ parcels: [{ ...parcel, weight_kg: undefined, wieght_kg: 3 }] }),
      special_instruction: 'x',
      price_cents_total_value: 12.5,
      address: {
        business: true,
        city: 'Carlton',
        state: 'VCI',
        post_code: '305',
        country: 'AU',
        address: '12 Drummond St',
      },
      customer: { first_name: 'Ada', last_name: 'N', phone: '0491 570 156', email: 'ada' },
      staff_courier: { phone: '0491 570 157', driver_name: 'Mia' },
    },
  })
  const issues = new Map<string, { issue: string; message: string }>(
    json.errors.map((one: { field: string; issue: string; message: string }) => [one.field, one]),
  )
  const expected: [string, string, RegExp][] = [
    ['parcels[0].weight_kg', 'required', /is required/],
    ['parcels[0].wieght_kg', 'unknown_field', /Did you mean "weight_kg"/],
    ['special_instruction', 'unknown_field', /Did you mean "special_instructions"/],
    ['price_cents_total_value', 'invalid_value', /whole cents/],
    ['address.company_name', 'required', /company_name/],
    ['address.state', 'invalid_value', /VIC.*Did you mean "VIC"/],
    ['address.post_code', 'invalid_value', /four digits/],
    ['customer.email', 'invalid_value', /email/],
    ['staff_courier', 'conflict', /use_staff_couriers/],
  ]
  for (const [field, issue, message] of expected) {
    assert.equal(issues.get(field)?.issue, issue, field)
    assert.match(issues.get(field)?.message ?? '', message)
  }
  assert.equal(issues.size, expected.length, JSON.stringify(json.errors))
})

test('queries are as strict as bodies', async (t) => {
  const { call } = await testApi(t, { work: false })
  const cases: [string, string][] = [
    ['status=nonsense', 'status'],
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['limit=ten', 'limit'],
    ['limit=1e1', 'limit'],
    ['limit=', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['statsu=booked', 'statsu'],
    ['created_from=yesterday', 'created_from'],
    ['created_to=9999-12-31T23:59:59-11:00', 'created_to'],
    ['after=nonsense', 'after'],
    ['q=%00', 'q'],
    ['q=%FF', 'q'],
    ['status=booked&q=%ED%A0%80', 'q'],
    ['q=%zz', 'q'],
    ['%FF=1', '%FF'],
    ['q=', 'q'],
    ['store_reference=nowhere', 'store_reference'],
    ['__proto__=1', '__proto__'],
  ]
  for (const [query, field] of cases) {
    const { status, json, text } = await call(`GET /demo/deliveries?${query}`)
    assert.equal(status, 422, `${query}: ${text}`)
    assert.equal(json.errors[0].field, field, query)
  }
  assert.equal((await call('GET /demo/stores?anything=1')).status, 422)
  assert.equal(
    (await call('POST /demo/deliveries/quote/availability?explain=1', { body: quoteBody })).status,
    422,
  )
  assert.equal((await call('GET /demo/deliveries?limit=1&status=booked')).status, 200)
})

test('odd paths get an error and break nothing', async (t) => {
  const { call } = await testApi(t, { work: false })
  const cases: [string, number][] = [
    ['/demo/deliveries/%00', 404],
    ['/demo/deliveries/a%0Ab', 404],
    ['/demo/deliveries/%ff', 404],
    ['/demo/deliveries/%zz', 404],
    [`/demo/deliveries/${'x'.repeat(2_000)}`, 404],
    ["/demo/deliveries/'%3B--", 404],
    ['/demo/deliveries/dlv_1', 404],
    ['/demo/deliveries/..%2f..%2fetc', 404],
    ['/demo/deliveries//label', 404],
    ['/demo/deliveries/', 404],
    ['/demo/stores/%F0%9F%9A%9A', 404],
  ]
  for (const [path, status] of cases) {
    const reply = await call(`GET ${path}`)
    assert.equal(reply.status, status, `${path}: ${reply.text}`)
    assert.match(String(reply.headers['content-type']), /problem\+json/)
    assert.ok(reply.headers['x-request-id'], path)
    assert.ok(reply.headers.ratelimit, path)
    assert.equal((await call(`GET ${path}`, { token: null })).status, 401, `${path} without a token`)
  }
})
