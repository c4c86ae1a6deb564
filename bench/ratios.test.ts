import assert from 'node:assert/strict'
import { test } from 'node:test'
import { median, ratioOf, verdictOf } from './ratios.ts'

test('a ratio is the median of the ratios of each round, not the ratio of medians', () => {
  const rounds = [
    { ours: 50, limit: 100 },
    { ours: 30, limit: 40 },
    { ours: 90, limit: 100 },
  ]
  assert.equal(ratioOf(rounds).value, 0.75)
  assert.equal(median([50, 30, 90]) / median([100, 40, 100]), 0.5)
})

test('a machine that runs at half speed in one round changes the spread, not the ratio', () => {
  const steady = { ours: 60, limit: 100 }
  const ratio = ratioOf([steady, { ours: 30, limit: 50 }, steady])
  assert.deepEqual(ratio, { value: 0.6, lowest: 0.6, highest: 0.6, limitSpread: 2 })
})

test('the median of an even number of values is the mean of the two in the middle', () => {
  assert.equal(median([4, 1, 3, 2]), 2.5)
  assert.equal(median([7]), 7)
})

test('a measurement of zero is rejected, not averaged', () => {
  assert.throws(() => ratioOf([]), RangeError)
  assert.throws(() => median([]), RangeError)
  for (const round of [
    { ours: 1, limit: 0 },
    { ours: 0, limit: 1 },
    { ours: Number.NaN, limit: 1 },
  ]) {
    assert.throws(() => ratioOf([round]), RangeError)
  }
})

test('verdicts', () => {
  const more = { must: 0.5, aim: 0.75, better: 'more' } as const
  const less = { must: 2.5, aim: 1.4, better: 'less' } as const
  const cases = [
    [0.49, more, 1, 'below must'],
    [0.5, more, 1, 'must'],
    [0.75, more, 1, 'aim'],
    [2.6, less, 1, 'below must'],
    [2.5, less, 1, 'must'],
    [1.4, less, 1, 'aim'],
    [0.9, more, 1.5, 'aim'],
    [0.9, more, 1.51, 'inconclusive'],
    [0.1, more, 1.51, 'inconclusive'],
  ] as const
  for (const [value, goal, spread, verdict] of cases) {
    assert.equal(verdictOf(value, goal, spread), verdict, `${value} with a spread of ${spread}`)
  }
})
