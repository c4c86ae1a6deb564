import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eachCents, serviceName, shareWords } from './words.ts'

test('figures are said so that few are not taken for many', () => {
  assert.equal(shareWords(1197, 1271), '94.2%')
  assert.equal(shareWords(1, 2), '50% (of 2)')
  assert.equal(shareWords(0, 0), 'Not known')
  assert.equal(eachCents({ cost_cents: 1_000, deliveries: 3 }), 333)
  assert.equal(eachCents({ cost_cents: 0, deliveries: 0 }), 0)
  assert.equal(serviceName({ provider: null, service: null }), 'Own couriers')
  assert.equal(serviceName({ carrier: 'Swiftly', provider: 'swiftly', service: 'NOW' }), 'Swiftly NOW')
})
