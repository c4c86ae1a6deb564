import assert from 'node:assert/strict'
import test from 'node:test'
import { consignment } from '../../../../test/sandbox-carriers.ts'
import { treatAsCancelled } from '../../kit/status-polling.ts'
import type { CarrierResponse } from '../../port/send.ts'
import { parseBooking, parseCancel, parseFound, parseStatus } from './parse.ts'

const delivery = {
  external_delivery_id: 'dlv_01-1',
  delivery_status: 'created',
  fee: 975,
  tax: 98,
  currency: 'AUD',
  support_reference: '1343593362',
}
const booking = {
  consignmentNumber: '1343593362',
  carrierRef: 'dlv_01-1',
  articles: [
    { parcelReference: 'P1', articleIds: ['DDDLV01001', 'DDDLV01002'] },
    { parcelReference: 'P2', articleIds: ['DDDLV01003'] },
  ],
  costCents: 1_073,
}

function answered(status: number, body: unknown): CarrierResponse {
  return { kind: 'answered', status, body }
}

test('a delivery becomes a booking with labels that we generate', () => {
  assert.deepEqual(parseBooking(answered(200, delivery), consignment), { kind: 'yes', value: booking })
  const { support_reference, ...bare } = delivery
  const named = parseBooking(answered(200, bare), consignment)
  assert.ok(named.kind === 'yes')
  assert.equal(named.value.consignmentNumber, 'dlv_01-1')
})

test('what a repeated undocumented refusal means depends on its status', () => {
  const cases: [number, string][] = [
    [400, 'nobody'],
    [403, 'later'],
    [404, 'nobody'],
    [422, 'another_carrier'],
  ]
  for (const [status, retry] of cases) {
    assert.deepEqual(parseBooking(answered(status, { code: 'a_code', message: 'Sorry.' }), consignment), {
      kind: 'unknown',
      ifRepeated: retry,
      message: 'a_code: Sorry.',
    })
  }
  const unauthorised = parseBooking(answered(401, { code: 'a_code', message: 'Sorry.' }), consignment)
  assert.deepEqual(unauthorised, { kind: 'no', retry: 'later', message: 'a_code: Sorry.' })
})

test('a refusal names every invalid field', () => {
  const field_errors = [
    { field: 'dropoff_address', error: 'is unknown' },
    { field: 'order_value', error: 'is too high' },
  ]
  const outcome = parseBooking(
    answered(400, { code: 'validation_error', message: 'x', field_errors }),
    consignment,
  )
  assert.ok(outcome.kind === 'no')
  assert.equal(outcome.message, 'validation_error: dropoff_address is unknown: order_value is too high')
})

test('a proxy’s error leaves the outcome unknown', () => {
  for (const body of ['<html>', { message: 'forbidden' }, null]) {
    const outcome = parseBooking(answered(403, body), consignment)
    assert.ok(outcome.kind === 'unknown')
  }
})

test('a quote or a missing delivery is no booking; a failed search is unknown', () => {
  const quote = { ...delivery, delivery_status: 'quote' }
  assert.deepEqual(parseFound(answered(200, delivery), consignment), { kind: 'yes', value: booking })
  assert.deepEqual(parseFound(answered(200, quote), consignment), { kind: 'yes', value: null })
  const missing = answered(404, { code: 'unknown_delivery_id', message: '' })
  assert.deepEqual(parseFound(missing, consignment), { kind: 'yes', value: null })
  assert.equal(parseFound(answered(404, '<html>'), consignment).kind, 'unknown')
  assert.notEqual(parseFound(answered(401, { code: 'authentication_error' }), consignment).kind, 'yes')
})

test('a cancel succeeds if it says so; otherwise the delivery’s status decides', () => {
  const cancelOutcome = (body: object) => treatAsCancelled(parseStatus(answered(200, body)), 'cancelled')
  const cancelled = answered(200, { ...delivery, delivery_status: 'cancelled' })
  assert.deepEqual(parseCancel(cancelled), { kind: 'yes', value: null })
  assert.equal(cancelOutcome({ delivery_status: 'cancelled' }).kind, 'yes')
  assert.equal(cancelOutcome({ delivery_status: 'picked_up' }).kind, 'no')
  const missing = answered(404, { code: 'unknown_delivery_id', message: '' })
  assert.equal(treatAsCancelled(parseStatus(missing), 'cancelled').kind, 'unknown')
})
