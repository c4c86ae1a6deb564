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

test('what stays at the pickup is told by name, and of a split one how many', () => {
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

test('what stays is kept on the articles, and the rest is on the way', () => {
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
