import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findLabels } from './print-labels.ts'

test('labels print as their store says; labels of several stores as PDF', () => {
  const zebra = { format: 'zpl', printer: 'Zebra by the packing bench' } as const
  const stores = [
    { id: 'a', labels: zebra },
    { id: 'b', labels: { format: 'pdf' } as const },
  ]
  const at = (...ids: string[]) =>
    findLabels(
      stores,
      ids.map((store_id) => ({ store_id })),
    )
  assert.deepEqual(at('a', 'a'), zebra)
  assert.deepEqual(at('b'), { format: 'pdf' })
  assert.deepEqual(at('a', 'b'), { format: 'pdf' })
  assert.deepEqual(at('gone'), { format: 'pdf' })
  assert.deepEqual(at(), { format: 'pdf' })
})
