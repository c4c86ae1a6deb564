import assert from 'node:assert/strict'
import { test } from 'node:test'
import { statesBefore } from './booking-attempt.ts'

test('an attempt that has ended never becomes unknown or accepted again', () => {
  assert.deepEqual(statesBefore('unknown'), ['sent', 'unknown'])
  assert.deepEqual(statesBefore('accepted'), ['sent', 'unknown'])
})

test('only an attempt without an end, or a booking that is cancelled, ends without a booking', () => {
  assert.deepEqual(statesBefore('void'), ['sent', 'unknown', 'accepted'])
  assert.deepEqual(statesBefore('rejected'), ['sent', 'unknown', 'accepted'])
})
