import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amendedSentForms, withSentForms } from './sent-forms.ts'

const [COMPOSED, DECOMPOSED] = ['Café', 'Cafe\u0301']

test('each text is answered in the form in which it was sent', () => {
  const answer = {
    reference: COMPOSED,
    parcels: [{ reference: 'P1' }, { reference: COMPOSED }],
    city: 'Carlton',
  }
  const forms = { reference: DECOMPOSED, 'parcels[1].reference': DECOMPOSED }
  assert.deepEqual(withSentForms(answer, forms), {
    reference: DECOMPOSED,
    parcels: [{ reference: 'P1' }, { reference: DECOMPOSED }],
    city: 'Carlton',
  })
})

test('a text that has changed since, or that is not answered, stays as it is', () => {
  const forms = {
    reference: DECOMPOSED,
    'parcels[7].reference': DECOMPOSED,
    'staff_courier.driver_name': DECOMPOSED,
  }
  assert.deepEqual(withSentForms({ reference: 'other', parcels: [] }, forms), {
    reference: 'other',
    parcels: [],
  })
})

test('an amend forgets the forms of the fields that it replaces', () => {
  const before = {
    reference: DECOMPOSED,
    'customer.first_name': DECOMPOSED,
    'parcels[0].reference': DECOMPOSED,
  }
  assert.deepEqual(
    amendedSentForms(before, ['customer', 'parcels'], { 'parcels[1].reference': DECOMPOSED }),
    {
      reference: DECOMPOSED,
      'parcels[1].reference': DECOMPOSED,
    },
  )
  assert.equal(amendedSentForms({ reference: DECOMPOSED }, ['reference'], undefined), undefined)
})
