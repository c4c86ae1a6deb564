import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { addOpenMinutes, firstOpenAt, intersection, isOpenAt, toIntervals } from './intervals.ts'

const MINUTE = 60_000
const pairs = fc.array(
  fc
    .tuple(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: 30 }))
    .map(([at, size]) => [at, at + size] as const),
  { maxLength: 20 },
)
const minute = fc.integer({ min: 0, max: 240 })
const inside = (list: readonly (readonly [number, number])[], at: number) =>
  list.some(([a, b]) => at >= a && at < b)

test('touching and overlapping intervals are merged and empty ones dropped', () => {
  const merged = toIntervals([
    [60, 90],
    [0, 30],
    [30, 40],
    [80, 100],
    [50, 50],
  ])
  assert.deepEqual(
    [[...merged.starts], [...merged.ends]],
    [
      [0, 60],
      [40, 100],
    ],
  )
})

test('open means inside an interval, without the closing minute', () => {
  fc.assert(
    fc.property(pairs, minute, (list, at) => {
      assert.equal(isOpenAt(toIntervals(list), at * MINUTE), inside(list, at))
      assert.equal(isOpenAt(toIntervals(list), at * MINUTE + 59_999), inside(list, at))
    }),
  )
})

test('the first open moment is the earliest one that is open', () => {
  fc.assert(
    fc.property(pairs, minute, (list, at) => {
      let expected: number | null = at
      while (expected !== null && !inside(list, expected)) expected = expected > 240 ? null : expected + 1
      const found = firstOpenAt(toIntervals(list), at * MINUTE)
      assert.equal(found, expected === null ? null : expected * MINUTE)
    }),
  )
  assert.equal(firstOpenAt(toIntervals([[1, 2]]), 90_500), 90_500)
})

test('the intersection is open when both are', () => {
  fc.assert(
    fc.property(pairs, pairs, minute, (a, b, at) => {
      const both = intersection(toIntervals(a), toIntervals(b))
      assert.equal(isOpenAt(both, at * MINUTE), inside(a, at) && inside(b, at))
    }),
  )
})

test('minutes are counted only while open', () => {
  const shifts = toIntervals([
    [0, 30],
    [60, 90],
  ])
  const cases = [
    [0, 0, 0],
    [0, 30, 30],
    [0, 31, 61],
    [10, 50, 90],
    [40, 0, 60],
    [40, 5, 65],
    [10, 51, null],
    [90, 0, null],
  ] as const
  for (const [from, minutes, until] of cases) {
    const expected = until === null ? null : until * MINUTE
    assert.equal(addOpenMinutes(shifts, from * MINUTE, minutes), expected, `${from} + ${minutes}`)
  }
})
