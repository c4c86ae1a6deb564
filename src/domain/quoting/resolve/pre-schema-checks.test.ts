import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { exampleAccount } from '../../../../test/demo-account.ts'
import { TUESDAY_TEN } from '../../../../test/jobs.ts'
import { rawAllocationIssues } from '../../allocation/resolve-allocation.ts'
import type { RequestKind } from '../../delivery/cross-field.ts'
import { preSchemaIssues } from './pre-schema-checks.ts'

const account = exampleAccount('demo-account')
const context = { sight: () => true, nowMs: TUESDAY_TEN }
const fields = (body: unknown, kind: RequestKind = 'delivery') =>
  preSchemaIssues(account, body, kind, context).map(({ field }) => field)

const goods = 'parcels[1].dangerous_goods'

test('valid parts of an invalid body are checked against the account', () => {
  const cases: [string, unknown, string[]][] = [
    ['nothing', {}, []],
    ['an unknown store', { store_reference: 'nope' }, ['store_reference']],
    ['a store that is no text', { store_reference: 7 }, []],
    [
      'a mode that the store has not',
      { store_reference: 'brisbane-cbd', delivery_mode: 'customer_pickup' },
      ['delivery_mode'],
    ],
    ['a mode that is none', { store_reference: 'brisbane-cbd', delivery_mode: ['customer_pickup'] }, []],
    ['a time long ago', { ready_for_pickup_at: '2025-11-20T10:00' }, ['ready_for_pickup_at']],
    ['a time past the calendar', { ready_for_pickup_at: '2031-06-01T10:00Z' }, ['ready_for_pickup_at']],
    ['a time that is none', { ready_for_pickup_at: 'soon' }, []],
    ['own carriers', { provider_options: { provider: 'swiftly' } }, ['provider_options']],
    [
      'a contradiction',
      { address: { city: 'Fitzroy', state: 'NSW', post_code: '3065' } },
      ['address.post_code'],
    ],
    ['half an address', { address: { city: 'Fitzroy', post_code: '3065' } }, []],
    ['no phone', { customer: { phone: '12' } }, ['customer.phone']],
    ['a courier without a phone', { staff_courier: { phone: '12' } }, ['staff_courier.phone']],
    [
      'an unknown definition',
      { parcels: [null, { dangerous_goods: { dangerous_goods_definition: 'x' } }] },
      [`${goods}.dangerous_goods_definition`],
    ],
    [
      'a class that there is not',
      { parcels: [null, { dangerous_goods: { class_division: 2.7, subsidiary_risk: '3' } }] },
      [`${goods}.class_division`],
    ],
  ]
  for (const [name, body, expected] of cases) assert.deepEqual(fields(body), expected, name)
})

test('an amend is not checked for fields it cannot have', () => {
  const body = {
    store_reference: 'nope',
    delivery_mode: 'customer_pickup',
    provider_options: { provider: 'swiftly' },
    staff_courier: { phone: '12' },
    customer: { phone: '12' },
  }
  assert.deepEqual(fields(body, 'amend'), ['customer.phone'])
})

test('a store the caller may not see is not mentioned', () => {
  const body = { store_reference: 'brisbane-cbd', delivery_mode: 'customer_pickup' }
  assert.deepEqual(preSchemaIssues(account, body, 'delivery', { ...context, sight: () => false }), [])
})

test('never throws for any body, and reports each field once', () => {
  const word = fc.constantFrom(
    ...['store_id', 'store_reference', 'store_ids', 'store_references', 'delivery_mode', 'delivery_type'],
    ...['ready_for_pickup_at', 'address', 'city', 'state', 'post_code', 'customer', 'phone', 'country'],
    ...['staff_courier', 'provider_options', 'provider', 'service', 'parcels', 'dangerous_goods'],
    ...['dangerous_goods_definition', 'un_number', 'class_division', 'subsidiary_risk'],
  )
  const value = fc.constantFrom(
    ...['nope', 'brisbane-cbd', 'customer_pickup', '2019-01-01T10:00', '9999-12-31T23:59:59', '12', 2.7],
  )
  const body = fc.letrec((tie) => ({
    any: fc.oneof(
      value,
      fc.anything(),
      fc.dictionary(word, tie('any'), { maxKeys: 6 }),
      fc.array(tie('any'), { maxLength: 3 }),
    ),
  })).any
  const once = (fields: readonly string[]) =>
    assert.equal(new Set(fields).size, fields.length, fields.join(', '))
  fc.assert(
    fc.property(body, fc.constantFrom('delivery', 'quote', 'amend'), (value, kind) => {
      once(fields(value, kind))
      once(rawAllocationIssues(account, value, context).map(({ field }) => field))
    }),
    { numRuns: 500 },
  )
})
