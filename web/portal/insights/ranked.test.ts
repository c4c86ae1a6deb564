import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ranked } from './ranked.ts'

const rows = [
  { name: 'Fitzroy', share: 0.9, deliveries: 3 },
  { name: 'Airport', share: null, deliveries: 12 },
  { name: 'Store 10', share: 0.5, deliveries: 3 },
  { name: 'Store 9', share: 1, deliveries: 40 },
]

test('rows sort by any column in both directions, with missing figures last', () => {
  const names = (by: (row: (typeof rows)[number]) => string | number | null, down: boolean) =>
    ranked(rows, by, { down }).map(({ name }) => name)
  assert.deepEqual(
    names(({ name }) => name, false),
    ['Airport', 'Fitzroy', 'Store 9', 'Store 10'],
  )
  assert.deepEqual(
    names(({ deliveries }) => deliveries, true),
    ['Store 9', 'Airport', 'Fitzroy', 'Store 10'],
  )
  assert.deepEqual(
    names(({ share }) => share, true),
    ['Store 9', 'Fitzroy', 'Store 10', 'Airport'],
  )
  assert.deepEqual(
    names(({ share }) => share, false),
    ['Store 10', 'Fitzroy', 'Store 9', 'Airport'],
  )
})
