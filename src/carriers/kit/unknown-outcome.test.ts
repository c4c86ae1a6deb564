import assert from 'node:assert/strict'
import test from 'node:test'
import { z } from 'zod'
import type { CarrierResponse } from '../port/send.ts'
import { errorClassifier } from './error-classifier.ts'
import { findUnknownOutcome, UNKNOWN_OUTCOME_PATTERNS } from './unknown-outcome.ts'

const ABOUT_FAILURES = [
  'request_timeout',
  'RequestTimeout',
  'GATEWAY_TIMEOUT',
  'The request timed out…',
  'Time-out while booking',
  'DEADLINE_EXCEEDED',
  'The booking took too long.',
  'The depot did not respond in time',
  'internal_server_error',
  'InternalServerError',
  'Internal technical error',
  'INTERNAL_ERROR',
  'Internal service failure, please try again later.',
  'System Error',
  'service_fault',
  'unknown_error',
  'General Error',
  'An unexpected error happened.',
  'We have experienced a problem.',
  'Something went wrong',
  'An error occurred while processing your request.',
  'service_unavailable',
  'Service is currently unavailable.',
  'Bad Gateway',
  'Connection reset by peer',
]

const ABOUT_THE_JOB = [
  'invalid_params',
  'The pickup time is out of hours.',
  'The ready time out of range',
  'outside_of_delivery_time',
  'dropoff_deadline_too_early',
  'The pickup deadline was exceeded by 20 minutes.',
  'All of our couriers are currently busy.',
  'Service is not available in this area',
  'Service unavailable in Darwin',
  'Invalid restaurant gateway request',
  'UNABLE_TO_CALCULATE_PRICE',
  'CREATE_LABEL_ERROR_ZPL_LABELS_EXCEEDED',
  'A validation error occurred.',
  'The internal reference is too long.',
  'Delivery in Progress',
  'noncancelable_delivery',
]

test('recognises messages about time-outs and internal failures', () => {
  for (const message of ABOUT_FAILURES) assert.notEqual(findUnknownOutcome([message]), null, message)
  for (const message of ABOUT_THE_JOB) assert.equal(findUnknownOutcome([message]), null, message)
  assert.equal(
    findUnknownOutcome([undefined, '', 'couriers_busy', 'System Error'])?.meaning,
    'an internal error',
  )
})

test('each row of the table has an example', () => {
  const met = new Set(ABOUT_FAILURES.map((message) => findUnknownOutcome([message])))
  for (const line of UNKNOWN_OUTCOME_PATTERNS) assert.ok(met.has(line), String(line.pattern))
})

const classifier = errorClassifier({
  errors: z
    .object({ code: z.string(), name: z.string().optional(), message: z.string() })
    .transform(({ code, name, message }) => [{ code, name, field: null, message }]),
  adviceByCode: { too_far: 'another_carrier', E7: 'nobody', SLOW: 'later', '422': 'another_carrier' },
  patterns: { E9: [[/in hours/, 'later']] },
})
const message = (status: number, body: object): CarrierResponse => ({ kind: 'answered', status, body })

test('such a message leaves the outcome unknown under any status', () => {
  for (const status of [400, 404, 409, 410, 422]) {
    for (const body of [
      { code: 'request_timeout', message: '' },
      { code: 'E1', name: 'System Error', message: 'Sorry' },
      { code: 'E9', message: 'It timed out in hours of waiting.' },
      { code: 'E1', message: 'Internal server error' },
    ]) {
      const read = classifier.read(message(status, body), z.unknown(), () => 1)
      assert.equal(read.kind, 'unknown', JSON.stringify([status, body]))
      assert.equal(classifier.readOrNone(message(status, body), z.unknown(), () => 1).kind, 'unknown')
    }
  }
})

test('a documented code keeps its meaning whatever its message', () => {
  const cures = (status: number, body: object) => {
    const read = classifier.read(message(status, body), z.unknown(), () => 1)
    return read.kind === 'no' ? read.retry : read.kind
  }
  assert.equal(cures(400, { code: 'E7', message: 'The field timed out is not one of ours.' }), 'nobody')
  assert.equal(cures(400, { code: 'E1', name: 'SLOW', message: 'Timed out.' }), 'later')
  assert.equal(cures(422, { code: 'E1', message: 'No.' }), 'another_carrier')
  assert.equal(cures(400, { code: 'E9', message: 'Not in hours.' }), 'later')
  assert.ok(classifier.isRefused(message(400, { code: 'E1', name: 'E7', message: 'It timed out.' }), 'E7'))
})
