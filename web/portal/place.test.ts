import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Place, placeAfter } from './place.ts'

const DAY = '/portal/today?day=2026-11-23'
const ONE = '/portal/deliveries/dlv_1'

/** Pages in order, each with its index in the browser's history. */
const after = (...shown: [href: string, index: number][]) =>
  shown.reduce<Place | null>(
    (before, [href, index]) => placeAfter(before, { href, pathname: href.split('?')[0] as string, index }),
    null,
  )

test('Back leads to the last list shown, however many delivery pages follow', () => {
  const list = { href: DAY, index: 1 }
  assert.deepEqual(after(['/portal/today', 0], [DAY, 1], [ONE, 2]), list)
  assert.deepEqual(after([DAY, 1], [ONE, 2], [`${ONE}/amend`, 3], [ONE, 4]), list)
  assert.deepEqual(after([DAY, 1], ['/portal/new', 2], [ONE, 3]), list)
  const found = { href: '/portal/deliveries?q=lin', index: 2 }
  assert.deepEqual(after([DAY, 1], [found.href, 2], [ONE, 3]), found)
})

test('Back leads to the list with its replaced filters', () => {
  const filtered = { href: `${DAY}&state=booked`, index: 1 }
  assert.deepEqual(after([DAY, 1], [filtered.href, 1], [ONE, 2]), filtered)
})

test('a list that lies ahead in the history is opened by its address', () => {
  const ahead = { href: DAY, index: null }
  assert.deepEqual(after([ONE, 0], [DAY, 1], [ONE, 0]), ahead)
  // The page that was opened from there took the list's own index.
  assert.deepEqual(after([ONE, 0], [DAY, 1], [ONE, 0], [`${ONE}/amend`, 1], [ONE, 2]), ahead)
})

test('a delivery opened by its address has no list to go back to', () => {
  assert.equal(after([ONE, 0]), null)
})
