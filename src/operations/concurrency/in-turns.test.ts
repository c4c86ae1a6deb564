import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTurns } from './in-turns.ts'

function* busySteps(count: number, eachMs: number): Generator<void, string> {
  for (let step = 0; step < count; step++) {
    const began = performance.now()
    while (performance.now() - began < eachMs);
    yield
  }
  return 'done'
}

test('a long computation yields after each time slice and returns its result', async () => {
  let [turns, isDone] = [0, false]
  const count = (): void => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  const result = await inTurns(busySteps(24, 5))
  isDone = true
  assert.equal(result, 'done')
  // 120 ms in slices of 10 ms, each of which ends with the step that exceeds it.
  assert.ok(turns >= 8, `${turns} turns`)
})

test('an error in a step fails the whole computation', async () => {
  // biome-ignore lint/correctness/useYield: it fails before its first step.
  const failing = (function* (): Generator<void, never> {
    throw new RangeError('no such step')
  })()
  await assert.rejects(inTurns(failing), RangeError)
})
