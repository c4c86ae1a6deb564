import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batchOf, formatLabelCount, formatPrinted, labelCount } from './print-batch.ts'

const label = (reference: string, city: string, post_code: string, from: string | null) => ({
  id: reference,
  reference,
  address: { address: '1 Station Street', city, post_code } as never,
  ready_for_pickup_at: '2026-11-24T09:00:00+11:00',
  ...(from && { from_datetime: `2026-11-24T${from}:00+11:00` }),
})
const deliveries = [
  label('WC-10', 'Richmond', '3121', '14:00'),
  label('WC-9', 'Richmond', '3121', '14:00'),
  label('WC-3', 'Richmond', '2753', '10:00'),
  label('WC-4', 'ascot Vale', '3032', null),
  label('WC-5', 'Brunswick', '3056', '11:30'),
]

test('labels print by time or suburb, then by number, and printed ones are skipped', () => {
  for (const [order, skipped, wanted] of [
    ['time', [], ['WC-4', 'WC-3', 'WC-5', 'WC-9', 'WC-10']],
    ['suburb', [], ['WC-4', 'WC-5', 'WC-3', 'WC-9', 'WC-10']],
    ['suburb', ['WC-5', 'WC-9'], ['WC-4', 'WC-3', 'WC-10']],
  ] as const) {
    assert.deepEqual(batchOf(deliveries, order, new Set(skipped)), wanted, `${order} ${skipped}`)
  }
})

test('labels are counted by units, and deliveries are named if the numbers differ', () => {
  const parcels = (...quantities: number[]) => ({
    parcels: quantities.map((quantity) => ({ quantity }) as never),
  })
  assert.equal(labelCount([parcels(1), parcels(2, 1), parcels(1)]), 5)
  assert.equal(formatLabelCount(15, 12), '15 labels for 12 deliveries')
  assert.equal(formatLabelCount(3, 1), '3 labels for 1 delivery')
  assert.equal(formatLabelCount(12, 12), '12 labels')
  assert.equal(formatLabelCount(1, 1), '1 label')
  assert.equal(formatPrinted(15, 12), 'all 15 labels for 12 deliveries')
  assert.equal(formatPrinted(12, 12), 'all 12 labels')
  assert.equal(formatPrinted(1, 1), 'the label')
})
