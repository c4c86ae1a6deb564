import assert from 'node:assert/strict'
import test from 'node:test'
import { consignment } from '../../../../test/sandbox-carriers.ts'
import { treatAsCancelled } from '../../kit/status-polling.ts'
import type { CarrierResponse } from '../../port/send.ts'
import { parseBooking, parseCancel, parseProofs, parseSearch, parseStatus, parseTwin } from './parse.ts'
import { NOT_CANCELLABLE, QUOTE_INVALID, reader } from './refusals.ts'

const delivery = {
  id: 'del_X1',
  status: 'pending',
  fee: 1_099,
  currency: 'aud',
  external_id: consignment.key,
}
const booking = {
  consignmentNumber: 'del_X1',
  articles: [
    { parcelReference: 'P1', articleIds: ['UDDLV01001', 'UDDLV01002'] },
    { parcelReference: 'P2', articleIds: ['UDDLV01003'] },
  ],
  costCents: 1_099,
}

function answered(status: number, body: unknown): CarrierResponse {
  return { kind: 'answered', status, body }
}

function refusal(status: number, code: string, metadata?: object): CarrierResponse {
  return answered(status, { code, message: 'Sorry.', kind: 'error', metadata })
}

test('a delivery becomes a booking with labels that we generate', () => {
  assert.deepEqual(parseBooking(answered(200, delivery), consignment), { kind: 'yes', value: booking })
})

test('an incomplete delivery leaves the outcome unknown', () => {
  for (const odd of [{ id: 'dqt_X1' }, { fee: '10.99' }, { fee: -1 }, { currency: 'usd' }, { id: null }]) {
    assert.equal(parseBooking(answered(200, { ...delivery, ...odd }), consignment).kind, 'unknown')
  }
})

test('a refusal says who may retry: later, another carrier or nobody', () => {
  const cases: [number, string, string][] = [
    [422, 'address_undeliverable_limited_couriers', 'another_carrier'],
    [400, 'address_undeliverable_limited_couriers', 'another_carrier'],
    [400, 'address_undeliverable', 'another_carrier'],
    [400, 'pickup_window_too_small', 'another_carrier'],
    [503, 'couriers_busy', 'another_carrier'],
    [400, 'unknown_location', 'another_carrier'],
    [400, 'invalid_params', 'nobody'],
    [402, 'customer_suspended', 'later'],
    [403, 'customer_blocked', 'later'],
    [401, 'unauthorized', 'later'],
  ]
  for (const [status, code, retry] of cases) {
    const message = `${code}: Sorry.`
    assert.deepEqual(parseBooking(refusal(status, code), consignment), { kind: 'no', retry, message }, code)
  }
})

test('invalid parameters allow another carrier if only Uber’s limits were exceeded', () => {
  const invalid = 'The parameters of your request were invalid.'
  const cases: [string, object, string][] = [
    [invalid, {}, 'nobody'],
    [invalid, { metadata: { dropoff_phone_number: 'dropoff phone number is not valid.' } }, 'nobody'],
    [invalid, { metadata: { quote_id: 'The quote has already been used.' } }, 'nobody'],
    ['The dropoff ready time needs to be at least 30 minutes from now.', {}, 'another_carrier'],
    [invalid, { params: { dropoff_deadline_dt: 'is too early' } }, 'another_carrier'],
    [invalid, { metadata: { details: 'The pickup and dropoff are too far apart.' } }, 'another_carrier'],
    [invalid, { metadata: { dropoff_address: 'Unable to geocode the address.' } }, 'another_carrier'],
    ['Unable to resolve the address.', { metadata: { toString: 1 } }, 'another_carrier'],
  ]
  for (const [message, details, retry] of cases) {
    const body = { code: 'invalid_params', kind: 'error', message, ...details }
    const outcome = parseBooking(answered(400, body), consignment)
    assert.equal(outcome.kind === 'no' && outcome.retry, retry, JSON.stringify(body))
  }
  const metadata = { dropoff_address: 'Unable to geocode the address.' }
  const outcome = parseBooking(
    answered(400, { code: 'invalid_params', message: invalid, metadata }),
    consignment,
  )
  assert.equal(
    outcome.kind === 'no' && outcome.message,
    `invalid_params: ${invalid} dropoff_address: Unable to geocode the address.`,
  )
})

test('a response to a create that may have succeeded is an unknown outcome', () => {
  for (const [status, code] of [
    [500, 'internal_server_error'],
    [503, 'service_unavailable'],
    [408, 'request_timeout'],
    [409, 'duplicate_delivery'],
  ] as const) {
    assert.equal(parseBooking(refusal(status, code), consignment).kind, 'unknown', code)
  }
})

test('an expired, used or mismatched quote is distinguished from other refusals', () => {
  const isQuoteRefused = (response: CarrierResponse) => reader.isRefused(response, ...QUOTE_INVALID)
  for (const code of ['expired_quote', 'used_quote', 'mismatched_price_quote']) {
    assert.ok(isQuoteRefused(refusal(400, code)))
  }
  assert.equal(isQuoteRefused(refusal(400, 'address_undeliverable')), false)
  assert.equal(isQuoteRefused({ kind: 'no_answer', message: '' }), false)
})

test('a duplicate with our key is our booking, with another key a refusal, with no key unknown', () => {
  const twin = (external_id: unknown) => parseTwin(answered(200, { ...delivery, external_id }), consignment)
  assert.deepEqual(twin(consignment.key), { kind: 'yes', value: booking })
  assert.equal(twin('somebody else’s').kind, 'no')
  assert.equal(twin(undefined).kind, 'unknown')
  assert.equal(parseTwin(refusal(404, 'delivery_not_found'), consignment).kind, 'unknown')
})

test('a search finds our delivery and says whether there are more pages', () => {
  const search = { key: consignment.key, sinceMs: Date.parse('2026-11-24T00:00:00Z'), pageSize: 2 }
  const page = (data: unknown[], next_href?: string) =>
    parseSearch(answered(200, { data, next_href, object: 'list' }), search)
  const stranger = { id: 'del_other', external_id: 'x', currency: 'usd', created: '2026-11-24T00:00:00Z' }
  const older = { ...stranger, created: '2026-11-23T23:59:59.999Z' }
  const oldest = { ...stranger, created: '2026-11-23T00:00:00Z' }
  const wayBack = { ...delivery, id: 'ret_1' }
  const cases: [unknown[], string | undefined, object][] = [
    [
      [{ odd: 1 }, stranger, delivery],
      undefined,
      { ours: delivery.id, length: 3, more: true, unreadable: 1 },
    ],
    [[stranger], 'next', { ours: null, length: 1, more: true, unreadable: 0 }],
    [[stranger], '', { ours: null, length: 1, more: false, unreadable: 0 }],
    [[stranger, wayBack], undefined, { ours: null, length: 2, more: true, unreadable: 0 }],
    [[], 'next', { ours: null, length: 0, more: false, unreadable: 0 }],
    [[stranger, older], 'next', { ours: null, length: 2, more: true, unreadable: 0 }],
    [[older, oldest], 'next', { ours: null, length: 2, more: false, unreadable: 0 }],
    [[oldest, older], 'next', { ours: null, length: 2, more: true, unreadable: 0 }],
    [[older, { ...oldest, created: 'then' }], 'next', { ours: null, length: 2, more: true, unreadable: 0 }],
    [[older, oldest, { odd: 1 }], 'next', { ours: null, length: 3, more: true, unreadable: 1 }],
  ]
  for (const [data, next, value] of cases)
    assert.deepEqual(page(data, next), { kind: 'yes', value: { ...value, next: null } })
  const named = page([stranger], 'https://api.uber.com/v1/customers/c/deliveries?limit=2&offset=2')
  assert.equal(named.kind === 'yes' && named.value.next, 'limit=2&offset=2')
})

test('a cancel succeeds if it says so; otherwise the delivery’s status decides', () => {
  assert.ok(reader.isRefused(refusal(400, 'noncancelable_delivery'), NOT_CANCELLABLE))
  assert.deepEqual(parseCancel(answered(200, { ...delivery, status: 'canceled' })), {
    kind: 'yes',
    value: null,
  })
  assert.deepEqual(parseCancel(refusal(404, 'delivery_not_found')), {
    kind: 'no',
    retry: 'nobody',
    message: 'delivery_not_found: Sorry.',
  })
  assert.equal(treatAsCancelled(parseStatus(answered(200, { status: 'canceled' })), 'canceled').kind, 'yes')
  assert.equal(treatAsCancelled(parseStatus(answered(200, { status: 'dropoff' })), 'canceled').kind, 'no')
})

test('a signer’s name is cleaned for the database, and the picture is stored even if the name is malformed', () => {
  const image_url = 'https://pictures.example/1.png'
  for (const [name, signedBy] of [
    ['Ann Smith', 'Ann Smith'],
    ['Ann\u0000Smith', 'Ann Smith'],
    ['\ud83d', '\ufffd'],
    ['x'.repeat(400), 'x'.repeat(300)],
    [7, null],
  ]) {
    const signed = { ...delivery, dropoff: { verification: { signature: { image_url, name } } } }
    assert.deepEqual(parseProofs(answered(200, signed)), {
      kind: 'yes',
      value: [{ kind: 'signature', signedBy, url: image_url }],
    })
  }
})
