import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleAccount } from '../../../test/demo-account.ts'
import { ballarat, carton, jobAt, northOf, serviceOf } from '../../../test/jobs.ts'
import type { Limits, Service } from '../account/account.ts'
import type { DangerousGoods } from '../dangerous-goods/dangerous-goods.ts'
import type { PackingGroup, State } from '../values.ts'
import { EXCLUSION_RULES, type ExclusionRule } from './decision.ts'
import { exclusionOf, RULES } from './eligibility.ts'
import { factsOf } from './facts.ts'
import type { Job, JobParcel } from './job.ts'

const demo = exampleAccount('demo-account')
const melbourne = demo.storeByReference.get('melbourne-cbd')!
const pallet = { ...carton, type: 'pallet' as const }
const paint: DangerousGoods = {
  definition: 'paint',
  unNumber: 'UN1263',
  technicalName: 'Paint',
  classDivision: '3',
  subsidiaryRisk: null,
  packingGroup: 'II',
  transportableByAir: false,
  netWeightKg: null,
  outerPackagingType: 'carton',
  outerPackagingQuantity: null,
  declaration: null,
}
const parcels = (...changes: Partial<JobParcel>[]) => ({
  parcels: changes.map((change, index) => ({ ...carton, reference: `BOX-${index + 1}`, ...change })),
})
const dangerous = (changes: Partial<DangerousGoods> = {}) =>
  parcels({ dangerousGoods: { ...paint, ...changes } })
const types = (...names: ('alcohol' | 'prescription_meds_s2' | 'prescription_meds_s8' | 'high_value')[]) => ({
  productTypes: new Set(names),
})

test('a small carton nearby is taken by all but freight', () => {
  for (const name of ['NOW', 'TODAY', 'ROAD', 'AIR']) assert.equal(refusal(name, {}), null, name)
})

/** On the edge a service still takes it (null), one step further it says why not. */
const CASES: readonly [name: string, service: string, Partial<Job>, ExclusionRule | null, detail?: RegExp][] =
  [
    [
      'another type was asked for',
      'NOW',
      { deliveryType: 'standard' },
      'delivery_type',
      /NOW is fast; standard/,
    ],
    ['its own type was asked for', 'NOW', { deliveryType: 'fast' }, null],
    [
      'pinned to another carrier',
      'NOW',
      { pin: { provider: 'big_haul', service: null } },
      'provider_options',
      /big_haul/,
    ],
    [
      'pinned to another service',
      'NOW',
      { pin: { provider: 'swiftly', service: 'TODAY' } },
      'provider_options',
    ],
    ['pinned to it', 'NOW', { pin: { provider: 'swiftly', service: 'NOW' } }, null],
    ['pinned to its carrier', 'NOW', { pin: { provider: 'swiftly', service: null } }, null],
    ['19.9 km away', 'NOW', { destination: northOf(melbourne, 19.9) }, null],
    [
      '20.1 km away',
      'NOW',
      { destination: northOf(melbourne, 20.1) },
      'service_area',
      /20\.1 km from the store; NOW goes at most 20 km/,
    ],
    ['post goes everywhere', 'ROAD', { destination: ballarat }, null],
    ['Southern refuses pallets', 'ROAD', { parcels: [pallet] }, 'parcel_type', /BOX-1 is a pallet/],
    [
      'Big Haul takes only those',
      'FREIGHT',
      {},
      'parcel_type',
      /BOX-1 is a carton; FREIGHT takes pallet, skid only/,
    ],
    ['a pallet by Big Haul', 'FREIGHT', { parcels: [pallet] }, null],
    [
      'one carton among pallets',
      'FREIGHT',
      { parcels: [pallet, { ...carton, reference: 'BOX-2' }] },
      'parcel_type',
      /BOX-2/,
    ],
    ['4 units', 'NOW', parcels({ quantity: 4 }), null],
    [
      '3 + 2 units',
      'NOW',
      parcels({ quantity: 3 }, { quantity: 2 }),
      'parcel_count',
      /5 parcels; NOW takes at most 4/,
    ],
    ['22 kg', 'ROAD', parcels({ weightKg: 22 }), null],
    [
      '22.001 kg',
      'ROAD',
      parcels({}, { weightKg: 22.001 }),
      'parcel_weight',
      /BOX-2 weighs 22.001 kg; ROAD takes at most 22 kg/,
    ],
    ['4 × 5 kg', 'NOW', parcels({ weightKg: 5, quantity: 4 }), null],
    ['0.1 + 19.9 kg is 20', 'NOW', parcels({ weightKg: 0.1 }, { weightKg: 19.9 }), null],
    [
      '2 × 10.1 kg',
      'NOW',
      parcels({ weightKg: 10.1, quantity: 2 }),
      'total_weight',
      /weigh 20.2 kg; NOW takes at most 20 kg in all/,
    ],
    ['105 cm', 'ROAD', parcels({ heightCm: 105 }), null],
    [
      '105.5 cm',
      'ROAD',
      parcels({ heightCm: 105.5 }),
      'parcel_side',
      /BOX-1 is 105.5 cm long; ROAD takes at most 105 cm/,
    ],
    ['0.25 m³', 'ROAD', parcels({ lengthCm: 100, widthCm: 50, heightCm: 50 }), null],
    [
      '0.2505 m³',
      'ROAD',
      parcels({ lengthCm: 100.2, widthCm: 50, heightCm: 50 }),
      'parcel_volume',
      /0.2505 m³; ROAD takes at most 0.25 m³/,
    ],
    [
      'limits are on dead weight',
      'ROAD',
      parcels({ lengthCm: 60, widthCm: 60, heightCm: 60, weightKg: 1 }),
      null,
    ],
    [
      'couriers take no dangerous goods',
      'NOW',
      dangerous(),
      'dangerous_goods',
      /UN1263, class 3; NOW takes no dangerous goods/,
    ],
    ['class 3 by road', 'ROAD', dangerous(), null],
    ['class 2.1 by road', 'ROAD', dangerous({ classDivision: '2.1' }), null],
    [
      'class 2 is not 2.1',
      'ROAD',
      dangerous({ classDivision: '2' }),
      'dangerous_goods',
      /class 2; ROAD takes class 2.1, 3, 8, 9 only/,
    ],
    ['class 3 by air', 'AIR', dangerous({ transportableByAir: true }), 'dangerous_goods'],
    ['class 9 that may fly', 'AIR', dangerous({ classDivision: '9', transportableByAir: true }), null],
    [
      'class 9 that may not fly',
      'AIR',
      dangerous({ classDivision: '9' }),
      'dangerous_goods_air',
      /UN1263 and not transportable by air; AIR flies/,
    ],
    ['class 9 that may not fly by road', 'ROAD', dangerous({ classDivision: '9' }), null],
    ['alcohol by courier', 'NOW', types('alcohol'), null],
    ['alcohol by van', 'TODAY', types('alcohol'), 'product_types', /TODAY does not take alcohol/],
    ['S2 by van', 'TODAY', types('prescription_meds_s2'), null],
    ['S8 by courier', 'NOW', types('prescription_meds_s2', 'prescription_meds_s8'), 'product_types', /s8/],
    ['high value by road', 'ROAD', types('high_value'), 'product_types', /high_value/],
    ['high value by air', 'AIR', types('high_value'), null],
    ['5,000.00 declared', 'ROAD', { declaredValueCents: 500_000 }, null],
    [
      '5,000.01 declared',
      'ROAD',
      { declaredValueCents: 500_001 },
      'declared_value',
      /\$5000.01 is declared; ROAD takes at most \$5000.00/,
    ],
    ['5,000.01 by air', 'AIR', { declaredValueCents: 500_001 }, null],
  ]

test('every limit of the demo account, on its edge and past it', () => {
  for (const [name, service, changes, rule, detail = /./] of CASES) {
    const refused = refusal(service, changes)
    assert.equal(refused?.rule ?? null, rule, name)
    if (refused) assert.match(refused.detail, detail, name)
  }
})

const groups = (...names: PackingGroup[]) => ({
  dangerousGoods: { classes: new Set(['3']), packingGroups: new Set(names), byAir: false },
})
const inStates = (...states: State[]) => new Map([['alcohol' as const, new Set(states)]])

/** Limits that the demo account has not. */
const LIMITED: readonly [
  name: string,
  Partial<Limits>,
  Partial<Job>,
  ExclusionRule | null,
  detail?: RegExp,
][] = [
  ['a state served', { states: new Set(['VIC']) }, {}, null],
  [
    'a state not served',
    { states: new Set(['NSW', 'QLD']) },
    {},
    'service_area',
    /in VIC; NOW serves NSW, QLD/,
  ],
  [
    'a mode not done',
    { modes: new Set(['store_to_door']) },
    { mode: 'customer_pickup' },
    'mode',
    /customer_pickup/,
  ],
  ['a packing group taken', groups('II', 'III'), dangerous(), null],
  [
    'a packing group not taken',
    groups('III'),
    dangerous(),
    'dangerous_goods',
    /packing group II; NOW takes packing group III only/,
  ],
  ['articles without a packing group', groups('III'), dangerous({ packingGroup: null }), null],
  ['alcohol in this state', { productTypes: inStates('VIC') }, types('alcohol'), null],
  [
    'alcohol in other states',
    { productTypes: inStates('NSW', 'ACT') },
    types('alcohol'),
    'product_types',
    /alcohol to NSW, ACT only/,
  ],
  [
    'over 5,000.00 without high_value',
    { productTypes: new Map() },
    { declaredValueCents: 500_001 },
    'declared_value',
    /does not take high_value/,
  ],
  ['a home', { businessOnly: true }, {}, 'business_address', /NOW serves business addresses only/],
  [
    'a business',
    { businessOnly: true },
    { destination: { ...northOf(melbourne, 2), residential: false } },
    null,
  ],
  [
    'a type refused',
    { refusedParcelTypes: new Set(['carton']) },
    {},
    'parcel_type',
    /NOW does not take that/,
  ],
]

test('limits that other accounts set', () => {
  for (const [name, limits, changes, rule, detail = /./] of LIMITED) {
    const now = serviceOf(demo, 'NOW')
    const refused = refusalBy({ ...now, limits: { ...now.limits, ...limits } }, changes)
    assert.equal(refused?.rule ?? null, rule, name)
    if (refused) assert.match(refused.detail, detail, name)
  }
})

test('the first rule in the order is the reason given', () => {
  const many = { ...dangerous({ classDivision: '1.4S' }), deliveryType: 'express' as const }
  assert.equal(refusal('NOW', many)?.rule, 'delivery_type')
  assert.equal(
    refusal('NOW', { ...many, deliveryType: 'fast', declaredValueCents: 9e6 })?.rule,
    'dangerous_goods',
  )
})

test('the rules stand in the order that is published, and each is tested here', () => {
  const names = RULES.map(({ name }) => name)
  assert.deepEqual(names, EXCLUSION_RULES.slice(0, names.length))
  const tested = new Set([...CASES, ...LIMITED].map(([, , , rule]) => rule))
  for (const name of names) assert.ok(tested.has(name), name)
})

function refusal(service: string, changes: Partial<Job>) {
  return refusalBy(serviceOf(demo, service), changes)
}

function refusalBy(service: Service, changes: Partial<Job>) {
  const job = jobAt(demo, changes)
  return exclusionOf(service, job, factsOf(job))
}
