import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { STATES, type State } from '../values.ts'
import { isOpenAt } from './intervals.ts'
import { compileStoreCalendar, type HoursByWeekday } from './store-calendar.ts'
import { parseTimestamp, toInstantMs } from './timestamp.ts'
import {
  type AfterPickup,
  addBusinessDays,
  businessDays,
  businessDaysBetween,
  earliestPickup,
  isBusinessDay,
  type NoWindow,
  type Offer,
  type OnDay,
  type Timing,
  type WindowPlace,
  windowFor,
} from './windows.ts'
import { formatDate, formatLocal, minuteOfDay, zone } from './zone.ts'

const hours = (open: number, close: number): HoursByWeekday => {
  const day = [{ open: open * 60, close: close * 60 }]
  return { mon: day, tue: day, wed: day, thu: day, fri: day, sat: day, sun: [] }
}
const store = (zoneName: string, state: State, open = 9, close = 18) =>
  compileStoreCalendar({
    zone: zoneName,
    state,
    region: null,
    trading: hours(open, close),
    pickup: null,
    closures: [],
    openOnHolidays: [],
    openings: [],
  })
const place: WindowPlace = {
  store: store('Australia/Melbourne', 'VIC'),
  destinationZone: zone('Australia/Melbourne'),
  businessDays: businessDays('VIC'),
  distanceKm: 4.5,
  rateZone: 'same_metro',
}
const fast: AfterPickup = {
  kind: 'after_pickup',
  leadMinutes: 30,
  minutesPerKm: 0,
  windowMinutes: 180,
  lastPickup: 1020,
  hours: null,
}
const now: AfterPickup = {
  ...fast,
  leadMinutes: 20,
  minutesPerKm: 3,
  windowMinutes: 60,
  lastPickup: null,
  hours: { open: 480, close: 1260 },
}
const flexible: OnDay = { kind: 'on_day', cutOff: 780, days: 0, from: 780, to: 1200 }
const express: OnDay = { kind: 'on_day', cutOff: 960, days: 1, from: 480, to: 1080 }

const ms = (text: string, at: WindowPlace) => toInstantMs(parseTimestamp(text)!, at.store.zone)
/** Pickup, from and to on the store's wall clock, and the number of days; or the reason why there is no window. */
const windowAt = (timing: Timing, ready: string, change: Partial<WindowPlace> = {}) => {
  const at = { ...place, ...change }
  const result = windowFor(timing, at, ms(ready, at))
  if ('excluded' in result) return result.excluded
  const short = (moment: number) => formatLocal(at.store.zone, moment).slice(5, 16)
  return `${short(result.pickupMs)} | ${short(result.window.fromMs)} - ${short(result.window.toMs)} | ${result.numDays}`
}

test('the earliest pickup is in pickup hours after ready or now, and the buffer', () => {
  const at = (ready: string | null, clock: string, bufferMinutes: number) => {
    const readyMs = ready === null ? null : ms(ready, place)
    return formatLocal(
      place.store.zone,
      earliestPickup(place.store, { readyMs, nowMs: ms(clock, place), bufferMinutes })!,
    )
  }
  assert.equal(at(null, '2026-11-24T10:00', 15), '2026-11-24T10:15:00+11:00')
  assert.equal(at('2026-11-24T12:00', '2026-11-24T10:00', 15), '2026-11-24T12:15:00+11:00')
  assert.equal(at('2026-11-23T12:00', '2026-11-24T10:00', 0), '2026-11-24T10:00:00+11:00')
  assert.equal(at(null, '2026-11-24T08:50', 15), '2026-11-24T09:05:00+11:00')
  assert.equal(at(null, '2026-11-24T17:50', 15), '2026-11-25T09:00:00+11:00')
})

test('a window starts lead and travel time after pickup; after the last pickup it moves to the next open day', () => {
  const cases = [
    [fast, '2026-11-24T10:15', '11-24T10:15 | 11-24T10:45 - 11-24T13:45 | 0'],
    [fast, '2026-11-24T17:00:59', '11-24T17:00 | 11-24T17:30 - 11-24T20:30 | 0'],
    [fast, '2026-11-24T17:01', '11-25T09:00 | 11-25T09:30 - 11-25T12:30 | 0'],
    [fast, '2026-11-28T17:30', '11-30T09:00 | 11-30T09:30 - 11-30T12:30 | 0'],
    [now, '2026-11-24T10:00', '11-24T10:00 | 11-24T10:34 - 11-24T11:34 | 0'],
    [{ ...fast, leadMinutes: 600 }, '2026-11-24T16:00', '11-24T16:00 | 11-25T02:00 - 11-25T05:00 | 1'],
    [{ ...fast, leadMinutes: 600 }, '2026-11-28T16:00', '11-28T16:00 | 11-29T02:00 - 11-29T05:00 | 1'],
  ] as const
  for (const [timing, ready, expected] of cases) assert.equal(windowAt(timing, ready), expected, ready)
})

test('couriers pick up within their own hours, at the first time open for both', () => {
  const courier = (open: number, close: number) => ({ ...now, hours: { open: open * 60, close: close * 60 } })
  const cases = [
    [courier(11, 21), '2026-11-24T09:00', '11-24T11:00 | 11-24T11:34 - 11-24T12:34 | 0'],
    [courier(8, 12), '2026-11-24T11:59:59', '11-24T11:59 | 11-24T12:33 - 11-24T13:33 | 0'],
    [courier(8, 12), '2026-11-24T12:00', '11-25T09:00 | 11-25T09:34 - 11-25T10:34 | 0'],
    [courier(11, 12), '2026-11-28T12:00', '11-30T11:00 | 11-30T11:34 - 11-30T12:34 | 0'],
    [courier(18, 24), '2026-11-24T09:00', 'operating_hours'],
    [courier(0, 9), '2026-11-24T09:00', 'operating_hours'],
  ] as const
  for (const [timing, ready, expected] of cases) assert.equal(windowAt(timing, ready), expected, ready)
})

test('a same-day window keeps its hours; the cut-off minute is included', () => {
  const cases = [
    [flexible, '2026-11-24T09:00', '11-24T09:00 | 11-24T13:00 - 11-24T20:00 | 0'],
    [flexible, '2026-11-24T13:00:59', '11-24T13:00 | 11-24T13:00 - 11-24T20:00 | 0'],
    [flexible, '2026-11-24T13:01', '11-25T09:00 | 11-25T13:00 - 11-25T20:00 | 0'],
    [flexible, '2026-11-28T13:01', '11-30T09:00 | 11-30T13:00 - 11-30T20:00 | 0'],
    [express, '2026-11-24T16:00', '11-24T16:00 | 11-25T08:00 - 11-25T18:00 | 1'],
    [express, '2026-11-24T16:01', '11-25T09:00 | 11-26T08:00 - 11-26T18:00 | 1'],
    [express, '2026-11-27T16:01', '11-28T09:00 | 11-30T08:00 - 11-30T18:00 | 1'],
    [express, '2026-11-02T10:00', '11-02T10:00 | 11-04T08:00 - 11-04T18:00 | 1'],
    [{ ...express, days: 3 }, '2026-12-23T10:00', '12-23T10:00 | 12-30T08:00 - 12-30T18:00 | 3'],
    [
      { ...express, days: { same_metro: 2, same_state: 3, interstate_capital: 4, rest: 9 } },
      '2026-11-24T10:00',
      '11-24T10:00 | 11-26T08:00 - 11-26T18:00 | 2',
    ],
    [{ ...flexible, cutOff: 480 }, '2026-11-24T10:00', 'cut_off'],
    [express, '2031-01-01T10:00', 'no_pickup'],
    [{ ...express, days: 9 }, '2030-12-30T10:00', 'no_pickup'],
  ] as const
  for (const [timing, ready, expected] of cases) assert.equal(windowAt(timing, ready), expected, ready)
})

test('a same-day window stays if pickup is inside it, and moves to the next day if it is over', () => {
  const late: OnDay = { ...flexible, cutOff: 1440, from: 600, to: 900 }
  assert.equal(windowAt(late, '2026-11-24T14:59'), '11-24T14:59 | 11-24T10:00 - 11-24T15:00 | 0')
  assert.equal(windowAt(late, '2026-11-24T15:00'), '11-25T09:00 | 11-25T10:00 - 11-25T15:00 | 0')
})

test('windows use the destination’s local time and its state’s business days', () => {
  const perth = { destinationZone: zone('Australia/Perth'), businessDays: businessDays('WA') }
  assert.equal(windowAt(express, '2026-11-24T10:00', perth), '11-24T10:00 | 11-25T11:00 - 11-25T21:00 | 1')
  assert.equal(windowAt(express, '2026-11-02T10:00', perth), '11-02T10:00 | 11-03T11:00 - 11-03T21:00 | 1')
})

test('windows are right on both sides of daylight saving nights', () => {
  const cases = [
    ['Australia/Sydney', 'NSW', '2026-10-02T17:00', '10-03T09:00 | 10-06T08:00 - 10-06T18:00 | 1'],
    ['Australia/Sydney', 'NSW', '2027-04-02T10:00', '04-02T10:00 | 04-05T08:00 - 04-05T18:00 | 1'],
    ['Australia/Lord_Howe', 'NSW', '2027-04-02T10:00', '04-02T10:00 | 04-05T08:00 - 04-05T18:00 | 1'],
    ['Australia/Brisbane', 'QLD', '2027-04-02T10:00', '04-02T10:00 | 04-05T08:00 - 04-05T18:00 | 1'],
  ] as const
  for (const [name, state, ready, expected] of cases) {
    const change = {
      store: store(name, state),
      destinationZone: zone(name),
      businessDays: businessDays(state),
    }
    assert.equal(windowAt(express, ready, change), expected, `${name} ${ready}`)
  }
  const overnight = { ...fast, leadMinutes: 600, lastPickup: null }
  const sydney = { store: store('Australia/Sydney', 'NSW'), destinationZone: zone('Australia/Sydney') }
  assert.equal(windowAt(overnight, '2026-10-03T17:00', sydney), '10-03T17:00 | 10-04T04:00 - 10-04T07:00 | 1')
})

test('at every minute of daylight saving nights, pickups are in hours and windows at their local times', () => {
  const places: [string, State][] = [
    ['Australia/Sydney', 'NSW'],
    ['Australia/Hobart', 'TAS'],
    ['Australia/Adelaide', 'SA'],
    ['Australia/Lord_Howe', 'NSW'],
    ['Australia/Brisbane', 'QLD'],
  ]
  const nightly: OnDay = { kind: 'on_day', cutOff: 150, days: 0, from: 90, to: 200 }
  let offered = 0
  for (const [name, state] of places) {
    for (const middleMs of [Date.UTC(2026, 9, 3, 16), Date.UTC(2027, 3, 3, 16)]) {
      for (const timing of [fast, now, flexible, express, nightly]) {
        const at = {
          ...place,
          store: store(name, state, 0, 24),
          destinationZone: zone(name),
          businessDays: businessDays(state),
        }
        let before: Offer | null = null
        for (let minute = -240; minute <= 240; minute++) {
          const readyMs = middleMs + minute * 60_000
          const offer = windowFor(timing, at, readyMs)
          if ('excluded' in offer) continue
          offered += 1
          const where = `${name} ${timing.kind} ${formatLocal(at.store.zone, readyMs)}`
          assert.ok(offer.pickupMs >= readyMs && isOpenAt(at.store.pickup, offer.pickupMs), where)
          assert.ok(offer.window.fromMs < offer.window.toMs && offer.window.toMs > offer.pickupMs, where)
          if (timing.kind === 'on_day') {
            assert.equal(minuteOfDay(at.destinationZone, offer.window.toMs), timing.to, where)
          }
          if (before) {
            assert.ok(offer.pickupMs >= before.pickupMs, where)
            assert.ok(offer.window.fromMs >= before.window.fromMs, where)
            assert.ok(offer.window.toMs >= before.window.toMs, where)
          }
          before = offer
        }
      }
    }
  }
  assert.ok(offered > 20_000, `${offered} offers`)
})

test('pickups are always in hours, and no later request gets an earlier window', () => {
  const anyMs = fc.oneof(
    fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2029, 11, 1) }),
    fc.integer({ min: Date.UTC(2026, 9, 3), max: Date.UTC(2026, 9, 5) }),
    fc.integer({ min: Date.UTC(2027, 3, 3), max: Date.UTC(2027, 3, 5) }),
  )
  const zones = fc.constantFrom<[string, State]>(
    ['Australia/Sydney', 'NSW'],
    ['Australia/Lord_Howe', 'NSW'],
    ['Australia/Brisbane', 'QLD'],
    ['Australia/Adelaide', 'SA'],
  )
  const timings = fc.constantFrom<Timing>(fast, now, flexible, express, {
    ...flexible,
    cutOff: 150,
    from: 90,
    to: 200,
  })
  const laterMs = fc.oneof(fc.integer({ min: 0, max: 7_200_000 }), fc.integer({ min: 0, max: 604_800_000 }))
  fc.assert(
    fc.property(
      zones,
      zones,
      timings,
      anyMs,
      laterMs,
      fc.boolean(),
      (from, to, timing, first, later, nightly) => {
        const at = {
          ...place,
          store: nightly ? store(...from, 0, 24) : store(...from),
          destinationZone: zone(to[0]),
          businessDays: businessDays(to[1]),
        }
        const offers = [first, first + later].map((ready) => windowFor(timing, at, ready))
        const [a, b] = offers.filter((offer): offer is Offer => !('excluded' in (offer as Offer | NoWindow)))
        if (!a || !b) return
        for (const offer of [a, b]) {
          assert.ok(isOpenAt(at.store.pickup, offer.pickupMs))
          assert.ok(offer.window.fromMs < offer.window.toMs && offer.window.toMs > offer.pickupMs)
          if (timing.kind === 'on_day')
            assert.equal(minuteOfDay(at.destinationZone, offer.window.toMs), timing.to)
        }
        assert.ok(a.pickupMs >= first && b.pickupMs >= first + later)
        assert.ok(
          a.pickupMs <= b.pickupMs && a.window.fromMs <= b.window.fromMs && a.window.toMs <= b.window.toMs,
        )
      },
    ),
    { numRuns: 3000 },
  )
})

const day = (date: string) => Date.parse(date) / 86_400_000
const added = (state: (typeof STATES)[number], date: string, n: number) => {
  const found = addBusinessDays(businessDays(state), day(date), n)
  return found === null ? null : formatDate(found)
}

test('business days are Monday to Friday without whole public holidays', () => {
  const cases = [
    ['VIC', '2026-11-24', true],
    ['VIC', '2026-11-28', false],
    ['VIC', '2026-11-29', false],
    ['VIC', '2026-11-03', false],
    ['NSW', '2026-11-03', true],
    ['QLD', '2026-12-24', true],
    ['SA', '2026-12-31', true],
    ['NSW', '2026-04-27', false],
    ['VIC', '2026-04-27', true],
    ['TAS', '2026-04-07', true],
    ['QLD', '2026-08-12', true],
  ] as const
  for (const [state, date, expected] of cases) {
    assert.equal(isBusinessDay(businessDays(state), day(date)), expected, `${state} ${date}`)
  }
})

test('business days are counted after the day; zero is the day itself', () => {
  const cases = [
    ['VIC', '2026-11-24', 3, '2026-11-27'],
    ['VIC', '2026-11-27', 1, '2026-11-30'],
    ['VIC', '2026-11-28', 1, '2026-11-30'],
    ['VIC', '2026-11-28', 0, '2026-11-28'],
    ['VIC', '2026-12-24', 1, '2026-12-29'],
    ['VIC', '2026-11-02', 1, '2026-11-04'],
    ['NSW', '2026-11-02', 1, '2026-11-03'],
    ['NSW', '2030-12-31', 1, null],
  ] as const
  for (const [state, date, n, expected] of cases)
    assert.equal(added(state, date, n), expected, `${state} ${date} ${n}`)
})

test('adding and counting business days are inverse', () => {
  const days = fc.integer({ min: day('2025-01-01'), max: day('2030-06-30') })
  fc.assert(
    fc.property(fc.constantFrom(...STATES), days, fc.integer({ min: 1, max: 60 }), (state, from, n) => {
      const calendar = businessDays(state)
      const to = addBusinessDays(calendar, from, n)!
      assert.ok(isBusinessDay(calendar, to))
      assert.equal(businessDaysBetween(calendar, from, to), n)
      assert.equal(businessDaysBetween(calendar, to, from), 0)
      assert.equal(businessDaysBetween(calendar, from, from), 0)
    }),
  )
})
