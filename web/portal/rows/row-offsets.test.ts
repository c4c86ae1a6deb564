import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { rowsBetween, toRowOffsets } from './row-offsets.ts'

test('each row starts where the one before it ends', () => {
  assert.deepEqual([...toRowOffsets(3, (index) => [38, 58, 31][index] as number)], [0, 38, 96, 127])
  assert.deepEqual(
    rowsBetween(
      toRowOffsets(0, () => 38),
      0,
      900,
    ),
    { from: 0, to: 0 },
  )
})

test('the rows on the screen are rendered, with a small margin', () => {
  const heights = fc.array(fc.integer({ min: 20, max: 120 }), { minLength: 1, maxLength: 400 })
  fc.assert(
    fc.property(heights, fc.integer({ min: -500, max: 40_000 }), fc.nat(1_500), (all, fromPx, heightPx) => {
      const tops = toRowOffsets(all.length, (index) => all[index] as number)
      const { from, to } = rowsBetween(tops, fromPx, fromPx + heightPx)
      assert.ok(from >= 0 && to <= all.length && from < to)
      for (const [index, height] of all.entries()) {
        const top = tops[index] as number
        const seen = top < fromPx + heightPx && top + height > fromPx
        if (seen) assert.ok(index >= from && index < to, `row ${index} is on the screen`)
      }
      assert.ok(to - from <= heightPx / 20 + 18, 'one screen of rows, and a step at each end')
    }),
  )
})
