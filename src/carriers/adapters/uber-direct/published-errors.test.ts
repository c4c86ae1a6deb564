import assert from 'node:assert/strict'
import test from 'node:test'
import { consignment } from '../../../../test/sandbox-carriers.ts'
import type { Outcome } from '../../port/carrier.ts'
import type { CarrierResponse } from '../../port/send.ts'
import { parseBooking, parseCancel, parseQuote, parseSearch, parseStatus } from './parse.ts'

const FIND = { key: consignment.key, sinceMs: 0, pageSize: 100 }

/** The operations that we call, and the parser of each response. */
const READ: Readonly<Record<string, (response: CarrierResponse) => Outcome<unknown>>> = {
  quote: (response) => parseQuote(response, ['NOW']),
  create: (response) => parseBooking(response, consignment),
  list: (response) => parseSearch(response, FIND),
  get: parseStatus,
  cancel: parseCancel,
}

/** The outcome that we derive from an error, and why. */
const MEANINGS = {
  area: ['another_carrier', 'a place outside their area is not outside that of a parcel carrier'],
  map: ['another_carrier', 'they do not find it on their map, which a parcel carrier does without'],
  times: ['another_carrier', 'a rule of theirs about times, which another carrier may not have'],
  busy: ['another_carrier', 'no courier is free'],
  early: ['another_carrier', 'Uber says it before it makes anything, so it is a no even with 503'],
  account: ['later', 'it is about the account: once somebody corrects that, the same request is taken'],
  field: ['nobody', 'a documented validation error of a field that we send'],
  quote: ['nobody', 'the adapter books again without the quote, under the same key, before it reads this'],
  gone: ['nobody', 'a documented no'],
  late: ['nobody', 'the adapter asks how the delivery stands before it reads this: cancelled is a yes'],
  twin: ['unknown', 'a delivery like it exists: the adapter looks up whether it is ours'],
  timeout: ['unknown', 'Uber stopped waiting for itself: the delivery may have been made'],
  failure: ['unknown', 'an error inside Uber: the request may have been executed'],
} as const

/**
 * Each error that Uber gives as an example in its own OpenAPI (github uber/uber-direct-sdk,
 * src/deliveries/openapi.yaml, of 24 October 2024) for an operation that we call: its meaning to us, code,
 * the operations and statuses that it is given for, message, and metadata. We call neither updates nor proofs
 * of delivery.
 */
const PUBLISHED: readonly (readonly [
  meaning: keyof typeof MEANINGS,
  code: string,
  givenFor: string,
  message: string,
  metadata?: object,
])[] = [
  [
    'area',
    'address_undeliverable',
    'quote:400 create:400',
    'The specified location is not in a deliverable area.',
  ],
  [
    'field',
    'invalid_params',
    'quote:400 create:400 list:400 get:400 cancel:400',
    'The parameters of your request were invalid.',
  ],
  ['map', 'unknown_location', 'quote:400 create:400', 'The specified location was not understood.'],
  [
    'times',
    'pickup_window_too_small',
    'quote:400 create:400',
    'The pickup window needs to be at least 10 minutes long.',
  ],
  [
    'times',
    'dropoff_deadline_too_early',
    'quote:400 create:400',
    'The dropoff deadline needs to be at least 20 minutes after the dropoff ready time.',
  ],
  [
    'times',
    'dropoff_deadline_before_pickup_deadline',
    'quote:400 create:400',
    'The dropoff deadline needs to be after the pickup deadline.',
  ],
  [
    'times',
    'dropoff_ready_after_pickup_deadline',
    'quote:400 create:400',
    'The dropoff ready time needs to be at or before the pickup deadline.',
  ],
  ['times', 'pickup_ready_too_early', 'quote:400 create:400', 'The pickup ready time cannot be in the past.'],
  [
    'times',
    'pickup_deadline_too_early',
    'quote:400 create:400',
    'The pickup deadline time needs to be at least 20 minutes from now.',
  ],
  [
    'times',
    'pickup_ready_too_late',
    'quote:400 create:400',
    'The pickup ready time needs to be within the next 30 days.',
  ],
  [
    'busy',
    'address_undeliverable_limited_couriers',
    'quote:400 create:400',
    'The specified location is not in a deliverable area at this time because all couriers are currently busy.',
  ],
  [
    'account',
    'customer_limited',
    'quote:400 quote:429 create:429',
    'Your account’s limits have been exceeded.',
  ],
  ['account', 'not_allowed', 'quote:400 create:400', 'The parameters of your request were invalid.'],
  [
    'account',
    'unauthorized',
    'quote:401 create:401 list:401 get:401 cancel:401',
    'Invalid OAuth 2.0 credentials provided.',
  ],
  [
    'account',
    'customer_suspended',
    'quote:402 create:402',
    'Your account is passed due. Payment is required.',
  ],
  [
    'account',
    'customer_blocked',
    'quote:403 create:403',
    'Your account is not allowed to create deliveries.',
  ],
  [
    'account',
    'customer_not_found',
    'quote:404 create:404 list:404 get:404 cancel:404',
    'Customer does not exist.',
  ],
  [
    'timeout',
    'request_timeout',
    'quote:408 create:400 list:408 get:408 cancel:408',
    'The request timed out…',
  ],
  [
    'failure',
    'internal_server_error',
    'quote:500 create:500 list:500 get:500 cancel:500',
    'We have experienced a problem.',
  ],
  ['early', 'couriers_busy', 'quote:503 create:503', 'All of our couriers are currently busy.'],
  ['early', 'robo_couriers_busy', 'quote:503 create:503', 'All of our robo couriers are currently busy.'],
  [
    'failure',
    'service_unavailable',
    'quote:503 create:503 list:503 get:503 cancel:503',
    'Service is currently unavailable.',
  ],
  [
    'field',
    'invalid_params',
    'create:400',
    'The parameters of your request were invalid.',
    { param_details: 'The provided fields cannot be updated in the current job state.' },
  ],
  [
    'map',
    'invalid_params',
    'create:400',
    'The parameters of your request were invalid.',
    { param_details: 'cannot determine pickup address' },
  ],
  [
    'field',
    'invalid_params',
    'create:400',
    'The parameters of your request were invalid.',
    { dropoff_phone_number: 'dropoff phone number is not valid.' },
  ],
  [
    'times',
    'invalid_params',
    'create:400',
    'The parameters of your request were invalid.',
    { param_details: 'The dropoff ready time needs to be at least 10 minutes from now.' },
  ],
  [
    'map',
    'invalid_params',
    'create:400',
    'The parameters of your request were invalid.',
    { param_details: 'unable to resolve provided address through geocoding' },
  ],
  [
    'map',
    'invalid_params',
    'create:400',
    'The parameters of your request were invalid.',
    { param_details: 'Pickup Address and provided Long/Lat distance too far' },
  ],
  [
    'field',
    'invalid_params',
    'create:400',
    'The parameters of your request were invalid.',
    { param_details: 'Invalid restaurant gateway request' },
  ],
  [
    'field',
    'invalid_params',
    'create:400',
    'The parameters of your request were invalid.',
    { pickup_phone_number: 'pickup phone number is not valid.' },
  ],
  [
    'map',
    'invalid_params',
    'create:400',
    'The parameters of your request were invalid.',
    { param_details: 'No geocoding result found' },
  ],
  [
    'map',
    'invalid_params',
    'create:400',
    'The parameters of your request were invalid.',
    { param_details: 'invalid pickup location' },
  ],
  [
    'field',
    'invalid_params',
    'create:400',
    'The parameters of your request were invalid.',
    { address: 'This field is required.' },
  ],
  [
    'map',
    'invalid_params',
    'create:400',
    'The parameters of your request were invalid.',
    { param_details: 'delivery location changed' },
  ],
  [
    'times',
    'invalid_params',
    'create:400',
    'The parameters of your request were invalid.',
    { param_details: 'The dropoff ready time needs to be at least 29 minutes from now.' },
  ],
  ['quote', 'expired_quote', 'create:400', 'The price quote specified has expired.'],
  ['quote', 'used_quote', 'create:400', 'The price quote specified has been used.'],
  ['account', 'missing_payment', 'create:400', 'organization has no billing policy'],
  ['quote', 'mismatched_price_quote', 'create:400', 'Quote mismatch, please recreate the quote.'],
  [
    'twin',
    'duplicate_delivery',
    'create:409',
    'An active delivery like this already exists.',
    { delivery_id: 'del_1' },
  ],
  ['gone', 'delivery_not_found', 'get:404 cancel:404', 'The requested delivery does not exist.'],
  ['late', 'noncancelable_delivery', 'cancel:400', 'Delivery cannot be cancelled'],
  ['failure', 'unknown_error', 'cancel:500', 'Internal server error'],
]

const ROWS = PUBLISHED.flatMap(([meaning, code, operations, message, metadata]) =>
  operations.split(' ').map((one) => {
    const [operation = '', status] = one.split(':')
    const body = { code, message, kind: 'error', ...(metadata ? { metadata } : {}) }
    const [expected, why] = MEANINGS[meaning]
    return { operation, status: Number(status), body, expected, why }
  }),
)

function meaningOf(outcome: Outcome<unknown>): string {
  return outcome.kind === 'no' ? outcome.retry : outcome.kind
}

test('every error in Uber’s OpenAPI document maps to the right outcome', () => {
  assert.equal(ROWS.length, 85)
  assert.equal(ROWS.filter(({ operation }) => /quote|create|cancel/.test(operation)).length, 72)
  for (const { operation, status, body, expected, why } of ROWS) {
    const outcome = READ[operation]!({ kind: 'answered', status, body })
    assert.equal(meaningOf(outcome), expected, `${operation} ${status} ${JSON.stringify(body)}: ${why}`)
  }
})

test('an unknown outcome stays unknown under every other 4xx', () => {
  const unknown = ROWS.filter(({ expected }) => expected === 'unknown')
  for (const { operation, body } of unknown) {
    for (const status of [400, 404, 409, 410, 422]) {
      const outcome = READ[operation]!({ kind: 'answered', status, body })
      assert.equal(outcome.kind, 'unknown', `${operation} ${status} ${body.code}`)
    }
  }
})
