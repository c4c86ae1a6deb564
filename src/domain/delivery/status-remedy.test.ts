import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Delivery } from './delivery.ts'
import { findStatusRemedy } from './status-remedy.ts'

const onHold = {
  bookingAttempt: null,
  pendingCancellation: null,
  chosen: null,
  content: { staffCourier: null },
}

test('the remedy of a delivery on hold fits what is open about it', () => {
  const cancel = { atMs: 0, purpose: 'cancel', reason: null }
  const rows: [object, RegExp][] = [
    [{ bookingAttempt: 'unanswered' }, /^Ask the carrier.*We won’t book another carrier until you do\.$/],
    [
      { bookingAttempt: 'unanswered', pendingCancellation: cancel },
      /^Ask the carrier.*It can’t be cancelled until you do\.$/,
    ],
    [{ chosen: { held: 'window' } }, /^Agree on another time/],
    [{ bookingAttempt: 'unanswered', chosen: { held: 'window' } }, /^Ask the carrier/],
    [{ content: { staffCourier: { phone: '+61491570156' } } }, /^Assign it to another courier/],
    [{}, /^Book it again, amend it or cancel it\.$/],
  ]
  for (const [over, remedy] of rows) {
    assert.match(findStatusRemedy({ ...onHold, ...over } as unknown as Delivery), remedy)
  }
})
