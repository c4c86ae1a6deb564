import assert from 'node:assert/strict'
import test from 'node:test'
import { consignment } from '../../../../test/sandbox-carriers.ts'
import type { CarrierResponse } from '../../port/send.ts'
import {
  labelsOf,
  parseBooking,
  parseBookingState,
  parseLabels,
  parsePage,
  parseQuote,
  partsOf,
} from './parse.ts'

/** In the shape of their own client's models, and of a consignment that an integrator looked up. */
const consignmentJson = {
  conId: 171_295_222,
  price: 10.17,
  tax: 1.02,
  total: 11.19,
  externalRef1: 'dlv_01-1',
  items: [
    { conItemId: 1, label: 'MS0020719756', reference: '1.1', packageType: 'P', quantity: 1 },
    { conItemId: 2, label: 'MS0020719757', reference: '1.2', packageType: 'P', quantity: 1 },
    { conItemId: 3, label: 'MS0020719758', reference: '2.1', packageType: 'P', quantity: 1 },
  ],
}

function answered(status: number, body: unknown): CarrierResponse {
  return { kind: 'answered', status, body }
}

const refused = (...codes: string[]) =>
  answered(400, { errors: codes.map((code) => ({ code, message: 'Sorry', suggestedValues: [] })) })

test('a consignment becomes a booking that is tracked by its labels', () => {
  const ref = '171295222/MS0020719756+MS0020719757+MS0020719758'
  assert.deepEqual(parseBooking(answered(201, { data: consignmentJson }), consignment), {
    kind: 'yes',
    value: {
      consignmentNumber: 'MS0020719756',
      carrierRef: ref,
      articles: [
        { parcelReference: 'P1', articleIds: ['MS0020719756', 'MS0020719757'] },
        { parcelReference: 'P2', articleIds: ['MS0020719758'] },
      ],
      costCents: 1_119,
    },
  })
  assert.deepEqual(partsOf(ref)?.conId, '171295222')
  for (const none of ['', '171295222', 'X 1/2?', '1/A+', '1/../2']) assert.equal(partsOf(none), null)
  assert.deepEqual(labelsOf(ref), ['MS0020719756', 'MS0020719757', 'MS0020719758'])
  assert.deepEqual(labelsOf('MS0020719756'), ['MS0020719756'])
  assert.deepEqual(labelsOf('ms-0020719756'), ['MS0020719756'], 'as a person typed it')
  assert.deepEqual(labelsOf('not one'), [])
})

test('fewer labels than units: outcome unknown', () => {
  const [first, second] = consignmentJson.items
  const same = consignmentJson.items.map((item) => ({ ...item, reference: '1.1' }))
  for (const items of [[first, second], same, []]) {
    assert.equal(
      parseBooking(answered(201, { data: { ...consignmentJson, items } }), consignment).kind,
      'unknown',
    )
  }
})

test('error codes say who may retry; of several codes the strictest counts', () => {
  const cases: [string[], string][] = [
    [['VAL_REQ'], 'no nobody'],
    [['PSC_NF'], 'no another_carrier'],
    [['PRI_WGT_MX_KG'], 'no another_carrier'],
    [['FIN_CR_LOW'], 'no later'],
    [['FIN_CR_STOP', 'PSC_ONF'], 'no another_carrier'],
    [['PSC_ONF', 'VAL_EMAIL'], 'no nobody'],
    [['REC_EXISTS'], 'unknown'],
    [['GEN'], 'unknown'],
    [['VAL_REQ', 'GEN'], 'unknown'],
  ]
  for (const [codes, expected] of cases) {
    const outcome = parseBooking(refused(...codes), consignment)
    assert.equal(outcome.kind === 'no' ? `no ${outcome.retry}` : outcome.kind, expected, codes.join())
  }
})

test('a 401 with an empty body leaves the outcome unknown', () => {
  assert.equal(parseBooking(answered(401, null), consignment).kind, 'unknown')
})

test('a listing is searched for our exact key', () => {
  const rows = [
    { conId: 9, externalRef1: 'dlv_01-12' },
    { conId: 8, externalRef1: null },
    { conId: 7, externalRef1: 'dlv_01-1' },
    { conId: 5, externalRef1: 'dlv_01-1' },
    'odd',
  ]
  const page = parsePage(answered(200, { data: rows }), 'dlv_01-1')
  assert.deepEqual(page, { kind: 'yes', value: { ours: 5, length: 5, more: true, unreadable: 1 } })
  const empty = parsePage(answered(200, { data: [] }), 'dlv_01-1')
  assert.deepEqual(empty, { kind: 'yes', value: { ours: null, length: 0, more: false, unreadable: 0 } })
})

test('a price includes GST and is valid for ten minutes', () => {
  const quote = {
    price: 10.17,
    tax: 1.02,
    total: 11.19,
    items: [{ description: 'Parcel of 1.30kg dead', total: 11.19 }],
  }
  assert.deepEqual(parseQuote(answered(200, { data: quote }), 'P', 1_000), {
    kind: 'yes',
    value: {
      carrierCode: 'P',
      priceCents: 1_119,
      lines: [{ name: 'carrier_price', cents: 1_119, detail: null }],
      quoteId: null,
      expiresAtMs: 601_000,
      window: null,
    },
  })
})

test('a deleted consignment has three possible responses', () => {
  const cases: [CarrierResponse, boolean][] = [
    [answered(200, { data: consignmentJson }), true],
    [answered(200, { data: null }), false],
    [refused('REC_NF'), false],
    [answered(404, { errors: [{ code: 'ANY', message: null }] }), false],
  ]
  for (const [response, exists] of cases) {
    assert.deepEqual(parseBookingState(response), { kind: 'yes', value: exists })
  }
  assert.equal(parseBookingState(answered(404, '<html>a proxy</html>')).kind, 'unknown')
})

test('a truncated document is rejected', () => {
  const whole = Buffer.from('%PDF-1.7\n…\n%%EOF\n')
  assert.equal(parseLabels(answered(200, whole)).kind, 'yes')
  assert.deepEqual(parseLabels(answered(200, whole.subarray(0, 9))), {
    ...{ kind: 'no', retry: 'later', message: 'its labels are incomplete' },
  })
  assert.deepEqual(parseLabels({ kind: 'no_answer', message: 'reset' }), {
    ...{ kind: 'no', retry: 'later', message: 'reset' },
  })
})
