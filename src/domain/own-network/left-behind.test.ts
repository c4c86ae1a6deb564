import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leftBehind, type TakenParcel } from './left-behind.ts'

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
  for (const [taken, left] of cases) assert.deepEqual(leftBehind(parcels, taken), left)
})
