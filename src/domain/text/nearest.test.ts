import assert from 'node:assert/strict'
import { test } from 'node:test'
import { didYouMean, nearest } from './nearest.ts'

const names = ['weight_kg', 'width_cm', 'post_code', 'parcels', 'store_id', 'hours']

test('a misspelt word finds the name it was meant for', () => {
  const cases = [
    ['wieght_kg', 'weight_kg'],
    ['weightKg', 'weight_kg'],
    ['WEIGHT-KG', 'weight_kg'],
    ['postcode', 'post_code'],
    ['parcel', 'parcels'],
    ['storeid', 'store_id'],
    ['houres', 'hours'],
    ['widht_cm', 'width_cm'],
  ] as const
  for (const [word, expected] of cases) assert.equal(nearest(word, names), expected, word)
})

test('a word that is like none of them finds nothing', () => {
  for (const word of ['colour', 'x', '', '_', 'a'.repeat(10_000), 'weight_in_ounces']) {
    assert.equal(nearest(word, names), null, word)
  }
})

test('a short word is not taken for another short word', () => {
  assert.equal(nearest('VI', ['NSW', 'VIC']), 'VIC')
  assert.equal(nearest('XX', ['NSW', 'SA', 'WA']), null)
  assert.equal(nearest('SX', ['S']), null)
})

test('of equally near names the first wins', () => {
  assert.equal(nearest('cat', ['car', 'cap']), 'car')
})

test('the suggestion is a sentence to append, or nothing', () => {
  assert.equal(didYouMean('houres', names), ' Did you mean "hours"?')
  assert.equal(didYouMean('colour', names), '')
})
