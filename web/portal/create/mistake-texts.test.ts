import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bareMistake, namedMistake } from './mistake-texts.ts'

test('errors use the labels of the form, not field names of the API', () => {
  for (const [field, rest, named, bare] of [
    ['customer.first_name', ' must not be empty.', 'First name must not be empty.', 'Must not be empty.'],
    ['address.address', ' must not be empty.', 'Street address must not be empty.', 'Must not be empty.'],
    ['parcels[1].weight_kg', ' must be over 0.', 'Weight of parcel 2 must be over 0.', 'Must be over 0.'],
  ] as const) {
    const mistake = { field, message: field + rest }
    assert.equal(namedMistake(mistake), named)
    assert.equal(bareMistake(mistake), bare)
  }
  const sentence = { field: 'address.city', message: '3057 is Brunswick East.' }
  assert.deepEqual([namedMistake(sentence), bareMistake(sentence)], [sentence.message, sentence.message])
})
