import assert from 'node:assert/strict'
import test from 'node:test'
import type { CarrierResponse } from '../../port/send.ts'
import { parseBooking, parseCancel, parseScans } from './parse.ts'

function ok(body: object): CarrierResponse {
  return { kind: 'answered', status: 200, body: { Result: 'OK', ...body } }
}

function failed(reason: string, status = 200): CarrierResponse {
  return { kind: 'answered', status, body: { Result: 'FAIL', Reason: reason, Message: 'Sorry.' } }
}

test('a connote is a booking', () => {
  const Labels = [{ Ref: 'P1', Barcodes: ['BH1001'] }]
  assert.deepEqual(parseBooking(ok({ ConNote: 'BH1', ChargeCents: 4512, Labels })), {
    kind: 'yes',
    value: {
      consignmentNumber: 'BH1',
      articles: [{ parcelReference: 'P1', articleIds: ['BH1001'] }],
      costCents: 4512,
    },
  })
})

test('an OK without a connote leaves the outcome unknown', () => {
  assert.equal(parseBooking(ok({ ChargeCents: 4512, Labels: [] })).kind, 'unknown')
})

test('a FAIL result is a refusal with a 200 or a 4xx', () => {
  const cases: [CarrierResponse, string][] = [
    [failed('NO_DEPOT'), 'another_carrier'],
    [failed('CLOSED'), 'later'],
    [failed('BAD_REQUEST', 400), 'nobody'],
  ]
  for (const [response, retry] of cases) {
    const outcome = parseBooking(response)
    assert.deepEqual(outcome.kind === 'no' && outcome.retry, retry, JSON.stringify(response))
  }
  assert.equal(parseBooking(failed('toString')).kind, 'unknown', 'a reason that is not documented')
})

test('a repeated cancel succeeds', () => {
  assert.equal(parseCancel(ok({ ConNote: 'BH1' })).kind, 'yes')
  assert.equal(parseCancel(failed('ALREADY_CANCELLED')).kind, 'yes')
  assert.equal(parseCancel(failed('COLLECTED')).kind, 'no')
  assert.equal(parseCancel(failed('NOT_FOUND')).kind, 'no')
})

test('the same scan at the same time is one event; a malformed scan loses no others', () => {
  const scan = { ConNote: 'BH1', Scan: 'PICKUP', When: '2026-11-24T00:00:00Z' }
  const odd = { ...scan, When: 1 }
  const outcome = parseScans(
    ok({ Scans: [scan, odd, { ...scan, When: '2026-11-24T11:00:00+11:00' }, { ...scan, Scan: '??' }] }),
  )
  assert.ok(outcome.kind === 'yes')
  const { events, unreadable } = outcome.value
  assert.equal(unreadable, 1)
  assert.equal(events[0]?.eventId, events[1]?.eventId)
  assert.deepEqual(
    events.map(({ status, message }) => [status, message]),
    [
      ['collected', 'PICKUP'],
      ['collected', 'PICKUP'],
      [null, '??'],
    ],
  )
})
