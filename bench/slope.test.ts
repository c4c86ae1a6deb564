import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blocksOf, medianSlopeOf, slopeOf } from './slope.ts'

const MINUTES = Array.from({ length: 25 }, (_, minute) => minute)
/** Alternates up and down by the same amount. */
const swing = (minute: number, by: number) => (minute % 2 === 0 ? by : -by)

test('a straight line has an exact slope and an interval of zero width', () => {
  const { value, lowest, highest } = slopeOf(MINUTES.map((x) => [x, 100 + 0.3 * x]))
  for (const one of [value, lowest, highest]) assert.ok(Math.abs(one - 0.3) < 1e-9)
})

test('the interval of a series that only oscillates includes zero', () => {
  const { lowest, highest } = slopeOf(MINUTES.map((x) => [x, 100 + swing(x, 5)]))
  assert.ok(lowest < 0 && highest > 0)
  const { lowest: surely } = slopeOf(MINUTES.map((x) => [x, 100 + x + swing(x, 5)]))
  assert.ok(surely > 0, 'a growth of 24 is significant despite a swing of 5')
})

test('the interval is Student’s t: calculated by hand for 1, 2, 2, 3', () => {
  const { value, highest } = slopeOf([
    [0, 1],
    [1, 2],
    [2, 2],
    [3, 3],
  ])
  assert.ok(Math.abs(value - 0.6) < 1e-9)
  // Residuals −0.1, 0.3, −0.3, 0.1: 4.303 × √(0.2 / 2 / 5).
  assert.ok(Math.abs(highest - value - 0.6085) < 0.02)
})

test('one step is not growth; repeated steps are', () => {
  const once = medianSlopeOf(MINUTES.map((x) => [x, x > 5 ? 115 : 100]))
  assert.equal(once.value, 0)
  const again = medianSlopeOf(MINUTES.map((x) => [x, 100 + 15 * Math.floor(x / 8)]))
  assert.ok(again.lowest > 0.5, JSON.stringify(again))
  const slow = medianSlopeOf(MINUTES.map((x) => [x, 0.3 * x + (x > 9 ? 15 : 0) + swing(x, 1)]))
  assert.ok(slow.lowest > 0 && slow.lowest <= 0.4 && slow.highest < 1.5, JSON.stringify(slow))
  assert.throws(() => medianSlopeOf([]), RangeError)
})

test('each block is the mean of neighbouring points; an incomplete last block is dropped', () => {
  assert.deepEqual(
    blocksOf(
      [
        [0, 1],
        [1, 3],
        [2, 5],
        [3, 7],
        [4, 100],
      ],
      2,
    ),
    [
      [0.5, 2],
      [2.5, 6],
    ],
  )
  assert.deepEqual(
    blocksOf(
      [
        [0, 1],
        [1, 3],
      ],
      5,
    ),
    [
      [0, 1],
      [1, 3],
    ],
  )
  assert.throws(
    () =>
      slopeOf([
        [0, 1],
        [1, 2],
        [2, 3],
      ]),
    RangeError,
  )
})
