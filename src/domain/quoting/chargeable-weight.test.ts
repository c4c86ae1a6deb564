import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleAccount } from '../../../test/demo-account.ts'
import { carton, jobAt, northOf, serviceOf } from '../../../test/jobs.ts'
import { chargedOn } from './chargeable-weight.ts'

const demo = exampleAccount('demo-account')
const melbourne = demo.storeByReference.get('melbourne-cbd')!
const job = jobAt(demo, { destination: northOf(melbourne, 10) })
/** 16 kg by volume, 2 kg by weight. */
const bulky = { ...carton, lengthCm: 40, widthCm: 40, heightCm: 40, weightKg: 2 }
const base = [{ name: 'base' as const }]

test('a price names the weight or distance that it is based on, if there is one', () => {
  for (const [service, parcels, lines, expected] of [
    ['NOW', [bulky], base, { weightKg: null, km: 10 }],
    ['ROAD', [bulky], base, { weightKg: 16, km: null }],
    ['ROAD', [{ ...carton, quantity: 3 }], base, { weightKg: 3, km: null }],
    ['ROAD', [bulky], [{ name: 'fixed_price' }], null],
    ['ROAD', [bulky], [{ name: 'carrier_price' }, { name: 'markup' }], null],
  ] as const) {
    assert.deepEqual(chargedOn(serviceOf(demo, service), lines, parcels, job), expected, service)
  }
})

test('an own courier’s price list uses the weight alone', () => {
  const now = serviceOf(demo, 'NOW')
  const rateCard = { zones: [], steps: new Map(), surcharges: [], cubicKgPerM3: null }
  assert.deepEqual(chargedOn({ ...now, rateCard }, base, [bulky], job), { weightKg: 2, km: null })
})
