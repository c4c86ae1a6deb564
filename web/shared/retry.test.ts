import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from './problem.ts'
import { pauseMs, shouldRetry } from './retry.ts'

const tooFast = (retryAfterSeconds: number | null) => new Problem(429, {}, retryAfterSeconds)

test('a lost request is retried twice, a rejected one never', () => {
  for (const [error, again] of [
    [new Problem(0, {}), true],
    [new TypeError('Failed to fetch'), true],
    [new Problem(503, {}, 2), true],
    [new Problem(500, {}), true],
    [new Problem(404, {}), false],
    [new Problem(422, {}), false],
    [new Problem(401, {}), false],
  ] as const) {
    assert.equal(shouldRetry(1, error), again, `${error}`)
    assert.equal(shouldRetry(2, error), false)
    assert.equal(pauseMs(1, error), 2_000)
  }
  assert.equal(pauseMs(20, new Problem(503, {})), 30_000)
})

test('a rate-limited request is retried after Retry-After, any number of times', () => {
  assert.equal(shouldRetry(9, tooFast(3)), true)
  assert.equal(pauseMs(9, tooFast(3), 0), 3_000)
  assert.equal(pauseMs(9, tooFast(3), 0.5), 3_500)
  // The page does not wait for an hour: the user gets a message.
  assert.equal(shouldRetry(0, tooFast(3_600)), false)
  const unsaid = tooFast(null)
  assert.deepEqual([shouldRetry(1, unsaid), shouldRetry(2, unsaid)], [true, false])
  assert.equal(pauseMs(0, unsaid), 1_000)
})
