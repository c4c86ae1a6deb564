import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ARTICLE } from '../../../test/documents/label-examples.ts'
import { dayWords, phoneWords, sizeWords, unWords } from './format.ts'

test('days, sizes, phones and UN numbers are written as people write them', () => {
  assert.equal(dayWords('2028-02-29'), 'Tue 29 Feb')
  assert.equal(sizeWords({ ...ARTICLE, weightKg: 0.1234, lengthCm: 10.04 }), '0.13 kg, 10.1 × 20 × 15 cm')
  assert.equal(sizeWords({ ...ARTICLE, weightKg: 0.1 + 0.2 }), '0.3 kg, 30 × 20 × 15 cm')
  assert.equal(phoneWords('+61491570156'), '0491 570 156')
  assert.equal(phoneWords('+61390000000'), '03 9000 0000')
  assert.equal(phoneWords('+6421000000'), '+6421000000')
  assert.equal(unWords('1266'), 'UN1266')
  assert.equal(unWords('UN 3481'), 'UN3481')
})
