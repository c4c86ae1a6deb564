import assert from 'node:assert/strict'
import test from 'node:test'
import { firstOpenAt, isOpenAt } from './intervals.ts'
import {
  compileStoreCalendar,
  type HoursByWeekday,
  nextClosures,
  type StoreCalendarSpec,
} from './store-calendar.ts'
import { parseTimestamp, toInstantMs } from './timestamp.ts'
import { formatLocal, zone } from './zone.ts'

const nine = [{ open: 540, close: 1050 }]
const week: HoursByWeekday = { mon: nine, tue: nine, wed: nine, thu: nine, fri: nine, sat: nine, sun: [] }
const always = [{ open: 0, close: 1440 }]
const allWeek: HoursByWeekday = {
  mon: always,
  tue: always,
  wed: always,
  thu: always,
  fri: always,
  sat: always,
  sun: always,
}
const fitzroy: StoreCalendarSpec = {
  zone: 'Australia/Melbourne',
  state: 'VIC',
  region: null,
  trading: week,
  pickup: null,
  closures: [],
  openOnHolidays: [],
}

const nextOpening = (
  change: Partial<StoreCalendarSpec>,
  from: string,
  kind: 'trading' | 'pickup' = 'trading',
) => {
  const spec = { ...fitzroy, ...change }
  const at = firstOpenAt(
    compileStoreCalendar(spec)[kind],
    toInstantMs(parseTimestamp(from)!, zone(spec.zone)),
  )
  return at === null ? null : formatLocal(zone(spec.zone), at)
}

test('a store opens at its hours, from the opening minute until just before closing', () => {
  const cases = [
    ['Tuesday morning', '2026-11-24T08:59:59', '2026-11-24T09:00:00+11:00'],
    ['during the day', '2026-11-24T13:00:30', '2026-11-24T13:00:30+11:00'],
    ['the last second', '2026-11-24T17:29:59', '2026-11-24T17:29:59+11:00'],
    ['at closing', '2026-11-24T17:30', '2026-11-25T09:00:00+11:00'],
    ['Saturday evening, over a closed Sunday', '2026-11-28T18:00', '2026-11-30T09:00:00+11:00'],
    ['in winter', '2026-07-01T00:00', '2026-07-01T09:00:00+10:00'],
    ['after the calendar', '2030-12-31T18:00', null],
  ] as const
  for (const [name, from, expected] of cases) assert.equal(nextOpening({}, from), expected, name)
})

test('a public holiday closes the store unless it opens on holidays', () => {
  const eve = '2026-11-02T18:00'
  assert.equal(nextOpening({}, eve), '2026-11-04T09:00:00+11:00')
  assert.equal(nextOpening({ openOnHolidays: ['Melbourne Cup Day'] }, eve), '2026-11-03T09:00:00+11:00')
  assert.equal(nextOpening({ openOnHolidays: ['2026-11-03'] }, eve), '2026-11-03T09:00:00+11:00')
  assert.equal(nextOpening({ openOnHolidays: ['2026-11-04'] }, eve), '2026-11-04T09:00:00+11:00')
})

test('a part-day holiday closes the store from its hour', () => {
  const long = [{ open: 540, close: 1260 }]
  const open = { mon: long, tue: long, wed: long, thu: long, fri: long, sat: long, sun: long }
  const brisbane = compileStoreCalendar({
    ...fitzroy,
    zone: 'Australia/Brisbane',
    state: 'QLD',
    trading: open,
  })
  const at = (text: string) => toInstantMs(parseTimestamp(text)!, brisbane.zone)
  assert.equal(isOpenAt(brisbane.trading, at('2026-12-24T17:59')), true)
  assert.equal(isOpenAt(brisbane.trading, at('2026-12-24T18:00')), false)
  assert.equal(isOpenAt(brisbane.trading, at('2026-12-23T20:59')), true)
})

test('pickup ends the configured minutes before closing, also on a part-day holiday', () => {
  const late = [{ open: 540, close: 1260 }]
  const twice = [
    { open: 540, close: 780 },
    { open: 840, close: 1260 },
  ]
  const cases = [
    ['an ordinary day', late, '2026-12-23', '20:30'],
    ['closed from 19:00', late, '2026-12-24', '18:30'],
    ['open twice', twice, '2026-12-23', '20:30'],
    ['open twice, closed from 19:00', twice, '2026-12-24', '18:30'],
    ['closed before 19:00 anyway', nine, '2026-12-24', '17:00'],
    [
      'the second time falls out',
      [
        { open: 540, close: 780 },
        { open: 1140, close: 1260 },
      ],
      '2026-12-24',
      '12:30',
    ],
    ['less open than that', [{ open: 1120, close: 1260 }], '2026-12-24', null],
  ] as const
  for (const [name, hours, day, ends] of cases) {
    const { pickup, zone: local } = compileStoreCalendar({
      ...fitzroy,
      zone: 'Australia/Adelaide',
      state: 'SA',
      trading: { mon: hours, tue: hours, wed: hours, thu: hours, fri: hours, sat: hours, sun: hours },
      pickup: { endsBeforeClosingMinutes: 30 },
    })
    const at = (time: string) => toInstantMs(parseTimestamp(`${day}T${time}`)!, local)
    const lastMs = pickup.ends.findLast((end) => end * 60_000 > at('00:00') && end * 60_000 < at('23:59'))
    assert.equal(lastMs && formatLocal(local, lastMs * 60_000).slice(11, 16), ends ?? undefined, name)
  }
})

test('a regional holiday closes only that region’s stores', () => {
  const queensland = { zone: 'Australia/Brisbane', state: 'QLD' } as const
  assert.equal(nextOpening(queensland, '2026-08-12T00:00'), '2026-08-12T09:00:00+10:00')
  assert.equal(
    nextOpening({ ...queensland, region: 'brisbane' }, '2026-08-12T00:00'),
    '2026-08-13T09:00:00+10:00',
  )
})

test('a closure includes its first and last day, and pickup stays within trading hours', () => {
  const monday = Date.UTC(2026, 10, 23) / 86_400_000
  const closures = [{ fromDay: monday, toDay: monday + 1, name: 'Stocktake' }]
  assert.equal(nextOpening({ closures }, '2026-11-22T00:00'), '2026-11-25T09:00:00+11:00')
  assert.equal(nextOpening({ pickup: allWeek }, '2026-11-24T00:00', 'pickup'), '2026-11-24T09:00:00+11:00')
  assert.equal(nextOpening({ pickup: allWeek }, '2026-11-24T17:30', 'pickup'), '2026-11-25T09:00:00+11:00')
})

test('a store that never closes is open through midnight and through the night of the clock change', () => {
  const hobart = { ...fitzroy, trading: allWeek }
  const { trading, zone: local } = compileStoreCalendar(hobart)
  for (const night of ['2026-10-03T23:59:59', '2026-10-04T02:30', '2027-04-04T02:30']) {
    assert.equal(isOpenAt(trading, toInstantMs(parseTimestamp(night)!, local)), true, night)
  }
})

test('the next closures are named, in local time', () => {
  const monday = Date.UTC(2026, 10, 30) / 86_400_000
  const closures = [{ fromDay: monday, toDay: monday + 1, name: 'Stocktake' }]
  const calendar = compileStoreCalendar({ ...fitzroy, zone: 'Australia/Adelaide', state: 'SA', closures })
  assert.deepEqual(nextClosures(calendar, Date.UTC(2026, 10, 30, 12), 3), [
    { from: '2026-11-30T00:00:00+10:30', to: '2026-12-02T00:00:00+10:30', name: 'Stocktake' },
    { from: '2026-12-24T19:00:00+10:30', to: '2026-12-25T00:00:00+10:30', name: 'Christmas Eve part-day' },
    { from: '2026-12-25T00:00:00+10:30', to: '2026-12-26T00:00:00+10:30', name: 'Christmas Day' },
  ])
})

test('stores with the same hours share one calendar', () => {
  assert.equal(compileStoreCalendar({ ...fitzroy }), compileStoreCalendar(structuredClone(fitzroy)))
  assert.notEqual(
    compileStoreCalendar(fitzroy),
    compileStoreCalendar({ ...fitzroy, openOnHolidays: ['Boxing Day'] }),
  )
})
