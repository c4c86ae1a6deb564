import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../shared/problem.ts'
import { isRejection } from './idempotency-key.ts'

test('only a rejection ends an attempt: after another error, the next press has the same key', () => {
  for (const [error, wanted] of [
    [new Problem(422, { code: 'invalid_request' }), true],
    [new Problem(409, { code: 'idempotency_in_progress' }), false],
    [new Problem(503, {}), false],
    [new Problem(0, {}), false],
    [new TypeError('Failed to fetch'), false],
  ] as const)
    assert.equal(isRejection(error), wanted, `${error}`)
})
