import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleAccount } from '../../../test/demo-account.ts'
import { jobAt, TUESDAY_TEN } from '../../../test/jobs.ts'
import { decide } from './decide.ts'
import { explain } from './explanation.ts'

const demo = exampleAccount('demo-account')

test('an explanation names every service, the options in booking order before the rest', () => {
  const { services } = explain(decide(demo, jobAt(demo, { deliveryType: 'standard' }), TUESDAY_TEN))
  assert.deepEqual(
    services.map((each) => `${each.service} ${each.eligible ? each.priceCents : each.rule}`),
    ['ROAD 1031', 'NOW delivery_type', 'TODAY delivery_type', 'AIR delivery_type', 'FREIGHT parcel_type'],
  )
  const [road] = services
  assert.ok(road?.eligible)
  const { provider, carrierCode, deliveryType, gstIncludedCents, numDays, lines } = road
  assert.deepEqual(
    { provider, carrierCode, deliveryType, gstIncludedCents, numDays, lines },
    {
      provider: 'southern_parcels',
      carrierCode: 'SP-ROAD',
      deliveryType: 'standard',
      gstIncludedCents: 94,
      numDays: 1,
      lines: [
        { name: 'zone', cents: 950, detail: 'same_metro' },
        { name: 'fuel', cents: 81, detail: '8.5 %' },
      ],
    },
  )
})

test('it survives being stored as JSON, and stays small', () => {
  const explanation = explain(decide(demo, jobAt(demo), TUESDAY_TEN))
  const stored = JSON.stringify(explanation)
  assert.deepEqual(JSON.parse(stored), explanation)
  assert.ok(stored.length < 2_500, `${stored.length} bytes`)
})
