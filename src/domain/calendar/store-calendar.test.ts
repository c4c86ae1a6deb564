import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { WEEKDAYS } from '../values.ts'
import { firstOpenAt, isOpenAt } from './intervals.ts'
import {
  compileStoreCalendar,
  type HoursByWeekday,
  listNext,
  type StoreCalendarSpec,
} from './store-calendar.ts'
import { parseTimestamp, toInstantMs } from './timestamp.ts'
import { atLocal, formatLocal, zone } from './zone.ts'

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
  openings: [],
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

const opening = (date: string, open: string, close: string, to = date) => {
  const day = (text: string) => Date.parse(`${text}T00:00Z`) / 86_400_000
  const minute = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
  return {
    fromDay: day(date),
    toDay: day(to),
    hours: [{ open: minute(open), close: minute(close) }],
    name: 'Christmas shopping',
  }
}

test('an extra opening opens the store, whatever the weekday or the holiday', () => {
  const sunday = [opening('2026-12-13', '10:00', '16:00')]
  const cupDay = [opening('2026-11-03', '12:00', '15:00')]
  const late = [opening('2026-11-24', '17:00', '21:00')]
  const early = { endsBeforeClosingMinutes: 30 }
  const weekend = [opening('2026-12-12', '18:00', '20:00', '2026-12-13')]
  const cases = [
    ['a closed Sunday', { openings: sunday }, '2026-12-12T18:00', '2026-12-13T10:00:00+11:00'],
    ['at its closing', { openings: sunday }, '2026-12-13T16:00', '2026-12-14T09:00:00+11:00'],
    ['the Sunday before', { openings: sunday }, '2026-12-06T11:00', '2026-12-07T09:00:00+11:00'],
    ['a public holiday', { openings: cupDay }, '2026-11-02T18:00', '2026-11-03T12:00:00+11:00'],
    ['after its hours on a holiday', { openings: cupDay }, '2026-11-03T15:00', '2026-11-04T09:00:00+11:00'],
    ['a long evening', { openings: late }, '2026-11-24T20:59', '2026-11-24T20:59:00+11:00'],
    ['the usual hours of that day', { openings: late }, '2026-11-24T08:00', '2026-11-24T09:00:00+11:00'],
    ['two days, the first', { openings: weekend }, '2026-12-12T17:30', '2026-12-12T18:00:00+11:00'],
    ['two days, the second', { openings: weekend }, '2026-12-12T20:00', '2026-12-13T18:00:00+11:00'],
  ] as const
  for (const [name, change, from, expected] of cases) assert.equal(nextOpening(change, from), expected, name)

  const pickups = [
    ['the same as trading hours', { openings: sunday }, '2026-12-13T00:00', '2026-12-13T10:00:00+11:00'],
    [
      'until 30 minutes before',
      { openings: sunday, pickup: early },
      '2026-12-13T15:29',
      '2026-12-13T15:29:00+11:00',
    ],
    ['not after that', { openings: sunday, pickup: early }, '2026-12-13T15:30', '2026-12-14T09:00:00+11:00'],
    [
      'before the later closing',
      { openings: late, pickup: early },
      '2026-11-24T17:20',
      '2026-11-24T17:20:00+11:00',
    ],
    ['own pickup hours', { openings: sunday, pickup: week }, '2026-12-13T00:00', '2026-12-13T10:00:00+11:00'],
  ] as const
  for (const [name, change, from, expected] of pickups)
    assert.equal(nextOpening(change, from, 'pickup'), expected, name)
})

test('an extra opening never removes an opening that was there', () => {
  const range = fc
    .tuple(fc.integer({ min: 0, max: 1439 }), fc.integer({ min: 1, max: 600 }))
    .map(([open, length]) => ({ open, close: Math.min(open + length, 1440) }))
  const days = fc.record({ hours: fc.array(range, { maxLength: 1 }), weekday: fc.constantFrom(...WEEKDAYS) })
  const first = Date.UTC(2026, 11, 20) / 86_400_000
  const day = fc.integer({ min: first, max: first + 14 })
  const extra = fc
    .record({
      fromDay: day,
      days: fc.nat({ max: 3 }),
      hours: fc.array(range, { minLength: 1, maxLength: 2 }),
    })
    .map(({ fromDay, days: more, hours }) => ({ fromDay, toDay: fromDay + more, hours, name: 'Extra' }))
  const pickup = fc.constantFrom(null, week, { endsBeforeClosingMinutes: 30 })
  const closures = fc.array(
    day.map((one) => ({ fromDay: one, toDay: one, name: 'Stocktake' })),
    { maxLength: 2 },
  )
  const minute = fc.integer({ min: 0, max: 1439 })
  fc.assert(
    fc.property(
      fc.array(days, { maxLength: 7 }),
      fc.array(extra, { minLength: 1, maxLength: 3 }),
      pickup,
      closures,
      day,
      minute,
      (changed, openings, pickups, closed, at, time) => {
        const trading = {
          ...week,
          ...Object.fromEntries(changed.map(({ weekday, hours }) => [weekday, hours])),
        }
        const spec = {
          ...fitzroy,
          zone: 'Australia/Adelaide',
          state: 'SA' as const,
          trading,
          closures: closed,
        }
        const before = compileStoreCalendar({ ...spec, pickup: pickups })
        const after = compileStoreCalendar({ ...spec, pickup: pickups, openings })
        const ms = atLocal(before.zone, at, time)
        for (const kind of ['trading', 'pickup'] as const)
          assert.ok(!isOpenAt(before[kind], ms) || isOpenAt(after[kind], ms), kind)
        const isExtra = openings.some(
          ({ fromDay, toDay, hours }) =>
            fromDay <= at && at <= toDay && hours.some(({ open, close }) => open <= time && time < close),
        )
        assert.equal(isOpenAt(after.trading, ms), isOpenAt(before.trading, ms) || isExtra)
        if (isExtra) assert.ok(!after.closures.some(({ fromMs, toMs }) => fromMs <= ms && ms < toMs))
      },
    ),
    { numRuns: 300 },
  )
})

test('a calendar takes work in proportion to its days and its document', () => {
  const DAYS = 2_191
  const first = Date.UTC(2025, 0, 1) / 86_400_000
  const days = { fromDay: first, toDay: first + DAYS - 1 }
  const half = { fromDay: first, toDay: first + 1_099 }
  const six = [6, 8, 10, 12, 14, 16].map((hour) => ({ open: hour * 60, close: hour * 60 + 45 }))
  const many = <T>(make: (index: number) => T) => Array.from({ length: 1_000 }, (_, index) => make(index))
  const all = many(() => ({ ...days, name: 'Closed' }))
  const later = many((index) => ({
    fromDay: half.toDay + 1 + index,
    toDay: half.toDay + 1 + index,
    name: 'Closed',
  }))
  const daily = many((index) => ({ fromDay: first + index, toDay: first + index, hours: six, name: 'Extra' }))
  const names = many((index) => `Holiday ${index}`)
  const usual = countWork(() => compileStoreCalendar({ ...fitzroy, openOnHolidays: ['Not compiled before'] }))
  assert.ok(usual > DAYS)
  // Six ranges for each day make 13,146. Each case may do some steps for each range, entry or day.
  for (const [name, change] of [
    ['1,000 closures of all days', { closures: all }],
    [
      '1,000 closures and an opening of half the days',
      { closures: later, openings: [{ ...half, hours: six, name: 'Extra' }] },
    ],
    ['1,000 openings and 1,000 closures', { closures: later, openings: daily }],
    ['an opening of all days', { openings: [{ ...days, hours: six, name: 'Extra' }] }],
    ['1,000 holidays', { openOnHolidays: names }],
  ] as const) {
    const work = countWork(() => compileStoreCalendar({ ...fitzroy, ...change }))
    assert.ok(work < usual + 40 * 6 * DAYS, `${name}: ${work} steps, ${usual} without`)
  }
})

test('an extra opening is stored once, however many days it has', () => {
  const always = [opening('2025-01-01', '10:00', '12:00', '2030-12-31')]
  const calendar = compileStoreCalendar({ ...fitzroy, openings: always })
  assert.equal(calendar.openings.length, 1)
  assert.deepEqual(
    listNext(calendar, 'openings', Date.UTC(2026, 10, 24, 0, 30), 3).map(({ from }) => from),
    ['2026-11-24T10:00:00+11:00', '2026-11-25T10:00:00+11:00', '2026-11-26T10:00:00+11:00'],
  )
  assert.equal(
    listNext(calendar, 'openings', Date.UTC(2026, 10, 24, 1), 1)[0]?.from.slice(0, 10),
    '2026-11-25',
  )
  assert.equal(listNext(calendar, 'openings', Date.UTC(2030, 11, 30, 12), 12).length, 1)
})

/** How many steps of loops over lists, entries of maps and new entries of lists this takes. */
function countWork(run: () => void): number {
  const iterator = Object.getPrototypeOf([][Symbol.iterator]())
  const original = { next: iterator.next, set: Map.prototype.set, push: Array.prototype.push }
  let steps = 0
  const counted = <F extends (...given: never[]) => unknown>(method: F) =>
    function (this: unknown, ...given: Parameters<F>) {
      steps++
      return Reflect.apply(method, this, given)
    }
  try {
    iterator.next = counted(original.next)
    Map.prototype.set = counted(original.set) as typeof Map.prototype.set
    Array.prototype.push = counted(original.push) as typeof Array.prototype.push
    run()
  } finally {
    iterator.next = original.next
    Map.prototype.set = original.set
    Array.prototype.push = original.push
  }
  return steps
}

test('the next extra openings are named, and a holiday is no closure in their hours', () => {
  const openings = [opening('2026-12-25', '10:00', '12:00'), opening('2026-12-13', '10:00', '16:00')]
  const calendar = compileStoreCalendar({ ...fitzroy, openings })
  const nowMs = Date.UTC(2026, 11, 1)
  assert.deepEqual(listNext(calendar, 'openings', nowMs, 12), [
    { from: '2026-12-13T10:00:00+11:00', to: '2026-12-13T16:00:00+11:00', name: 'Christmas shopping' },
    { from: '2026-12-25T10:00:00+11:00', to: '2026-12-25T12:00:00+11:00', name: 'Christmas shopping' },
  ])
  assert.deepEqual(listNext(calendar, 'closures', nowMs, 2), [
    { from: '2026-12-25T00:00:00+11:00', to: '2026-12-25T10:00:00+11:00', name: 'Christmas Day' },
    { from: '2026-12-25T12:00:00+11:00', to: '2026-12-26T00:00:00+11:00', name: 'Christmas Day' },
  ])
})

test('the next closures are named, in local time', () => {
  const monday = Date.UTC(2026, 10, 30) / 86_400_000
  const closures = [{ fromDay: monday, toDay: monday + 1, name: 'Stocktake' }]
  const calendar = compileStoreCalendar({ ...fitzroy, zone: 'Australia/Adelaide', state: 'SA', closures })
  assert.deepEqual(listNext(calendar, 'closures', Date.UTC(2026, 10, 30, 12), 3), [
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
