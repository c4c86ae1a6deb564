import assert from 'node:assert/strict'
import test from 'node:test'
import { contradictionIn } from './suburbs.ts'

test('a suburb with the postcode of another suburb shows a question that names both', () => {
  const found = contradictionIn('footscray', '3071')
  assert.deepEqual(found?.ofSuburb, [{ suburb: 'Footscray', postCode: '3011', state: 'VIC' }])
  assert.deepEqual(found?.ofPostCode, [{ suburb: 'Thornbury', postCode: '3071', state: 'VIC' }])
})

test('a matching suburb, an unknown suburb or an unknown postcode shows no question', () => {
  assert.equal(contradictionIn('Thornbury', '3071'), null)
  assert.equal(contradictionIn('St. Kilda', '3182'), null)
  assert.equal(contradictionIn('Atlantis', '3071'), null)
  assert.equal(contradictionIn('Footscray', '9999'), null)
})
