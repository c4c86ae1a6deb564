import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleAccount } from '../../../test/demo-account.ts'
import { parcels, refusalOf } from '../../../test/refusals.ts'
import { RULES } from './decide.ts'
import { EXCLUSION_RULES } from './decision.ts'

const demo = exampleAccount('demo-account')

test('every service except freight accepts a small carton nearby', () => {
  for (const name of ['NOW', 'TODAY', 'ROAD', 'AIR']) assert.equal(refusalOf(demo, name, {}), null, name)
})

test('the first failed rule is the reason', () => {
  const job = { ...parcels({ weightKg: 21, quantity: 5 }), declaredValueCents: 9e6 }
  assert.equal(refusalOf(demo, 'NOW', { ...job, deliveryType: 'express' })?.rule, 'delivery_type')
  assert.equal(refusalOf(demo, 'NOW', job)?.rule, 'parcel_count')
  assert.equal(refusalOf(demo, 'NOW', { ...job, ...parcels({ weightKg: 21 }) })?.rule, 'total_weight')
})

test('the rules are asked in the order that is published', () => {
  const names = RULES.map(({ name }) => name)
  assert.deepEqual(names, EXCLUSION_RULES.slice(0, names.length))
})
