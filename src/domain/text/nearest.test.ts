import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
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

test('a word that resembles no name finds nothing', () => {
  for (const word of ['colour', 'x', '', '_', 'a'.repeat(10_000), 'weight_in_ounces']) {
    assert.equal(nearest(word, names), null, word)
  }
})

test('a short word does not match another short word', () => {
  assert.equal(nearest('VI', ['NSW', 'VIC']), 'VIC')
  assert.equal(nearest('XX', ['NSW', 'SA', 'WA']), null)
  assert.equal(nearest('SX', ['S']), null)
})

test('finds the same nearest name as a full comparison', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 14 })
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 8 }), (word, candidates) => {
      const max = Math.max(1, Math.floor(word.length / 3))
      const near = candidates.map((one) => ({ one, distance: distanceOf(word, one) }))
      const fit = near.filter(({ one, distance }) => distance <= max && distance < one.length)
      const min = Math.min(...fit.map(({ distance }) => distance))
      assert.equal(nearest(word, candidates), fit.find(({ distance }) => distance === min)?.one ?? null)
    }),
  )
})

/** Optimal string alignment, by its definition. */
function distanceOf(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length
  const [restA, restB] = [a.slice(0, -1), b.slice(0, -1)]
  const costs = [row(restA, b) + 1, row(a, restB) + 1, row(restA, restB) + (a.at(-1) === b.at(-1) ? 0 : 1)]
  if (a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1)) {
    costs.push(row(a.slice(0, -2), b.slice(0, -2)) + 1)
  }
  return Math.min(...costs)
}
const known = new Map<string, number>()
function row(a: string, b: string): number {
  const key = `${a} ${b}`
  const cost = known.get(key) ?? distanceOf(a, b)
  known.set(key, cost)
  return cost
}

test('the first of equally near names wins', () => {
  assert.equal(nearest('cat', ['car', 'cap']), 'car')
})

test('the suggestion is a sentence to append, or nothing', () => {
  assert.equal(didYouMean('houres', names), ' Did you mean "hours"?')
  assert.equal(didYouMean('colour', names), '')
})
