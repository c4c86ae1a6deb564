import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isUniqueViolation } from './db.ts'

test('a duplicate key is recognised, on Citus too', () => {
  const duplicate = 'duplicate key value violates unique constraint "idempotency_keys_pkey_102068"'
  const cases: [unknown, boolean][] = [
    [Object.assign(new Error(duplicate), { code: '23505' }), true],
    [Object.assign(new Error(duplicate), { code: 'XX000' }), true],
    [Object.assign(new Error('cannot push down this subquery'), { code: 'XX000' }), false],
    [new Error(duplicate), false],
    [null, false],
  ]
  for (const [error, expected] of cases) assert.equal(isUniqueViolation(error), expected, String(error))
})
