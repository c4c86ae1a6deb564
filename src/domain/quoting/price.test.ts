import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { exampleAccount } from '../../../test/demo-account.ts'
import { ballarat, brokenHill, carton, jobAt, northOf, serviceOf, sydney } from '../../../test/jobs.ts'
import { resolveDangerousGoods } from '../dangerous-goods/resolve.ts'
import { toFacts } from './facts.ts'
import type { Job } from './job.ts'
import { computePrice, proRata } from './price.ts'

const demo = exampleAccount('demo-account')
const melbourne = demo.storeByReference.get('melbourne-cbd')!
const lithium = goods('lithium_batteries_equipment')
const pallet = {
  ...carton,
  type: 'pallet' as const,
  lengthCm: 120,
  widthCm: 100,
  heightCm: 100,
  weightKg: 250,
}
const kg = (weightKg: number) => [{ ...carton, weightKg }]
const km = (distance: number) => northOf(melbourne, distance)

/** Calculated by hand from the rate cards of the demo account. */
const PRICES: readonly [name: string, service: string, job: Partial<Job>, lines: string][] = [
  ['NOW within 3 km', 'NOW', { destination: km(2.9) }, 'base 890'],
  ['NOW at 10 km: 7 km over', 'NOW', { destination: km(10) }, 'base 890, distance 840'],
  ['NOW a hundred metres over', 'NOW', { destination: km(3.1) }, 'base 890, distance 12'],
  ['TODAY within 5 km', 'TODAY', { destination: km(5) }, 'base 790'],
  ['TODAY at 10 km: 5 km over', 'TODAY', { destination: km(10) }, 'base 790, distance 350'],
  ['ROAD 1 kg: fuel 80.75', 'ROAD', {}, 'zone 950, fuel 81'],
  ['ROAD 2.5 kg: 67.5, then fuel 86.53', 'ROAD', { parcels: kg(2.5) }, 'zone 950, weight 68, fuel 87'],
  ['ROAD 1.9 kg: 40.5 exactly', 'ROAD', { parcels: kg(1.9) }, 'zone 950, weight 41, fuel 84'],
  ['ROAD in the state', 'ROAD', { destination: ballarat, parcels: kg(3) }, 'zone 1150, weight 120, fuel 108'],
  ['ROAD to a capital', 'ROAD', { destination: sydney, parcels: kg(5) }, 'zone 1350, weight 380, fuel 147'],
  [
    'ROAD elsewhere',
    'ROAD',
    { destination: brokenHill, parcels: kg(22) },
    'zone 1950, weight 3780, fuel 487',
  ],
  [
    'ROAD by volume: 16 kg cubic for 2 kg dead',
    'ROAD',
    { parcels: [{ ...carton, lengthCm: 40, widthCm: 40, heightCm: 40, weightKg: 2 }] },
    'zone 950, weight 675, fuel 138',
  ],
  [
    'ROAD: the first kilogram is of the whole consignment',
    'ROAD',
    {
      parcels: [
        { ...carton, quantity: 2 },
        { ...carton, weightKg: 0.5 },
      ],
    },
    'zone 950, weight 68, fuel 87',
  ],
  [
    'ROAD: dead or cubic by parcel, not in the sum (16 + 10 kg)',
    'ROAD',
    {
      parcels: [
        { ...carton, lengthCm: 40, widthCm: 40, heightCm: 40 },
        { ...carton, weightKg: 10 },
      ],
    },
    'zone 950, weight 1125, fuel 176',
  ],
  [
    'ROAD: dangerous goods once a consignment, without fuel',
    'ROAD',
    { parcels: [{ ...carton, weightKg: 0.5, quantity: 2, dangerousGoods: lithium }] },
    'zone 950, fuel 81, dangerous_goods 1500',
  ],
  ['AIR 2.5 kg', 'AIR', { parcels: kg(2.5) }, 'zone 1450, weight 180, fuel 179'],
  ['AIR in the state', 'AIR', { destination: ballarat, parcels: kg(2) }, 'zone 1750, weight 160, fuel 210'],
  ['AIR to a capital: fuel 236.5', 'AIR', { destination: sydney }, 'zone 2150, fuel 237'],
  ['AIR elsewhere', 'AIR', { destination: brokenHill, parcels: kg(2) }, 'zone 3450, weight 480, fuel 432'],
  [
    'AIR asks nothing for dangerous goods',
    'AIR',
    { parcels: [{ ...carton, dangerousGoods: lithium }] },
    'zone 1450, fuel 160',
  ],
  [
    'FREIGHT: 300 kg cubic for 250 kg dead, to a home',
    'FREIGHT',
    { parcels: [pallet] },
    'base 4500, weight 11400, fuel 2226, residential 4500',
  ],
  [
    'FREIGHT to a business',
    'FREIGHT',
    { parcels: [{ ...pallet, weightKg: 400 }], destination: { ...km(2), residential: false } },
    'base 4500, weight 15200, fuel 2758',
  ],
]

test('every price of the demo account', () => {
  for (const [name, service, changes, expected] of PRICES)
    assert.equal(linesOf(service, changes), expected, name)
})

test('the included GST is one eleventh, rounded half up', () => {
  const cases = [
    ['890 / 11 = 80.9', 'NOW', {}, 81],
    ['1031 / 11 = 93.7', 'ROAD', {}, 94],
    ['790 / 11 = 71.8', 'TODAY', {}, 72],
    ['1730 / 11 = 157.3', 'NOW', { destination: km(10) }, 157],
  ] as const
  for (const [name, service, changes, cents] of cases)
    assert.equal(price(service, changes).gstIncludedCents, cents, name)
})

test('a markup is a separate line on the sum of all lines', () => {
  const marked = price('ROAD', {}, { markupPercent: 10, fixedCents: {} })
  assert.deepEqual(marked.lines.at(-1), { name: 'markup', cents: 103, detail: '10%' })
  assert.equal(marked.priceCents, 1134)
})

test('a fixed price replaces all lines including the markup, for its own type only', () => {
  const pricing = { markupPercent: 10, fixedCents: { standard: 999 } }
  const fixed = price('ROAD', { parcels: kg(9) }, pricing)
  assert.deepEqual([fixed.priceCents, fixed.lines.map(({ name }) => name)], [999, ['fixed_price']])
  assert.equal(price('NOW', {}, pricing).priceCents, 979)
})

test('a line says what it was calculated from', () => {
  const details = price('ROAD', { parcels: kg(2.5) }).lines.map(({ detail }) => detail)
  assert.deepEqual(details, ['same_metro', '2.5 kg chargeable, 1 kg included, 45 c/kg', '8.5%'])
})

function linesOf(service: string, changes: Partial<Job>): string {
  const { lines, priceCents } = price(service, changes)
  assert.equal(
    lines.reduce((sum, { cents }) => sum + cents, 0),
    priceCents,
  )
  return lines.map(({ name, cents }) => `${name} ${cents}`).join(', ')
}

function price(service: string, changes: Partial<Job>, pricing = demo.pricing) {
  const job = jobAt(demo, changes)
  const price = computePrice(pricing, serviceOf(demo, service), job, toFacts(job))
  assert.ok(price)
  return price
}

function goods(definition: string) {
  const none = {
    declaration: null,
    transportableByAir: null,
    unNumber: null,
    technicalName: null,
    netWeightKg: null,
    classDivision: null,
    subsidiaryRisk: null,
    packingGroup: null,
    outerPackagingType: null,
    outerPackagingQuantity: null,
  }
  const resolved = resolveDangerousGoods(demo.dangerousGoods, { definition, ...none }, 'dangerous_goods')
  assert.ok('goods' in resolved)
  return resolved.goods
}

test('a share is rounded half up once, exactly', () => {
  const cases = [
    ['0.9 kg at 45 c is 40.5 c', 900, 1000, 45, 41],
    ['just under a half', 899_999_999, 1_000_000_000, 45, 40],
    ['8.5 % of 1000', 1000, 100, 8.5, 85],
    ['8.5 % of 100 is 8.5', 100, 100, 8.5, 9],
    ['a rate of 0.1 three times is 0.3', 3, 1, 0.1, 0],
    ['15 tenths', 15, 1, 0.1, 2],
    ['-5 % of 10 is -0.5, and half up is 0', 10, 100, -5, 0],
    ['-5 % of 30 is -1.5, and half up is -1', 30, 100, -5, -1],
    ['-6 % of 30 is -1.8', 30, 100, -6, -2],
    ['nothing', 0, 1000, 45, 0],
  ] as const
  for (const [name, units, per, rate, expected] of cases)
    assert.equal(proRata(units, per, rate), expected, name)
})

test('numbers too large for floats give the same result', () => {
  const sizes = fc.oneof(fc.integer({ min: -1e4, max: 1e4 }), fc.integer({ min: -1e14, max: 1e14 }))
  const wholes = fc.oneof(fc.constantFrom(1, 100, 1e3, 1e9), fc.integer({ min: 1, max: 1e12 }))
  fc.assert(
    fc.property(sizes, wholes, fc.integer({ min: -1e9, max: 1e9 }), (units, per, millionths) => {
      const dividend = 2n * BigInt(units) * BigInt(millionths) + BigInt(per) * 1_000_000n
      const divisor = 2n * BigInt(per) * 1_000_000n
      const lower = dividend / divisor - (dividend % divisor < 0n ? 1n : 0n)
      assert.equal(proRata(units, per, millionths / 1e6), Number(lower))
    }),
    { numRuns: 2_000 },
  )
})

test('a share lies within half a cent of the true one', () => {
  fc.assert(
    fc.property(fc.nat(1e9), fc.integer({ min: 1, max: 1e6 }), fc.nat(1e6), (units, per, millionths) => {
      const twice = 2n * BigInt(proRata(units, per, millionths / 1e6)) * BigInt(per) * 1_000_000n
      const true2 = 2n * BigInt(units) * BigInt(millionths)
      const half = BigInt(per) * 1_000_000n
      assert.ok(twice - true2 <= half && true2 - twice < half)
    }),
  )
})
