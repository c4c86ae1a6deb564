import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleAccount } from '../../../test/demo-account.ts'
import { ballarat, jobAt, northOf, sydney, TUESDAY_TEN } from '../../../test/jobs.ts'
import type { Account } from '../account/account.ts'
import { formatLocal } from '../calendar/zone.ts'
import { bestByType, decide } from './decide.ts'
import type { Job } from './job.ts'

const demo = exampleAccount('demo-account')
const melbourne = demo.storeByReference.get('melbourne-cbd')!
const at = (ms: number) => formatLocal(melbourne.zone, ms)

test('options for a small carton nearby on a Tuesday morning', () => {
  const { options, exclusions, earliestPickupMs } = decide(demo, jobAt(demo), TUESDAY_TEN)
  const rows = options.map(({ service, priceCents, pickupMs, window, numDays }) => [
    service.service,
    priceCents,
    at(pickupMs),
    at(window.fromMs),
    at(window.toMs),
    numDays,
  ])
  // The buffer of 15 minutes; NOW starts 20 minutes and 2 km of 3 minutes later.
  const pickup = '2026-11-24T10:15:00+11:00'
  assert.deepEqual(rows, [
    ['TODAY', 790, pickup, '2026-11-24T14:00:00+11:00', '2026-11-24T20:00:00+11:00', 0],
    ['NOW', 890, pickup, '2026-11-24T10:41:00+11:00', '2026-11-24T11:41:00+11:00', 0],
    ['ROAD', 1031, pickup, '2026-11-25T08:00:00+11:00', '2026-11-25T18:00:00+11:00', 1],
    ['AIR', 1610, pickup, '2026-11-25T08:00:00+11:00', '2026-11-25T18:00:00+11:00', 1],
  ])
  assert.deepEqual(
    exclusions.map(({ service, rule }) => [service.service, rule]),
    [['FREIGHT', 'parcel_type']],
  )
  assert.equal(earliestPickupMs && at(earliestPickupMs), pickup)
})

test('a pickup after the cut-off moves to the next open day', () => {
  const readyForPickupAtMs = Date.parse('2026-11-24T12:16:00+11:00')
  const today = decide(demo, jobAt(demo, { readyForPickupAtMs }), TUESDAY_TEN).options.find(
    ({ service }) => service.service === 'TODAY',
  )
  assert.equal(today && at(today.window.fromMs), '2026-11-25T14:00:00+11:00')
})

test('without the buffer the pickup starts at once', () => {
  const { earliestPickupMs } = decide(demo, jobAt(demo, { ignoreBufferTime: true }), TUESDAY_TEN)
  assert.equal(earliestPickupMs, TUESDAY_TEN)
})

test('windows are in the destination’s local time', () => {
  const perth = { ...sydney, lat: -31.95, lng: 115.86, state: 'WA' as const, postCode: '6000' }
  const [road] = decide(
    demo,
    jobAt(demo, { destination: perth, deliveryType: 'standard' }),
    TUESDAY_TEN,
  ).options
  // Three business days on, 08:00 in Perth.
  assert.equal(road && at(road.window.fromMs), '2026-11-27T11:00:00+11:00')
})

test('a customer pickup uses the store’s time zone, business days and rate zone', () => {
  const perth = demo.storeByReference.get('perth-cbd')!
  // Labour Day is on 1 March in Perth and on the 8th in Ballarat.
  const thursday = Date.parse('2027-03-04T10:00:00+08:00')
  const cases = [
    ['store_to_door', '2027-03-15T05:00:00+08:00', 6, 2116],
    ['customer_pickup', '2027-03-09T08:00:00+08:00', 3, 1465],
  ] as const
  for (const [mode, from, numDays, cents] of cases) {
    const job = jobAt(demo, { mode, store: perth, destination: ballarat, deliveryType: 'standard' })
    const [road] = decide(demo, job, thursday).options
    const summary = road && [formatLocal(perth.zone, road.window.fromMs), road.numDays, road.priceCents]
    assert.deepEqual(summary, [from, numDays, cents], mode)
  }
})

test('a carrier’s availability delays only its own pickup', () => {
  const three = Date.parse('2026-11-24T15:00:00+11:00')
  const pickupOf = (carrierReadyMs: Job['carrierReadyMs'], readyForPickupAtMs: number | null) =>
    Object.fromEntries(
      decide(demo, jobAt(demo, { carrierReadyMs, readyForPickupAtMs }), TUESDAY_TEN).options.map(
        ({ service, pickupMs }) => [service.service, at(pickupMs).slice(11, 16)],
      ),
    )
  const later = pickupOf(new Map([['swiftly', three]]), null)
  assert.deepEqual([later.NOW, later.ROAD], ['15:00', '10:15'], 'the buffer is not counted again')
  assert.equal(pickupOf(new Map([['swiftly', TUESDAY_TEN]]), three).NOW, '15:15')
  const moved = (carrierMs: number) =>
    decide(
      demo,
      jobAt(demo, { carrierReadyMs: new Map([['swiftly', carrierMs]]), readyForPickupAtMs: three }),
      TUESDAY_TEN,
    ).options.find(({ service }) => service.service === 'NOW')?.readyMs
  assert.equal(moved(three + 15 * 60_000), null, 'as soon as the parcels are ready')
  assert.equal(moved(three + 25 * 60_000), three + 25 * 60_000)
})

test('there is no pickup beyond the calendar', () => {
  const readyForPickupAtMs = Date.parse('2031-02-01T10:00:00+11:00')
  const { options, exclusions, earliestPickupMs } = decide(
    demo,
    jobAt(demo, { readyForPickupAtMs }),
    TUESDAY_TEN,
  )
  assert.deepEqual([options, earliestPickupMs], [[], null])
  assert.deepEqual(new Set(exclusions.map(({ rule }) => rule)), new Set(['no_pickup', 'parcel_type']))
})

test('options are in the account’s booking order', () => {
  const job = jobAt(demo, { destination: northOf(melbourne, 8) })
  const cases: [Account['booking']['order'], string][] = [
    [{ by: 'cheapest' }, 'TODAY ROAD NOW AIR'],
    [{ by: 'fastest' }, 'NOW TODAY ROAD AIR'],
    [{ by: 'preferred', providers: ['southern_parcels'] }, 'ROAD AIR TODAY NOW'],
    [{ by: 'preferred', providers: ['big_haul', 'swiftly'] }, 'TODAY NOW ROAD AIR'],
  ]
  for (const [order, expected] of cases) {
    const account = { ...demo, booking: { ...demo.booking, order } }
    assert.equal(namesOf(decide(account, job, TUESDAY_TEN)), expected, JSON.stringify(order))
  }
})

test('equal options are sorted by time, then by the document’s order', () => {
  const fixed = { markupPercent: 0, fixedCents: { fast: 500, flexible: 500, standard: 500, express: 500 } }
  const account = { ...demo, pricing: fixed }
  assert.equal(namesOf(decide(account, jobAt(demo), TUESDAY_TEN)), 'NOW TODAY ROAD AIR')
})

test('the best option of a type is booked first', () => {
  const air = demo.services.find(({ service }) => service === 'AIR')!
  const account = {
    ...demo,
    services: [...demo.services, { ...air, service: 'SLOW AIR', type: 'standard' as const }],
  }
  const best = bestByType(decide(account, jobAt(demo), TUESDAY_TEN))
  assert.deepEqual(
    Object.entries(best).map(([type, { service }]) => [type, service.service]),
    [
      ['flexible', 'TODAY'],
      ['fast', 'NOW'],
      ['standard', 'ROAD'],
      ['express', 'AIR'],
    ],
  )
})

test('an approximate place is a warning', () => {
  const destination = { ...northOf(melbourne, 2), warning: 'Took the middle of 3000.' }
  assert.deepEqual(decide(demo, jobAt(demo, { destination }), TUESDAY_TEN).warnings, [
    'Took the middle of 3000.',
  ])
})

function namesOf({ options }: ReturnType<typeof decide>): string {
  return options.map(({ service }) => service.service).join(' ')
}
