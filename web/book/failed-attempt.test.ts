import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../shared/problem.ts'
import { toFailedAttempt } from './failed-attempt.ts'

test('the page shows the server’s number of remaining attempts', () => {
  for (const [left, words] of [
    [4, '4 tries left.'],
    [1, '1 try left.'],
  ] as const) {
    const answer = { code: 'reference_mismatch', detail: 'Not that one.', attempts_left: left } as object
    assert.deepEqual(toFailedAttempt(new Problem(422, answer)), {
      isWrong: true,
      message: `That is not the reference of this order. ${words}`,
    })
  }
})

test('a request that failed does not count as a wrong attempt', () => {
  const lost = new Problem(0, { detail: 'There was no response.' })
  assert.deepEqual(toFailedAttempt(lost), { isWrong: false, message: 'There was no response.' })
  for (const error of [new TypeError('Failed to fetch'), new Problem(503, {}), new Problem(429, {})]) {
    assert.equal(toFailedAttempt(error).isWrong, false)
    assert.doesNotMatch(toFailedAttempt(error).message, /left/)
  }
})
