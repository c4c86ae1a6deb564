import { test } from 'node:test'
import { exampleAccount } from '../../../../test/demo-account.ts'
import { carton } from '../../../../test/jobs.ts'
import { expectRefusals, parcels, type RefusalCase } from '../../../../test/refusals.ts'
import { parcelRules } from './rules-of-parcels.ts'

const pallet = { ...carton, type: 'pallet' as const }

const CASES: readonly RefusalCase[] = [
  {
    name: '0.1 + 19.9 kg is 20',
    service: 'NOW',
    job: parcels({ weightKg: 0.1 }, { weightKg: 19.9 }),
    rule: null,
  },
  {
    name: 'Southern refuses pallets',
    service: 'ROAD',
    job: { parcels: [pallet] },
    rule: 'parcel_type',
    detail: /BOX-1 is a pallet/,
  },
  {
    name: 'Big Haul takes only those',
    service: 'FREIGHT',
    job: {},
    rule: 'parcel_type',
    detail: /BOX-1 is a carton; FREIGHT takes pallet, skid only/,
  },
  { name: 'a pallet by Big Haul', service: 'FREIGHT', job: { parcels: [pallet] }, rule: null },
  {
    name: 'one carton among pallets',
    service: 'FREIGHT',
    job: { parcels: [pallet, { ...carton, reference: 'BOX-2' }] },
    rule: 'parcel_type',
    detail: /BOX-2/,
  },
  { name: '4 units', service: 'NOW', job: parcels({ quantity: 4 }), rule: null },
  {
    name: '3 + 2 units',
    service: 'NOW',
    job: parcels({ quantity: 3 }, { quantity: 2 }),
    rule: 'parcel_count',
    detail: /5 parcels; NOW takes at most 4/,
  },
  { name: '22 kg', service: 'ROAD', job: parcels({ weightKg: 22 }), rule: null },
  {
    name: '22.001 kg',
    service: 'ROAD',
    job: parcels({}, { weightKg: 22.001 }),
    rule: 'parcel_weight',
    detail: /BOX-2 weighs 22.001 kg; ROAD takes at most 22 kg/,
  },
  { name: '4 × 5 kg', service: 'NOW', job: parcels({ weightKg: 5, quantity: 4 }), rule: null },
  {
    name: '2 × 10.1 kg',
    service: 'NOW',
    job: parcels({ weightKg: 10.1, quantity: 2 }),
    rule: 'total_weight',
    detail: /weigh 20.2 kg; NOW takes at most 20 kg in all/,
  },
  { name: '105 cm', service: 'ROAD', job: parcels({ heightCm: 105 }), rule: null },
  {
    name: '105.5 cm',
    service: 'ROAD',
    job: parcels({ heightCm: 105.5 }),
    rule: 'parcel_side',
    detail: /BOX-1 is 105.5 cm long; ROAD takes at most 105 cm/,
  },
  {
    name: '0.25 m³',
    service: 'ROAD',
    job: parcels({ lengthCm: 100, widthCm: 50, heightCm: 50 }),
    rule: null,
  },
  {
    name: '0.2505 m³',
    service: 'ROAD',
    job: parcels({ lengthCm: 100.2, widthCm: 50, heightCm: 50 }),
    rule: 'parcel_volume',
    detail: /0.2505 m³; ROAD takes at most 0.25 m³/,
  },
  {
    name: 'limits are on dead weight',
    service: 'ROAD',
    job: parcels({ lengthCm: 60, widthCm: 60, heightCm: 60, weightKg: 1 }),
    rule: null,
  },
  {
    name: 'a type refused',
    service: 'NOW',
    limits: { refusedParcelTypes: new Set(['carton']) },
    job: {},
    rule: 'parcel_type',
    detail: /NOW does not take that/,
  },
]

test('a parcel at a limit is accepted, one past it is not', () => {
  expectRefusals(exampleAccount('demo-account'), parcelRules, CASES)
})
