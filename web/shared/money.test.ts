import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDifference } from './money.ts'

test('a difference shows its sign', () => {
  for (const [cents, wanted] of [
    [23, '+ $0.23'],
    [-755, '− $7.55'],
    [123_456, '+ $1,234.56'],
    [0, 'no change'],
  ] as const) {
    assert.equal(formatDifference(cents), wanted)
  }
})
