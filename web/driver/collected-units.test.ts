import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addUnit,
  type CollectedUnits,
  collectScanned,
  countCollected,
  formatCollected,
  type ParcelRow,
  removeUnit,
  toCollection,
  toggleRow,
} from './collected-units.ts'

const row = (reference: string, quantity: number, article_ids?: string[]): ParcelRow => ({
  ...{ reference, quantity, weight_kg: 1, length_cm: 1, width_cm: 1, height_cm: 1 },
  ...(article_ids && { article_ids }),
})
const boxes = row('BOX', 3, ['OWN1001', 'OWN1002', 'OWN1003'])
const bag = row('BAG', 1)
const job = { id: 'dlv_1', consignment_number: 'OWN1', parcels: [boxes, bag] }
const none: CollectedUnits = new Map()

const scan = (...codes: string[]) =>
  codes.reduce<CollectedUnits>(
    (collected, code) => collectScanned(collected, job, code) ?? assert.fail(code),
    none,
  )

test('the count is of parcels, not rows', () => {
  assert.equal(formatCollected(none, job), null)
  assert.equal(formatCollected(toggleRow(none, boxes), job), '3 of 4')
  assert.equal(formatCollected(toggleRow(toggleRow(none, boxes), bag), job), '4 parcels')
  assert.equal(formatCollected(toggleRow(none, bag), { ...job, parcels: [bag] }), '1 parcel')
  assert.equal(countCollected(toggleRow(toggleRow(none, boxes), boxes), job), 0)
  assert.equal(
    countCollected(toggleRow(addUnit(none, boxes), boxes), job),
    3,
    'a partly collected row becomes fully collected',
  )
})

test('a scanned unit label marks that unit once; a row label marks one unit of the row', () => {
  assert.equal(countCollected(scan('OWN1002'), job), 1)
  assert.equal(countCollected(scan('OWN1002', 'OWN1002'), job), 1)
  assert.equal(countCollected(scan('420305391OWN1001', 'OWN1003'), job), 2)
  assert.equal(countCollected(scan('BOX', 'BOX', 'OWN1001'), job), 2, 'a unit that was already scanned')
  assert.equal(countCollected(scan('BOX', 'BOX', 'BOX', 'BOX'), job), 3)
  assert.equal(countCollected(scan('BAG'), job), 1)
  assert.equal(collectScanned(none, job, 'OWN1004'), null)
})

test('a delivery label marks a parcel only if the delivery has one parcel', () => {
  assert.equal(collectScanned(none, job, 'OWN1'), null)
  for (const code of ['OWN1', 'dlv_1']) {
    const collected = collectScanned(none, { ...job, parcels: [bag] }, code)
    assert.equal(collected && formatCollected(collected, { ...job, parcels: [bag] }), '1 parcel')
  }
  assert.equal(collectScanned(none, { ...job, parcels: [boxes] }, 'OWN1'), null)
})

test('one more and one less stay within the quantity', () => {
  const full = toggleRow(none, boxes)
  assert.equal(countCollected(addUnit(full, boxes), job), 3)
  assert.equal(countCollected(removeUnit(full, boxes), job), 2)
  assert.equal(countCollected(removeUnit(none, boxes), job), 0)
})

test('all collected sends no list, whole rows send references, a split row sends quantities', () => {
  const all = toggleRow(toggleRow(none, boxes), bag)
  assert.deepEqual(toCollection(all, job), {})
  assert.deepEqual(toCollection(toggleRow(none, bag), job), { parcel_references: ['BAG'] })
  assert.deepEqual(toCollection(removeUnit(all, boxes), job), {
    parcels: [
      { reference: 'BOX', quantity: 2 },
      { reference: 'BAG', quantity: 1 },
    ],
  })
})
