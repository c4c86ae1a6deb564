import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatList } from './format-list.ts'

test('three names are listed, and the rest is counted', () => {
  const named = ['', 'A', 'AB', 'ABC', 'ABCDEF'].map((names) => formatList([...names]))
  assert.deepEqual(named, ['', 'A', 'A and B', 'A, B and C', 'A, B and 4 more'])
})
