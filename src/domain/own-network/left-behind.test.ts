import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type CollectedParcel,
  leftBehind,
  leftWords,
  listLeftBehind,
  parcelsOnTheWay,
  withLeftBehind,
} from './left-behind.ts'

const parcels = [
  { reference: 'P1', quantity: 3 },
  { reference: 'P2', quantity: 1 },
]

test('parcels left at pickup are named, with a count if a line is split', () => {
  const cases: [CollectedParcel[], string[]][] = [
    [[], ['P1', 'P2']],
    [[{ reference: 'P1', quantity: 'all' }], ['P2']],
    [[{ reference: 'P1', quantity: 2 }], ['P1 (1 of 3)', 'P2']],
    [[...'ab'].map(() => ({ reference: 'P1', quantity: 1 })), ['P1 (1 of 3)', 'P2']],
    [
      [
        { reference: 'P1', quantity: 3 },
        { reference: 'P2', quantity: 'all' },
      ],
      [],
    ],
  ]
  for (const [collected, left] of cases) assert.deepEqual(leftBehind(parcels, collected).map(leftWords), left)
})

test('the articles record the parcels left at pickup, and the rest are on the way', () => {
  const articles = [{ parcelReference: 'P1', articleIds: ['OWN1', 'OWN2', 'OWN3'] }]
  const left = leftBehind(parcels, [{ reference: 'P1', quantity: 2 }])
  const updated = withLeftBehind(articles, left)
  assert.deepEqual(listLeftBehind(parcels, updated), left)
  assert.deepEqual(parcelsOnTheWay(parcels, updated), [{ reference: 'P1', quantity: 2 }])
  assert.deepEqual(
    parcelsOnTheWay(parcels, withLeftBehind(updated, [])),
    parcels,
    'all of it was taken in the end',
  )
})
