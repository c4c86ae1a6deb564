import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../shared/problem.ts'
import { fieldProblems } from './field-problems.ts'

const FIELDS = ['email', 'store_references', 'password']
const refused = (...errors: { field: string; message: string }[]) =>
  new Problem(422, {
    code: 'invalid_request',
    detail: 'There are mistakes.',
    errors: errors.map((one) => ({ ...one, issue: 'invalid_value' as const })),
  })
const EMAIL = { field: 'email', message: 'Not an email address.' }

test('a form without a problem shows none', () => {
  const { at, rest } = fieldProblems(null, FIELDS)
  assert.deepEqual([at('email'), rest], [null, null])
})

test('each message is shown once: at its field, or below the form', () => {
  const inList = { field: 'store_references[1]', message: 'There is no such store.' }
  const both = fieldProblems(refused(EMAIL, inList), FIELDS)
  assert.equal(both.at('email'), EMAIL.message)
  assert.equal(both.at('store_references'), inList.message, 'one of a list is at the list')
  assert.equal(both.at('password'), null)
  assert.equal(both.rest, null)

  const error = refused(EMAIL, { field: 'idempotency', message: 'Elsewhere.' })
  const some = fieldProblems(error, FIELDS)
  assert.deepEqual([some.at('email'), some.rest], [EMAIL.message, error], 'no message is lost')
})

test('a wrong password is at its field, any other refusal below the form', () => {
  const wrong = new Problem(401, { code: 'invalid_credentials', detail: 'The password is wrong.' })
  const { at, rest } = fieldProblems(wrong, FIELDS)
  assert.deepEqual([at('password'), rest], ['The password is wrong.', null])
  assert.equal(fieldProblems(wrong, ['email']).rest, wrong, 'a form without that field')
  const late = new Problem(429, { code: 'rate_limited', detail: 'Too many attempts.' })
  assert.equal(fieldProblems(late, FIELDS).rest, late)
})
