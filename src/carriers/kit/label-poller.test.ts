import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labelSlices } from './label-poller.ts'

const shipment = (shipment_id: string, count: number) => ({
  shipment_id,
  items: Array.from({ length: count }, (_, index) => ({ item_id: `${shipment_id}${index}` })),
})

test('labels are requested in slices: each item once, in order, across shipments', () => {
  for (const [counts, sizes] of [
    [[3], [3]],
    [[4], [4]],
    [[9], [4, 4, 1]],
    [
      [3, 3],
      [4, 2],
    ],
    [
      [1, 2, 6],
      [4, 4, 1],
    ],
    [[], []],
  ] as const) {
    const shipments = counts.map((count, index) => shipment(`s${index}-`, count))
    const slices = labelSlices(4)({ shipments })
    const itemsOf = (slice: (typeof slices)[number]) => slice.flatMap(({ items = [] }) => items)
    assert.deepEqual(
      slices.map((slice) => itemsOf(slice).length),
      sizes,
    )
    assert.deepEqual(
      slices.flatMap(itemsOf),
      shipments.flatMap(({ items }) => items),
    )
  }
})
