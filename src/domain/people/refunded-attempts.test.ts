import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Refunded, refundedAttempts } from './refunded-attempts.ts'

test('a correct password clears all failed attempts only if it is right in every account with that address', () => {
  const cases: [name: string, users: number, checked: number, right: number, Refunded][] = [
    ['the only user', 1, 1, 1, 'all'],
    ['one password in two accounts', 2, 2, 2, 'all'],
    ['one of two, named', 2, 1, 1, 'own'],
    ['one of two, and wrong for the other', 2, 2, 1, null],
    ['wrong', 1, 1, 0, null],
    ['nobody’s address', 0, 0, 0, null],
    ['nobody in the account that is named', 1, 0, 0, null],
  ]
  for (const [name, users, checked, right, refunded] of cases) {
    assert.equal(refundedAttempts({ users, checked, right }), refunded, name)
  }
})
