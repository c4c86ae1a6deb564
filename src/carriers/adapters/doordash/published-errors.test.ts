import assert from 'node:assert/strict'
import test from 'node:test'
import { consignment } from '../../../../test/sandbox-carriers.ts'
import type { Outcome } from '../../port/carrier.ts'
import type { CarrierResponse } from '../../port/send.ts'
import { parseBooking, parseCancel, parseFound, parseQuote } from './parse.ts'

type Meaning = readonly [meaning: string, why: string]
const OTHERS_MAY_SERVE: Meaning = ['another_carrier', 'other carriers have other areas and hours']
const ACCOUNT: Meaning = ['later', 'somebody corrects the credentials, and the same request is taken']
const FIELD: Meaning = ['nobody', 'a documented validation error of a field that we send']
const NO_DELIVERY: Meaning = ['nobody', 'no delivery has that id; a search reads this 404 as not found']
const LATE: Meaning = ['nobody', 'the adapter asks how the delivery stands first: cancelled is a yes']
const STILL: Meaning = ['unknown', 'an earlier request is still in progress there: it is asked again']
const DUPLICATE: Meaning = [
  'unknown',
  'a delivery of that id exists: the adapter looks up whether it is ours',
]
const FAILURE: Meaning = ['unknown', 'an error inside DoorDash: the request may have been executed']

/**
 * Each code and each reason of DoorDash's own SDK (npm @doordash/sdk 0.6.13: the `…CodeEnum` and
 * `…ReasonEnum` of its generated client, and the codes that its `mapCodeToError` distinguishes, where a
 * reason replaces the code), with the status that the reference (developer.doordash.com, Drive, Errors) lists
 * for similar errors.
 */
const PUBLISHED: readonly (readonly [code: string, reason: string | null, status: number, Meaning])[] = [
  ['authentication_error', null, 401, ACCOUNT],
  ['authorization_error', null, 403, ACCOUNT],
  ['validation_error', null, 400, FIELD],
  ['unknown_delivery_id', null, 404, NO_DELIVERY],
  ['duplicate_delivery_id', null, 409, DUPLICATE],
  ['service_fault', null, 500, FAILURE],
  ['invalid_delivery_parameters', 'distance_too_long', 422, OTHERS_MAY_SERVE],
  ['invalid_delivery_parameters', 'pickup_address_not_in_coverage', 422, OTHERS_MAY_SERVE],
  ['invalid_delivery_parameters', 'delivery_address_not_in_coverage', 422, OTHERS_MAY_SERVE],
  ['invalid_delivery_parameters', 'outside_of_delivery_time', 422, OTHERS_MAY_SERVE],
  ['cancel_not_allowed', 'delivery_abandoned', 409, LATE],
  ['cancel_not_allowed', 'delivery_cancelled', 409, LATE],
  ['cancel_not_allowed', 'delivery_completed', 409, LATE],
  ['cancel_not_allowed', 'delivery_creation_in_progress', 409, STILL],
  ['cancel_not_allowed', 'delivery_picked_up', 409, LATE],
  ['cancel_not_allowed', 'cancellation_window_closed', 409, LATE],
  ['cancel_not_allowed', 'duplicate_request', 409, STILL],
  ['update_not_allowed', 'delivery_cancelled', 409, LATE],
  ['update_not_allowed', 'delivery_completed', 409, LATE],
  ['update_not_allowed', 'delivery_creation_in_progress', 409, STILL],
  ['update_not_allowed', 'delivery_picked_up', 409, LATE],
  ['update_not_allowed', 'delivery_abandoned', 409, LATE],
  ['update_not_allowed', 'update_window_closed', 409, LATE],
  ['distance_too_long', null, 422, OTHERS_MAY_SERVE],
  ['pickup_address_not_in_coverage', null, 422, OTHERS_MAY_SERVE],
  ['delivery_address_not_in_coverage', null, 422, OTHERS_MAY_SERVE],
  ['outside_of_delivery_time', null, 422, OTHERS_MAY_SERVE],
  ['delivery_abandoned', null, 409, LATE],
  ['delivery_completed', null, 409, LATE],
  ['delivery_picked_up', null, 409, LATE],
  ['cancellation_window_closed', null, 409, LATE],
  ['Pickup in Progress', null, 409, LATE],
  ['Delivery in Progress', null, 409, LATE],
  ['Delivery Complete', null, 409, LATE],
]

const READ: readonly ((response: CarrierResponse) => Outcome<unknown>)[] = [
  (response) => parseBooking(response, consignment),
  (response) => parseQuote(response, ['NOW'], 0),
  parseCancel,
]

function meaningOf(outcome: Outcome<unknown>): string {
  return outcome.kind === 'no' ? outcome.retry : outcome.kind
}

test('every code and reason in DoorDash’s SDK maps to the right outcome, under its own status and under others', () => {
  assert.equal(PUBLISHED.length, 34)
  for (const [code, reason, published, [meaning, why]] of PUBLISHED) {
    const body = { code, message: 'Sorry.', ...(reason === null ? {} : { reason }) }
    for (const status of new Set([published, 400, 409])) {
      for (const read of READ) {
        const outcome = read({ kind: 'answered', status, body })
        assert.equal(meaningOf(outcome), meaning, `${status} ${JSON.stringify(body)}: ${why}`)
      }
    }
  }
})

test('an invalid field is final, unless it is a place or time that others may serve', () => {
  const cases: [field: string, error: string, taken: string][] = [
    ['dropoff_phone_number', 'Phone number provided does not seem to be a valid one', 'nobody'],
    ['order_value', 'Please enter a subtotal $5.00 or greater', 'nobody'],
    ['dropoff_address', 'Could not resolve to a valid address', 'another_carrier'],
    ['pickup_address', 'DoorDash does not serve this area', 'another_carrier'],
    ['pickup_address', 'Pickup address not serviceable', 'another_carrier'],
    ['dropoff_address', 'Dropoff address not within service area', 'another_carrier'],
    [
      'dropoff_address',
      'Distance from pickup address to dropoff address exceeds 15 miles',
      'another_carrier',
    ],
    ['pickup_time', 'The earliest Dasher pickup time is 9:00 AM', 'another_carrier'],
  ]
  for (const [field, error, meaning] of cases) {
    const body = { code: 'validation_error', message: 'Sorry.', field_errors: [{ field, error }] }
    const outcome = parseBooking({ kind: 'answered', status: 400, body }, consignment)
    assert.equal(meaningOf(outcome), meaning, error)
  }
})

test('only unknown_delivery_id means that a search found nothing', () => {
  const search = (status: number, code: string) =>
    parseFound({ kind: 'answered', status, body: { code, message: 'Sorry.' } }, consignment)
  assert.deepEqual(search(404, 'unknown_delivery_id'), { kind: 'yes', value: null })
  for (const status of [404, 409, 422]) assert.equal(search(status, 'service_fault').kind, 'unknown')
})
