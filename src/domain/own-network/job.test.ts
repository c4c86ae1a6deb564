import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generatedArticleIds, stepTime } from './job.ts'

test('the phone’s time is used if it is plausible, and steps keep their order', () => {
  const cases: [saidMs: number | null, lastMs: number | null, timeMs: number][] = [
    [null, null, 200],
    [99, null, 200],
    [100, null, 100],
    [150, null, 150],
    [200, null, 200],
    [201, null, 200],
    [150, 120, 150],
    [150, 160, 160],
    // The account's clock was set back in the meantime.
    [150, 300, 200],
  ]
  for (const [reportedMs, lastMs, timeMs] of cases) {
    assert.equal(
      stepTime(reportedMs, { sinceMs: 100, lastMs, nowMs: 200 }),
      timeMs,
      `${reportedMs} after ${lastMs}`,
    )
  }
})

test('every unit is an article with its own number', () => {
  const parcel = { type: null, description: null, lengthCm: 1, widthCm: 1, heightCm: 1, weightKg: 1 }
  const rest = { ...parcel, containsDangerousGoods: false, dangerousGoods: null }
  const parcels = [
    { ...rest, reference: 'A', quantity: 2 },
    { ...rest, reference: 'B', quantity: 1 },
  ]
  assert.deepEqual(generatedArticleIds('OWN1', parcels), [
    { parcelReference: 'A', articleIds: ['OWN1001', 'OWN1002'] },
    { parcelReference: 'B', articleIds: ['OWN1003'] },
  ])
})
