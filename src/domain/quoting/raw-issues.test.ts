import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { exampleAccount } from '../../../test/demo-account.ts'
import { rawAccountIssues } from './raw-issues.ts'

const account = exampleAccount('demo-account')
const fields = (body: unknown) => rawAccountIssues(account, body, () => true).map(({ field }) => field)

test('the whole parts of a broken body are held against the account', () => {
  const cases: [string, unknown, string[]][] = [
    ['nothing', {}, []],
    ['an unknown store', { store_reference: 'nope' }, ['store_reference']],
    ['a store that is no text', { store_reference: 7 }, []],
    ['own carriers', { provider_options: { provider: 'swiftly' } }, ['provider_options']],
    [
      'a contradiction',
      { address: { city: 'Fitzroy', state: 'NSW', post_code: '3065' } },
      ['address.post_code'],
    ],
    ['half an address', { address: { city: 'Fitzroy', post_code: '3065' } }, []],
    ['no phone', { customer: { phone: '12' } }, ['customer.phone']],
    [
      'an unknown definition',
      { parcels: [null, { dangerous_goods: { dangerous_goods_definition: 'x' } }] },
      ['parcels[1].dangerous_goods.dangerous_goods_definition'],
    ],
  ]
  for (const [name, body, expected] of cases) assert.deepEqual(fields(body), expected, name)
})

test('no body of any shape throws', () => {
  const word = fc.constantFrom(
    'store_reference',
    'address',
    'parcels',
    'customer',
    'provider_options',
    'phone',
  )
  const body = fc.letrec((tie) => ({
    any: fc.oneof(
      fc.anything(),
      fc.dictionary(word, tie('any'), { maxKeys: 4 }),
      fc.array(tie('any'), { maxLength: 3 }),
    ),
  })).any
  fc.assert(fc.property(body, (value) => void fields(value)))
})
