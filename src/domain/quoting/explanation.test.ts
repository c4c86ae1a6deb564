import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleAccount } from '../../../test/demo-account.ts'
import { carton, jobAt, TUESDAY_TEN } from '../../../test/jobs.ts'
import { decide } from './decide.ts'
import { explain, explainForRecord } from './explanation.ts'

const demo = exampleAccount('demo-account')

test('an explanation names every service, options first in booking order', () => {
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
        { name: 'fuel', cents: 81, detail: '8.5%' },
      ],
    },
  )
})

test('an explanation survives JSON and stays small', () => {
  const explanation = explain(decide(demo, jobAt(demo), TUESDAY_TEN))
  const stored = JSON.stringify(explanation)
  assert.deepEqual(JSON.parse(stored), explanation)
  assert.ok(stored.length < 2_500, `${stored.length} bytes`)
})

test('a record has the price of an excluded service if a price list gives one', () => {
  const recorded = (account: typeof demo, over: Parameters<typeof jobAt>[1]) => {
    const job = jobAt(account, over)
    return explainForRecord(account, job, decide(account, job, TUESDAY_TEN)).services.flatMap((one) =>
      one.eligible ? [] : [`${one.service} ${one.rule} ${one.wouldCostCents ?? 'not known'}`],
    )
  }
  const long = { parcels: [{ ...carton, lengthCm: 104 }] }
  assert.deepEqual(recorded(demo, long), [
    'NOW parcel_side 890',
    'TODAY parcel_side 790',
    'FREIGHT parcel_type 9743',
  ])
  assert.deepEqual(
    recorded(demo, { ...long, deliveryType: 'standard' }),
    [
      'NOW delivery_type not known',
      'TODAY delivery_type not known',
      'AIR delivery_type not known',
      'FREIGHT parcel_type 9743',
    ],
    'what was not asked for was not kept out',
  )
  const asking = { ...demo, services: demo.services.map((one) => ({ ...one, livePrice: true })) }
  assert.deepEqual(
    recorded(asking, long).slice(0, 2),
    ['NOW parcel_side not known', 'TODAY parcel_side not known'],
    'only the carrier could tell',
  )
  const record = explainForRecord(demo, jobAt(demo, long), decide(demo, jobAt(demo, long), TUESDAY_TEN))
  assert.deepEqual(JSON.parse(JSON.stringify(record)), record)
})
