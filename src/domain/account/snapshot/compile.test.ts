import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parse } from 'yaml'
import { isOpenAt } from '../../calendar/intervals.ts'
import type { Account } from '../account.ts'
import type { AccountDocument } from '../document/document.ts'
import { readAccount } from '../validation/validate.ts'
import { compileAccount } from './compile.ts'

const example = (name: string) =>
  parse(readFileSync(new URL(`../../../../examples/${name}`, import.meta.url), 'utf8'), { merge: true })

function compiled(input: unknown): Account {
  const { document, mistakes } = readAccount(input)
  assert.deepEqual(mistakes, [])
  return compileAccount(document!, idsFor(document!))
}

function idsFor(document: AccountDocument) {
  const ids = (prefix: string, entries: readonly { reference: string }[]) =>
    new Map(entries.map(({ reference }) => [reference, `${prefix}_${reference}`]))
  return { version: 7, storeIds: ids('sto', document.stores), brandIds: ids('brd', document.brands) }
}

const demo = compiled(example('demo-account.yaml'))
const acme = compiled(example('acme-byoc.yaml'))
const service = (name: string) => demo.services.find((one) => one.service === name)!

test('the demo account is the one that its page describes', () => {
  assert.deepEqual(
    {
      id: demo.id,
      version: demo.version,
      mode: demo.mode,
      zone: demo.zone.name,
      own: demo.ownCarriers,
      links: demo.clickAndDeliver,
    },
    { id: 'demo', version: 7, mode: 'sandbox', zone: 'Australia/Melbourne', own: false, links: true },
  )
  assert.deepEqual(demo.booking, {
    leadMinutes: 60,
    giveUpMinutes: 240,
    order: { by: 'cheapest' },
    replanWhenOff: false,
    replanWhenDarkMinutes: null,
  })
  assert.deepEqual(demo.brands, [
    {
      id: 'brd_wattle-and-co',
      reference: 'wattle-and-co',
      name: 'Wattle & Co',
      colour: '#17513f',
      logo: null,
      allocationStrategy: 'time_and_distance',
      messageTexts: { sms: {}, email: {}, trackingPage: {} },
    },
  ])
  assert.deepEqual([...demo.modes], ['store_to_door', 'customer_pickup'])
  assert.deepEqual([...demo.storeByReference.get('brisbane-cbd')!.modes], ['store_to_door'])
  assert.ok(demo.stores.every((store) => store.bufferMinutes === 15 && store.processingMinutes === 30))
  assert.deepEqual(
    demo.stores.map((store) => [store.reference, store.address.postCode, store.lat, store.lng]),
    [
      ['melbourne-cbd', '3000', -37.813, 144.967],
      ['fitzroy', '3065', -37.798, 144.978],
      ['sydney-cbd', '2000', -33.8698, 151.207],
      ['parramatta', '2150', -33.817, 151.003],
      ['brisbane-cbd', '4000', -27.469, 153.025],
      ['adelaide-cbd', '5000', -34.9225, 138.603],
      ['perth-cbd', '6000', -31.954, 115.857],
      ['hobart-cbd', '7000', -42.882, 147.328],
      ['canberra-city', '2601', -35.2785, 149.133],
      ['darwin-cbd', '0800', -12.4634, 130.8456],
    ],
  )
  assert.deepEqual(demo.storeByReference.get('fitzroy')!.staffCouriers, [
    { phone: '+61491570156', driverName: 'Sam Okafor', driverId: null },
    { phone: '+61491570157', driverName: 'Mia Tran', driverId: null },
  ])
})

test('the second account has its own carriers, equal to the demo’s', () => {
  assert.deepEqual({ own: acme.ownCarriers, links: acme.clickAndDeliver }, { own: true, links: false })
  assert.equal(acme.brands[0]!.allocationStrategy, 'distance_only')
  assert.deepEqual(acme.carriers, demo.carriers)
  assert.deepEqual(acme.deliveryTypes, demo.deliveryTypes)
  assert.deepEqual(acme.dangerousGoods, demo.dangerousGoods)
  const store = acme.storeByReference.get('acme-geelong')!
  assert.deepEqual([store.lat, store.lng, store.address.postCode], [-38.1466, 144.3607, '3220'])
  assert.deepEqual(store.hours, demo.storeByReference.get('fitzroy')!.hours)
})

test('delivery types and services have the timings of the page', () => {
  assert.deepEqual(demo.deliveryTypes.get('fast'), {
    kind: 'after_pickup',
    leadMinutes: 30,
    minutesPerKm: 0,
    windowMinutes: 180,
    lastPickup: 17 * 60,
    hours: null,
  })
  assert.deepEqual(demo.deliveryTypes.get('standard'), {
    kind: 'on_day',
    cutOff: 900,
    days: 3,
    from: 480,
    to: 1080,
  })
  assert.deepEqual(service('NOW').timing, {
    kind: 'after_pickup',
    leadMinutes: 20,
    minutesPerKm: 3,
    windowMinutes: 60,
    lastPickup: null,
    hours: { open: 480, close: 1260 },
  })
  assert.deepEqual(service('FREIGHT').timing, {
    kind: 'on_day',
    cutOff: 720,
    days: { same_metro: 2, same_state: 3, interstate_capital: 5, rest: 9 },
    from: 420,
    to: 1020,
  })
})

test('a carrier’s limits apply to its services unless a service overrides them', () => {
  assert.deepEqual(
    demo.services.map(({ service: name, limits }) => [
      name,
      limits.radiusKm,
      limits.maxParcelKg,
      limits.maxTotalKg,
    ]),
    [
      ['NOW', 20, null, 20],
      ['TODAY', 20, null, 25],
      ['ROAD', null, 22, null],
      ['AIR', null, 22, null],
      ['FREIGHT', null, 1000, null],
    ],
  )
  const document = example('demo-account.yaml')
  document.carriers[0].services[0].limits.radius_km = 5
  assert.deepEqual(
    compiled(document)
      .services.slice(0, 2)
      .map(({ limits }) => limits.radiusKm),
    [5, 20],
  )
})

test('only services that name dangerous goods or regulated products accept them', () => {
  assert.equal(service('NOW').limits.dangerousGoods, null)
  assert.deepEqual(service('AIR').limits.dangerousGoods, {
    classes: new Set(['9']),
    packingGroups: null,
    byAir: true,
  })
  assert.equal(service('ROAD').price?.dangerousGoodsCents, 1500)
  assert.equal(service('AIR').price?.dangerousGoodsCents, 0)
  assert.ok(demo.services.every(({ limits }) => !limits.productTypes.has('prescription_meds_s8')))
})

test('a type that is not enabled offers no service', () => {
  const document = example('demo-account.yaml')
  document.delivery_types.fast.enabled = false
  delete document.delivery_types.express
  const account = compiled(document)
  assert.deepEqual([...account.deliveryTypes.keys()], ['flexible', 'standard'])
  assert.deepEqual(
    account.services.map((one) => one.service),
    ['TODAY', 'ROAD', 'FREIGHT'],
  )
})

test('pickups end before closing, and public holidays close a store unless it opens on them', () => {
  const at = (instant: string) => Date.parse(instant)
  const { calendar } = demo.storeByReference.get('melbourne-cbd')!
  assert.ok(isOpenAt(calendar.pickup, at('2026-11-24T17:29:00+11:00')))
  assert.ok(!isOpenAt(calendar.pickup, at('2026-11-24T17:30:00+11:00')))
  assert.ok(isOpenAt(calendar.trading, at('2026-11-24T17:59:00+11:00')))
  assert.ok(!isOpenAt(calendar.trading, at('2026-12-25T12:00:00+11:00')))

  const document = example('demo-account.yaml')
  document.stores[0].open_on_holidays = true
  document.stores[0].closures = [{ from: '2026-11-24' }]
  const open = compiled(document).storeByReference.get('melbourne-cbd')!.calendar
  assert.ok(isOpenAt(open.trading, at('2026-12-25T12:00:00+11:00')))
  assert.ok(!isOpenAt(open.trading, at('2026-11-24T12:00:00+11:00')))
})

test('an extra opening of the document opens that store', () => {
  const document = example('demo-account.yaml')
  document.stores[6].hours.sun = 'closed'
  document.stores[6].openings = [
    { from: '2026-12-13', hours: ['10:00-12:00', '13:00-16:00'], reason: 'Christmas shopping' },
  ]
  const { calendar } = compiled(document).storeByReference.get('perth-cbd')!
  const isOpen = (time: string) => isOpenAt(calendar.pickup, Date.parse(`2026-12-13T${time}:00+08:00`))
  assert.deepEqual(['09:59', '10:00', '12:00', '13:00'].map(isOpen), [false, true, false, true])
})

test('a hundred thousand stores are read and compiled (how long is printed), and share their calendars', (t) => {
  const document = example('demo-account.yaml')
  const kinds = document.stores.length
  document.stores = Array.from({ length: 100_000 }, (_, index) => ({
    ...document.stores[index % kinds],
    reference: `store-${index}`,
  }))
  const startedMs = performance.now()
  const account = compiled(document)
  const tookMs = performance.now() - startedMs
  assert.equal(account.stores.length, 100_000)
  assert.equal(account.storeById.size, 100_000)
  // Sydney and Parramatta have the same hours.
  assert.equal(new Set(account.stores.map(({ calendar }) => calendar)).size, kinds - 1)
  t.diagnostic(`${Math.round(tookMs)} ms`)
})
