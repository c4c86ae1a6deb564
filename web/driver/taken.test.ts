import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  allTaken,
  collectedOf,
  oneLess,
  oneMore,
  type ParcelRow,
  scanned,
  type Taken,
  takenWords,
  turned,
} from './taken.ts'

const row = (reference: string, quantity: number, article_ids?: string[]): ParcelRow => ({
  ...{ reference, quantity, weight_kg: 1, length_cm: 1, width_cm: 1, height_cm: 1 },
  ...(article_ids && { article_ids }),
})
const boxes = row('BOX', 3, ['OWN1001', 'OWN1002', 'OWN1003'])
const bag = row('BAG', 1)
const job = { id: 'dlv_1', consignment_number: 'OWN1', parcels: [boxes, bag] }
const none: Taken = new Map()

const scan = (...codes: string[]) =>
  codes.reduce<Taken>((taken, code) => scanned(taken, job, code) ?? assert.fail(code), none)

test('the count is of parcels, not rows', () => {
  assert.equal(takenWords(none, job), null)
  assert.equal(takenWords(turned(none, boxes), job), '3 of 4')
  assert.equal(takenWords(turned(turned(none, boxes), bag), job), '4 parcels')
  assert.equal(takenWords(turned(none, bag), { ...job, parcels: [bag] }), '1 parcel')
  assert.equal(allTaken(turned(turned(none, boxes), boxes), job), 0)
  assert.equal(allTaken(turned(oneMore(none, boxes), boxes), job), 3, 'some of it are made all of it')
})

test('a scanned unit label marks that unit once; a row label marks one unit of the row', () => {
  assert.equal(allTaken(scan('OWN1002'), job), 1)
  assert.equal(allTaken(scan('OWN1002', 'OWN1002'), job), 1)
  assert.equal(allTaken(scan('420305391OWN1001', 'OWN1003'), job), 2)
  assert.equal(allTaken(scan('BOX', 'BOX', 'OWN1001'), job), 2, 'one that is among them already')
  assert.equal(allTaken(scan('BOX', 'BOX', 'BOX', 'BOX'), job), 3)
  assert.equal(allTaken(scan('BAG'), job), 1)
  assert.equal(scanned(none, job, 'OWN1004'), null)
})

test('a delivery label marks a parcel only if the delivery has one parcel', () => {
  assert.equal(scanned(none, job, 'OWN1'), null)
  for (const code of ['OWN1', 'dlv_1']) {
    const taken = scanned(none, { ...job, parcels: [bag] }, code)
    assert.equal(taken && takenWords(taken, { ...job, parcels: [bag] }), '1 parcel')
  }
  assert.equal(scanned(none, { ...job, parcels: [boxes] }, 'OWN1'), null)
})

test('one more and one less stay within the quantity', () => {
  const full = turned(none, boxes)
  assert.equal(allTaken(oneMore(full, boxes), job), 3)
  assert.equal(allTaken(oneLess(full, boxes), job), 2)
  assert.equal(allTaken(oneLess(none, boxes), job), 0)
})

test('all collected sends no list, whole rows send references, a split row sends quantities', () => {
  const all = turned(turned(none, boxes), bag)
  assert.deepEqual(collectedOf(all, job), {})
  assert.deepEqual(collectedOf(turned(none, bag), job), { parcel_references: ['BAG'] })
  assert.deepEqual(collectedOf(oneLess(all, boxes), job), {
    parcels: [
      { reference: 'BOX', quantity: 2 },
      { reference: 'BAG', quantity: 1 },
    ],
  })
})
