import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { exponentOf, growthOf } from './growth.ts'

const SIZES = [1_000, 3_000, 10_000, 100_000]
const series = (exponent: number, factor = 1) =>
  SIZES.map((size) => ({ size, time: factor * size ** exponent }))

test('exponentOf returns the exponent of a power law, whatever the machine’s speed', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -2, max: 2, noNaN: true }),
      fc.double({ min: 0.001, max: 1_000, noNaN: true }),
      (exponent, factor) => Math.abs(exponentOf(series(exponent, factor)) - exponent) < 1e-9,
    ),
  )
})

test('one outlier moves the exponent of its round; the median over rounds ignores that round', () => {
  const odd = series(1).map((point) => (point.size === 100_000 ? { ...point, time: point.time * 10 } : point))
  assert.ok(exponentOf(odd) > 1.2)
  const { value, highest } = growthOf([series(1), odd, series(1)])
  assert.ok(Math.abs(value - 1) < 1e-9 && highest > 1.2)
})

test('a slower machine in one round widens the spread of the smallest size', () => {
  const { value, limitSpread } = growthOf([series(0.5), series(0.5, 2)])
  assert.ok(Math.abs(value - 0.5) < 1e-9 && Math.abs(limitSpread - 2) < 1e-9)
})

test('a single size, or a time of zero, is rejected', () => {
  for (const points of [[], [{ size: 10, time: 1 }], [1, 2].map((size) => ({ size, time: 0 }))]) {
    assert.throws(() => exponentOf(points), RangeError)
  }
})
