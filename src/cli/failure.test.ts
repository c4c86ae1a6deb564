import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type Issue, Refusal } from '../domain/errors.ts'
import { summariseIssues } from '../domain/refuse.ts'
import { explain } from './failure.ts'

function printed(t: TestContext, error: unknown): string[] {
  const lines: string[] = []
  t.mock.method(console, 'error', (line: string) => void lines.push(line))
  explain(error)
  t.mock.restoreAll()
  return lines
}

const issue = (field: string, message: string): Issue => ({ field, issue: 'invalid_value', message })

test('an error is printed once, however many mistakes it has', (t) => {
  const one = [issue('email', 'email must be an email address.')]
  assert.deepEqual(printed(t, new Refusal('invalid_request', summariseIssues(one), { issues: one })), [
    'email must be an email address.',
  ])
  const two = [...one, issue('role', 'role must be store_clerk.')]
  assert.deepEqual(printed(t, new Refusal('invalid_request', summariseIssues(two), { issues: two })), [
    '2 mistakes:',
    '  email  email must be an email address.',
    '  role  role must be store_clerk.',
  ])
  assert.deepEqual(printed(t, new Refusal('not_found', 'No such user.')), ['No such user.'])
  assert.deepEqual(printed(t, new Refusal('not_bookable', 'It cannot be booked.', { issues: one })), [
    'It cannot be booked.',
    '  email  email must be an email address.',
  ])
})
