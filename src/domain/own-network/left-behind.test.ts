import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  leftBehind,
  leftWords,
  listLeftBehind,
  parcelsOnTheWay,
  type TakenParcel,
  withLeftBehind,
} from './left-behind.ts'

const parcels = [
  { reference: 'P1', quantity: 3 },
  { reference: 'P2', quantity: 1 },
]

test('parcels left at pickup are named, with a count if a line is split', () => {
  const cases: [TakenParcel[], string[]][] = [
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
  for (const [taken, left] of cases) assert.deepEqual(leftBehind(parcels, taken).map(leftWords), left)
})

test('the articles record the parcels left at pickup, and the rest are on the way', () => {
  const articles = [{ parcelReference: 'P1', articleIds: ['OWN1', 'OWN2', 'OWN3'] }]
  const left = leftBehind(parcels, [{ reference: 'P1', quantity: 2 }])
  const kept = withLeftBehind(articles, left)
  assert.deepEqual(listLeftBehind(parcels, kept), left)
  assert.deepEqual(parcelsOnTheWay(parcels, kept), [{ reference: 'P1', quantity: 2 }])
  assert.deepEqual(
    parcelsOnTheWay(parcels, withLeftBehind(kept, [])),
    parcels,
    'all of it was taken in the end',
  )
})
