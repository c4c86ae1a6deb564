import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bareMistake, namedMistake } from './mistake-texts.ts'

test('errors use the labels of the form, not field names of the API', () => {
  for (const [field, rest, named, bare] of [
    ['customer.first_name', ' must not be empty.', 'First name must not be empty.', 'Must not be empty.'],
    ['address.address', ' must not be empty.', 'Street address must not be empty.', 'Must not be empty.'],
    ['parcels[1].weight_kg', ' must be over 0.', 'Weight of parcel 2 must be over 0.', 'Must be over 0.'],
    ['address.address2', ' must be text.', 'Unit or level must be text.', 'Must be text.'],
    [
      'parcels[0].dangerous_goods.dangerous_goods_definition',
      ' is not known.',
      'Dangerous goods of parcel 1 is not known.',
      'Is not known.',
    ],
  ] as const) {
    const mistake = { field, message: field + rest }
    assert.equal(namedMistake(mistake), named)
    assert.equal(bareMistake(mistake), bare)
  }
  const sentence = { field: 'address.city', message: '3057 is Brunswick East.' }
  assert.deepEqual([namedMistake(sentence), bareMistake(sentence)], [sentence.message, sentence.message])
})
