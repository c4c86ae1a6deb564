import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleAccount } from '../../../../test/demo-account.ts'
import { TUESDAY_TEN } from '../../../../test/jobs.ts'
import { defined, quoteRequest, requestParcel, timestamp } from '../../../../test/requests.ts'
import type { Account, Store } from '../../account/account.ts'
import type { QuoteRequest } from '../../delivery/request.ts'
import { resolveQuote } from './resolve-quote.ts'

const demo = exampleAccount('demo-account')
const acme = exampleAccount('acme-byoc')
const acmeRequest = { ...quoteRequest, storeReference: 'acme-geelong' }
const noSuch = { storeReference: null, storeId: 'sto_none' }
const address = (changes: Partial<QuoteRequest['address']>) => ({
  address: { ...quoteRequest.address, ...changes },
})
const parcel = (changes: Partial<typeof requestParcel>) => ({ parcels: [{ ...requestParcel, ...changes }] })
const ready = (text: string) => ({ readyForPickupAt: timestamp(text) })
const goods = (definition: string) => ({ containsDangerousGoods: true, dangerousGoods: defined(definition) })

test('a quote request becomes a job', () => {
  const job = jobOf(demo, { ...parcel(goods('aerosols')), productTypes: { alcohol: true, tobacco: false } })
  assert.equal(job.store.reference, 'fitzroy')
  assert.deepEqual([job.mode, job.readyForPickupAtMs, job.pin], ['store_to_door', null, null])
  assert.deepEqual([job.destination.suburb, job.destination.residential], ['Richmond', true])
  assert.deepEqual([...job.productTypes], ['alcohol'])
  assert.deepEqual([job.parcels[0]?.type, job.parcels[0]?.dangerousGoods?.unNumber], ['carton', 'UN1950'])
})

test('a time without an offset is in the store’s time zone', () => {
  const perth = { storeReference: 'perth-cbd', ...ready('2026-11-24T12:00') }
  assert.equal(jobOf(demo, perth).readyForPickupAtMs, Date.parse('2026-11-24T12:00:00+08:00'))
  assert.equal(jobOf(demo, ready('2026-11-24T12:00Z')).readyForPickupAtMs, Date.parse('2026-11-24T12:00Z'))
})

test('store_id wins over store_reference', () => {
  assert.equal(jobOf(demo, { storeId: 'sto_perth-cbd' }).store.reference, 'perth-cbd')
})

test('a pinned provider’s name ignores case', () => {
  const pinned = { ...acmeRequest, providerOptions: { provider: 'SWIFTLY', service: 'NOW' } }
  assert.deepEqual(jobOf(acme, pinned).pin, { provider: 'swiftly', service: 'NOW' })
})

const DEMO: readonly [name: string, changes: Partial<QuoteRequest>, issues: string[], message?: RegExp][] = [
  ['neither store', { storeReference: null }, ['store_reference required']],
  [
    'unknown reference',
    { storeReference: 'fitzory' },
    ['store_reference unknown_store'],
    /Did you mean "fitzroy"/,
  ],
  ['unknown id', noSuch, ['store_id unknown_store']],
  ['unknown id, right reference', { storeId: 'sto_none' }, ['store_id unknown_store'], /Leave store_id out/],
  ['a reference as id', { storeId: 'fitzroy' }, ['store_id unknown_store']],
  [
    'a store without the mode',
    { storeReference: 'brisbane-cbd', deliveryMode: 'customer_pickup' },
    ['delivery_mode not_enabled'],
    /brisbane-cbd/,
  ],
  [
    'own carriers are off',
    { providerOptions: { provider: 'swiftly', service: null } },
    ['provider_options not_enabled'],
  ],
  ['postcode of another state', address({ postCode: '2000' }), ['address.post_code unknown_place'], /NSW/],
  ['no such postcode', address({ postCode: '9999' }), ['address.post_code unknown_place']],
  ['no such state', address({ state: 'ZZ' }), ['address.state invalid_value']],
  ['another country', address({ country: 'NZ' }), ['address.country invalid_value']],
  [
    'unknown goods',
    parcel(goods('fireworks')),
    ['parcels[0].dangerous_goods.dangerous_goods_definition unknown_definition'],
  ],
  ['a house', parcel({ lengthCm: 5001 }), ['parcels[0].length_cm out_of_range']],
  ['a ship', parcel({ weightKg: 100_001 }), ['parcels[0].weight_kg out_of_range']],
  ['beyond the calendar', ready('2031-01-05T10:00:00Z'), ['ready_for_pickup_at out_of_range']],
  ['seconds taken for milliseconds', ready('1970-01-21T10:00:00Z'), ['ready_for_pickup_at out_of_range']],
  ['yesterday', ready('2026-11-23T10:00:00Z'), []],
  ['last month', ready('2026-10-01T10:00:00Z'), []],
  [
    'all at once',
    {
      ...noSuch,
      ...address({ postCode: '9999', country: 'NZ' }),
      ...parcel({ ...goods('fireworks'), heightCm: 9e9 }),
      ...ready('2040-01-01T00:00'),
    },
    [
      'address.country invalid_value',
      'store_id unknown_store',
      'ready_for_pickup_at out_of_range',
      'address.post_code unknown_place',
      'parcels[0].height_cm out_of_range',
      'parcels[0].dangerous_goods.dangerous_goods_definition unknown_definition',
    ],
  ],
]

const ACME: typeof DEMO = [
  [
    'an unknown provider with an unknown service',
    { providerOptions: { provider: 'nope', service: 'NOPE' } },
    ['provider_options.provider unknown_provider', 'provider_options.service unknown_service'],
  ],
  [
    'unknown provider',
    { providerOptions: { provider: 'swiftley', service: null } },
    ['provider_options.provider unknown_provider'],
    /Known names: swiftly, southern_parcels, big_haul\. Did you mean "swiftly"/,
  ],
  [
    'another’s service',
    { providerOptions: { provider: 'swiftly', service: 'ROAD' } },
    ['provider_options.service unknown_service'],
    /Swiftly has no service "ROAD"\. Known names: NOW, TODAY/,
  ],
  ['a service alone', { providerOptions: { provider: null, service: 'ROAD' } }, []],
  [
    'an unknown service alone',
    { providerOptions: { provider: null, service: 'road' } },
    ['provider_options.service unknown_service'],
    /Did you mean "ROAD"/,
  ],
]

test('reports all mistakes that depend on the account at once', () => {
  for (const [name, changes, expected, message] of DEMO)
    expectIssues(name, demo, { ...quoteRequest, ...changes }, expected, message)
  for (const [name, changes, expected, message] of ACME)
    expectIssues(name, acme, { ...acmeRequest, ...changes }, expected, message)
})

test('rejects a disabled delivery type', () => {
  const account = {
    ...demo,
    deliveryTypes: new Map([...demo.deliveryTypes].filter(([type]) => type !== 'express')),
  }
  const request = { ...quoteRequest, deliveryType: 'express' as const }
  expectIssues('express', account, request, ['delivery_type not_enabled'], /fast, flexible, standard/)
})

test('stores the caller may not see are not named', () => {
  const request = { ...quoteRequest, storeReference: 'fitzory' }
  const resolved = resolveQuote(demo, request, {
    sight: ({ reference }) => reference === 'perth-cbd',
    nowMs: TUESDAY_TEN,
  })
  assert.ok('issues' in resolved)
  assert.equal(resolved.issues[0]?.message, 'There is no store "fitzory". Known names: perth-cbd.')
})

function jobOf(account: Account, changes: Partial<QuoteRequest>) {
  const resolved = resolveQuote(account, { ...quoteRequest, ...changes }, everything)
  assert.ok('job' in resolved, JSON.stringify(resolved))
  return resolved.job
}

function expectIssues(
  name: string,
  account: Account,
  request: QuoteRequest,
  expected: string[],
  pattern = /./,
) {
  const resolved = resolveQuote(account, request, everything)
  const issues = 'issues' in resolved ? resolved.issues : []
  assert.deepEqual(
    issues.map(({ field, issue }) => `${field} ${issue}`),
    expected,
    name,
  )
  for (const { message } of issues) assert.match(message, pattern, name)
}

const everything = { sight: (_store: Store) => true, nowMs: TUESDAY_TEN }
