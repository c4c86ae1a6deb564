import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../shared/problem.ts'
import { isRejection, toMessage } from './idempotency-key.ts'

test('only a rejection ends an attempt: after another error, the next press has the same key', () => {
  for (const [error, wanted] of [
    [new Problem(422, { code: 'invalid_request' }), true],
    [new Problem(422, { code: 'idempotency_key_reused' }), true],
    [new Problem(409, { code: 'idempotency_in_progress' }), false],
    [new Problem(401, { code: 'unauthorized' }), false],
    [new Problem(408, { code: 'request_timeout' }), false],
    [new Problem(429, { code: 'rate_limited' }), false],
    [new Problem(503, {}), false],
    [new Problem(0, {}), false],
    [new TypeError('Failed to fetch'), false],
  ] as const)
    assert.equal(isRejection(error), wanted, `${error}`)
})

test('a press after a try whose response was lost says what to check, in plain words', () => {
  for (const [code, wanted] of [
    ['idempotency_key_reused', 'Your first try may have worked. Check the list before you try again.'],
    ['idempotency_in_progress', 'We’re still working on your first try. Wait a moment, then check the list.'],
    ['invalid_request', 'The Idempotency-Key …'],
  ] as const)
    assert.equal(toMessage(new Problem(422, { code, detail: 'The Idempotency-Key …' })), wanted)
})
