import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { crossFieldIssues } from './cross-field.ts'

const parcel = { reference: 'BOX-1', quantity: 1 }
const body = { store_reference: 'fitzroy', reference: 'A-17', address: { country: 'AU' }, parcels: [parcel] }
const goods = { dangerous_goods_definition: 'perfumery' }

const CASES: readonly [name: string, changes: object, issues: string[]][] = [
  ['nothing wrong', {}, []],
  ['no store', { store_reference: null }, ['store_reference required']],
  ['a store by id', { store_reference: undefined, store_id: 'sto_1' }, []],
  ['like our ids', { reference: 'dlv_01J' }, ['reference invalid_value']],
  ['like our ids, in capitals', { reference: 'DLV_01J' }, ['reference invalid_value']],
  ['only nearly', { reference: 'dlv-01J' }, []],
  ['a business without its name', { address: { business: true } }, ['address.company_name required']],
  [
    'a business with a blank name',
    { address: { business: true, company_name: ' ' } },
    ['address.company_name required'],
  ],
  ['a business with its name', { address: { business: true, company_name: 'Acme' } }, []],
  ['a home with a company', { address: { business: false, company_name: 'Acme' } }, []],
  ['another country', { address: { country: 'NZ' } }, ['address.country invalid_value']],
  ['our country in small letters', { address: { country: 'au' } }, []],
  ['staff couriers without one', { use_staff_couriers: true }, ['staff_courier required']],
  ['a courier without the flag', { staff_courier: { phone: '1' } }, ['staff_courier conflict']],
  ['both', { use_staff_couriers: true, staff_courier: { phone: '1' } }, []],
  [
    'a courier and a carrier',
    { use_staff_couriers: true, staff_courier: { phone: '1' }, provider_options: { provider: 'swiftly' } },
    ['provider_options conflict'],
  ],
  ['no carrier', { use_staff_couriers: true, staff_courier: { phone: '1' }, provider_options: {} }, []],
  ['a carrier alone', { use_staff_couriers: false, provider_options: {} }, []],
  [
    'goods without the flag',
    { parcels: [{ ...parcel, dangerous_goods: goods }] },
    ['parcels[0].dangerous_goods conflict'],
  ],
  [
    'goods with the flag false',
    { parcels: [{ ...parcel, contains_dangerous_goods: false, dangerous_goods: goods }] },
    ['parcels[0].dangerous_goods conflict'],
  ],
  [
    'the flag without goods',
    { parcels: [parcel, { reference: 'BOX-2', contains_dangerous_goods: true }] },
    ['parcels[1].dangerous_goods required'],
  ],
  [
    'goods declared',
    { parcels: [{ ...parcel, contains_dangerous_goods: true, dangerous_goods: goods }] },
    [],
  ],
  [
    'one reference twice',
    { parcels: [parcel, parcel, { reference: 'B' }] },
    ['parcels[1].reference conflict'],
  ],
  ['10,000 units', { parcels: [{ ...parcel, quantity: 10_000 }] }, []],
  [
    '10,001 units',
    {
      parcels: [
        { ...parcel, quantity: 10_000 },
        { reference: 'B', quantity: 1 },
      ],
    },
    ['parcels too_many'],
  ],
  ['50 entries', { metadata: entries(50) }, []],
  ['51 entries', { metadata: entries(51) }, ['metadata too_many']],
  ['a long value', { metadata: { note: 'x'.repeat(501) } }, ['metadata.note too_long']],
  ['a long key', { metadata: { ['k'.repeat(65)]: 'x' } }, [`metadata.${'k'.repeat(60)} too_long`]],
  ['a key of 40', { metadata: { ['k'.repeat(40)]: 'x' } }, []],
  [
    'many at once',
    { store_reference: null, use_staff_couriers: true, address: { business: true, country: 'NZ' } },
    [
      'store_reference required',
      'address.company_name required',
      'address.country invalid_value',
      'staff_courier required',
    ],
  ],
]

test('reports all mistakes between fields at once', () => {
  for (const [name, changes, issues] of CASES) {
    const found = crossFieldIssues({ ...body, ...changes }, 'delivery')
    assert.deepEqual(
      found.map(({ field, issue }) => `${field} ${issue}`),
      issues,
      name,
    )
  }
})

test('a quote needs no company name', () => {
  assert.deepEqual(crossFieldIssues({ ...body, address: { business: true } }, 'quote'), [])
})

test('never throws for any body', () => {
  const keys = fc.constantFrom(
    'store_id',
    'address',
    'parcels',
    'metadata',
    'staff_courier',
    'reference',
    'quantity',
  )
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(null, undefined, true, 0, Number.NaN, 'x', ''),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(keys, tie('tree')),
    ),
  }))
  fc.assert(
    fc.property(tree, (anything) => {
      assert.ok(Array.isArray(crossFieldIssues(anything, 'delivery')))
    }),
  )
})

function entries(count: number) {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, 'value']))
}
