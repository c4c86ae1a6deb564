import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownArticles, stepTime } from './job.ts'

test('the phone’s own time counts where it can be true', () => {
  const around = { sinceMs: 100, nowMs: 200 }
  const cases: [saidMs: number | null, timeMs: number][] = [
    [null, 200],
    [99, 200],
    [100, 100],
    [150, 150],
    [200, 200],
    [201, 200],
  ]
  for (const [saidMs, timeMs] of cases) assert.equal(stepTime(saidMs, around), timeMs, String(saidMs))
})

test('every unit is an article with a number of its own', () => {
  const parcel = { type: null, description: null, lengthCm: 1, widthCm: 1, heightCm: 1, weightKg: 1 }
  const rest = { ...parcel, containsDangerousGoods: false, dangerousGoods: null }
  const parcels = [
    { ...rest, reference: 'A', quantity: 2 },
    { ...rest, reference: 'B', quantity: 1 },
  ]
  assert.deepEqual(ownArticles('OWN1', parcels), [
    { parcelReference: 'A', articleIds: ['OWN1001', 'OWN1002'] },
    { parcelReference: 'B', articleIds: ['OWN1003'] },
  ])
})
