import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  eachCents,
  formatDate,
  formatExtraCost,
  formatShare,
  formatTotalCost,
  serviceName,
} from './format-figures.ts'

test('figures of few deliveries state their number', () => {
  assert.equal(formatShare(1197, 1271), '94.2%')
  assert.equal(formatShare(1, 2), '50% (of 2)')
  assert.equal(formatShare(0, 0), 'Not known')
  assert.equal(formatShare(9_999, 10_000), '99.9%')
  assert.equal(formatShare(1, 10_000), '0.1%')
  assert.equal(formatShare(40, 40), '100%')
  assert.equal(eachCents({ cost_cents: 1_000, deliveries: 3 }), 333)
  assert.equal(eachCents({ cost_cents: 0, deliveries: 0 }), null)
  assert.equal(serviceName({ provider: null, service: null }), 'Own couriers')
  assert.equal(serviceName({ carrier: 'Swiftly', provider: 'swiftly', service: 'NOW' }), 'Swiftly NOW')
})

test('sums over $100 have no cents, and an incomplete sum says how many deliveries it covers', () => {
  assert.equal(formatTotalCost(9_999), '$99.99')
  assert.equal(formatTotalCost(10_000), '$100.00')
  assert.equal(formatTotalCost(112_649), '$1,126')
  assert.equal(formatExtraCost({ extra_cost_cents: 0, priced_count: 9, deliveries: 9 }), '$0.00')
  assert.equal(
    formatExtraCost({ extra_cost_cents: 40_200, priced_count: 12, deliveries: 171 }),
    '$402 (of 12)',
  )
  assert.equal(formatExtraCost({ extra_cost_cents: 0, priced_count: 0, deliveries: 3 }), 'Not known')
  assert.equal(formatDate('2026-09-07'), '7 Sep')
})
