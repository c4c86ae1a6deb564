import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatBareDollars, formatDollarDifference, formatDollars } from './format-dollars.ts'

test('cents are written as dollars with two decimals and separators of thousands', () => {
  for (const [cents, text] of [
    [0, '$0.00'],
    [5, '$0.05'],
    [1_031, '$10.31'],
    [123_456, '$1,234.56'],
    [123_456_700, '$1,234,567.00'],
    [-755, '−$7.55'],
    [12.5, '$0.125'],
  ] as const) {
    assert.equal(formatDollars(cents), text)
  }
  assert.equal(formatBareDollars(123_456), '1,234.56')
})

test('a difference shows its sign', () => {
  for (const [cents, text] of [
    [23, '+ $0.23'],
    [-755, '− $7.55'],
    [123_456, '+ $1,234.56'],
    [0, 'no change'],
  ] as const) {
    assert.equal(formatDollarDifference(cents), text)
  }
})
