import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../shared/problem.ts'
import { formatConnectionFailure, toConnectionFailure, writesDisabledReason } from './connection-failure.ts'

const clocks = { sinceMs: Date.parse('2026-11-24T10:38:00+11:00'), wallMs: 1_000_000 }
const describeFailure = (error: unknown, laterMs = 0) => {
  const failure = toConnectionFailure(error, clocks)
  assert.ok(failure)
  const { bold, rest } = formatConnectionFailure(failure, clocks.wallMs + laterMs, 'Australia/Melbourne')
  return { message: `${bold} ${rest}`, disabledReason: writesDisabledReason(failure) }
}

test('each failure has its own text, and disables actions while the outcome would be unknown', () => {
  for (const [error, message, disabledReason] of [
    [new TypeError('Failed to fetch'), /^No connection since 10:38 am\. /, /^No connection\. You /],
    [new Problem(503, {}, 2), /^Our database isn’t available\. .* at 10:38 am\. /, /^Our database isn’t/],
    [
      new Problem(502, {}),
      /^Something is wrong on our side\. .* at 10:38 am\. /,
      /^Something is wrong on our side\. You/,
    ],
  ] as const) {
    assert.match(describeFailure(error).message, message)
    assert.match(describeFailure(error).disabledReason ?? '', disabledReason)
  }
})

test('a rate limit says when it ends, and disables no action', () => {
  const tooFast = new Problem(429, {}, 3)
  assert.deepEqual(describeFailure(tooFast), {
    message: 'Too many requests. We’ll try again in 3 seconds.',
    disabledReason: null,
  })
  assert.match(describeFailure(tooFast, 1_400).message, / in 2 seconds\.$/)
  assert.match(describeFailure(tooFast, 9_000).message, / in 1 second\.$/, 'a request is in flight')
})

test('a 401, 403 or 404 is no connection failure', () => {
  for (const status of [401, 403, 404])
    assert.equal(toConnectionFailure(new Problem(status, {}), clocks), null)
})
