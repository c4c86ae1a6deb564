import { test } from 'node:test'
import { exampleAccount } from '../../../../test/demo-account.ts'
import { northOf } from '../../../../test/jobs.ts'
import { expectRefusals, parcels, type RefusalCase } from '../../../../test/refusals.ts'
import type { DangerousGoods } from '../../dangerous-goods/dangerous-goods.ts'
import type { PackingGroup, ProductType, State } from '../../values.ts'
import { goodsRules } from './rules-of-goods.ts'

const demo = exampleAccount('demo-account')
const melbourne = demo.storeByReference.get('melbourne-cbd')!
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
const dangerous = (changes: Partial<DangerousGoods> = {}) =>
  parcels({ dangerousGoods: { ...paint, ...changes } })
const types = (...names: ProductType[]) => ({ productTypes: new Set(names) })
const groups = (...names: PackingGroup[]) => ({
  dangerousGoods: { classes: new Set(['3']), packingGroups: new Set(names), byAir: false },
})
const inStates = (...states: State[]) => new Map([['alcohol' as const, new Set(states)]])

/** As near as any, but in another state. */
const overTheBorder = { ...northOf(melbourne, 2), state: 'NSW', postCode: '2640' } as const
const CASES: readonly RefusalCase[] = [
  {
    name: 'couriers take no dangerous goods',
    service: 'NOW',
    job: dangerous(),
    rule: 'dangerous_goods',
    detail: /UN1263, class 3; NOW takes no dangerous goods/,
  },
  { name: 'class 3 by road', service: 'ROAD', job: dangerous(), rule: null },
  { name: 'class 2.1 by road', service: 'ROAD', job: dangerous({ classDivision: '2.1' }), rule: null },
  {
    name: 'class 2 is not 2.1',
    service: 'ROAD',
    job: dangerous({ classDivision: '2' }),
    rule: 'dangerous_goods',
    detail: /class 2; ROAD takes class 2.1, 3, 8, 9 only/,
  },
  {
    name: 'class 3 by air',
    service: 'AIR',
    job: dangerous({ transportableByAir: true }),
    rule: 'dangerous_goods',
  },
  {
    name: 'class 9 that may fly',
    service: 'AIR',
    job: dangerous({ classDivision: '9', transportableByAir: true }),
    rule: null,
  },
  {
    name: 'class 9 that may not fly',
    service: 'AIR',
    job: dangerous({ classDivision: '9' }),
    rule: 'dangerous_goods_air',
    detail: /UN1263 and not transportable by air; AIR travels by air/,
  },
  {
    name: 'class 9 that may not fly by road',
    service: 'ROAD',
    job: dangerous({ classDivision: '9' }),
    rule: null,
  },
  { name: 'alcohol by courier', service: 'NOW', job: types('alcohol'), rule: null },
  {
    name: 'alcohol by van',
    service: 'TODAY',
    job: types('alcohol'),
    rule: 'product_types',
    detail: /TODAY does not take alcohol/,
  },
  { name: 'S2 by van', service: 'TODAY', job: types('prescription_meds_s2'), rule: null },
  {
    name: 'S8 by courier',
    service: 'NOW',
    job: types('prescription_meds_s2', 'prescription_meds_s8'),
    rule: 'product_types',
    detail: /s8/,
  },
  {
    name: 'high value by road',
    service: 'ROAD',
    job: types('high_value'),
    rule: 'product_types',
    detail: /high_value/,
  },
  { name: 'high value by air', service: 'AIR', job: types('high_value'), rule: null },
  { name: '5,000.00 declared', service: 'ROAD', job: { declaredValueCents: 500_000 }, rule: null },
  {
    name: '5,000.01 declared',
    service: 'ROAD',
    job: { declaredValueCents: 500_001 },
    rule: 'declared_value',
    detail: /\$5,000\.01 is declared; ROAD takes at most \$5,000\.00/,
  },
  { name: '5,000.01 by air', service: 'AIR', job: { declaredValueCents: 500_001 }, rule: null },
  {
    name: 'a packing group taken',
    service: 'NOW',
    limits: groups('II', 'III'),
    job: dangerous(),
    rule: null,
  },
  {
    name: 'a packing group not taken',
    service: 'NOW',
    limits: groups('III'),
    job: dangerous(),
    rule: 'dangerous_goods',
    detail: /packing group II; NOW takes packing group III only/,
  },
  {
    name: 'articles without a packing group',
    service: 'NOW',
    limits: groups('III'),
    job: dangerous({ packingGroup: null }),
    rule: null,
  },
  {
    name: 'alcohol in this state',
    service: 'NOW',
    limits: { productTypes: inStates('VIC') },
    job: types('alcohol'),
    rule: null,
  },
  {
    name: 'alcohol from another state into this one',
    service: 'NOW',
    limits: { productTypes: inStates('VIC') },
    job: { ...types('alcohol'), mode: 'customer_pickup', destination: overTheBorder },
    rule: null,
  },
  {
    name: 'alcohol from this state into another one',
    service: 'NOW',
    limits: { productTypes: inStates('NSW') },
    job: { ...types('alcohol'), mode: 'customer_pickup', destination: overTheBorder },
    rule: 'product_types',
    detail: /alcohol to NSW only/,
  },
  {
    name: 'alcohol in other states',
    service: 'NOW',
    limits: { productTypes: inStates('NSW', 'ACT') },
    job: types('alcohol'),
    rule: 'product_types',
    detail: /alcohol to NSW, ACT only/,
  },
  {
    name: 'over 5,000.00 without high_value',
    service: 'NOW',
    limits: { productTypes: new Map() },
    job: { declaredValueCents: 500_001 },
    rule: 'declared_value',
    detail: /does not take goods worth more than/,
  },
  {
    name: 'a home',
    service: 'NOW',
    limits: { businessOnly: true },
    job: {},
    rule: 'business_address',
    detail: /NOW serves business addresses only/,
  },
  {
    name: 'a business',
    service: 'NOW',
    limits: { businessOnly: true },
    job: { destination: { ...northOf(melbourne, 2), residential: false } },
    rule: null,
  },
]

test('a service rejects goods that it does not accept, with the reason', () => {
  expectRefusals(demo, goodsRules, CASES)
})
