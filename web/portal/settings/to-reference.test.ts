import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toReference, toStoreReference } from './to-reference.ts'

test('a store has a reference from its name, or a free number for a name without Latin letters', () => {
  assert.equal(toReference('St. Kilda Road'), 'st-kilda-road')
  assert.equal(toStoreReference('St. Kilda Road', ['store-2']), 'st-kilda-road')
  assert.equal(toStoreReference('متجر', []), 'store-2')
  assert.equal(toStoreReference('متجر', ['store-2', 'store-3']), 'store-4')
  assert.equal(toStoreReference(' ', []), '')
})
