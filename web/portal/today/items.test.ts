import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Group } from './classify.ts'
import type { ClassifiedDelivery } from './group-rows.ts'
import { itemsOf } from './items.ts'

const byId = new Map(
  ['a', 'b', 'c', 'd', 'e'].map((id) => [
    id,
    { delivery: { id, label_url: '/label', parcels: [{ quantity: 2 }] } } as unknown as ClassifiedDelivery,
  ]),
)
const shown = { needs: [], hand_over: [...byId.keys()], waiting: [], road: [], done: [] }

function rowsOf(printed: Readonly<Record<string, number>>, open: readonly Group[] = []): string[] {
  const items = itemsOf({ shown, byId, lines: new Map(), open: new Set(open), printed })
  return items.flatMap((item) => (item.kind === 'row' ? [item.classified.delivery.id] : []))
}

test('deliveries without a label come first, and more than a few with a label are folded', () => {
  assert.deepEqual(rowsOf({}), ['a', 'b', 'c', 'd', 'e'])
  assert.deepEqual(rowsOf({ a: 1, c: 2 }), ['b', 'd', 'e', 'a', 'c'])
  assert.deepEqual(rowsOf({ a: 1, b: 1, c: 2, d: 3 }), ['e'])
  assert.deepEqual(rowsOf({ a: 1, b: 1, c: 2, d: 3 }, ['hand_over']), ['e', 'a', 'b', 'c', 'd'])
})

test('a carrier’s line keeps its position', () => {
  const line = { carrier: 'Big Haul', deliveries: 1, units: 1, closings: [] }
  const lines = new Map([['line Big Haul', line]])
  const needs = ['a', 'line Big Haul', 'b']
  const items = itemsOf({
    ...{ shown: { ...shown, needs, hand_over: [] }, byId, lines, open: new Set(), printed: {} },
  })
  assert.deepEqual(
    items.map(({ kind, key }) => `${kind} ${key}`),
    ['heading needs', 'row a', 'line line Big Haul', 'row b'],
  )
})

test('unprinted labels are counted in deliveries and in pages', () => {
  const [heading] = itemsOf({ shown, byId, lines: new Map(), open: new Set(), printed: { a: 1 } }).filter(
    ({ key }) => key === 'hand_over',
  )
  assert.deepEqual(heading, {
    ...{ kind: 'heading', key: 'hand_over', group: 'hand_over', size: 5 },
    ...{ unprinted: 4, labels: 8 },
  })
})
