import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import {
  atLocal,
  formatDate,
  formatLocal,
  localDay,
  minuteOfDay,
  offsetMinutesAt,
  toWeekday,
  zone,
} from './zone.ts'

const NAMES = [
  'Australia/Sydney',
  'Australia/Lord_Howe',
  'Australia/Brisbane',
  'Australia/Adelaide',
  'Australia/Perth',
  'Pacific/Norfolk',
  'Indian/Cocos',
  'America/New_York',
]
const anyZone = fc.constantFrom(...NAMES)
const anyMs = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2041, 11, 31) })
/** Minutes around the two nights of 2026-27 on which Australian clocks change. */
const nightMs = fc
  .tuple(
    fc.constantFrom(Date.UTC(2026, 9, 3, 15), Date.UTC(2027, 3, 3, 15)),
    fc.integer({ min: -300, max: 300 }),
  )
  .map(([ms, minutes]) => ms + minutes * 60_000)

test('compiled zones agree with Temporal', () => {
  fc.assert(
    fc.property(anyZone, fc.oneof(anyMs, nightMs), (name, ms) => {
      const expected = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(name)
      const at = zone(name)
      assert.equal(offsetMinutesAt(at, ms), expected.offsetNanoseconds / 60e9)
      assert.equal(minuteOfDay(at, ms), expected.hour * 60 + expected.minute)
      assert.equal(formatDate(localDay(at, ms)), expected.toPlainDate().toString())
      assert.equal(
        toWeekday(localDay(at, ms)),
        ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'][expected.dayOfWeek - 1],
      )
      const second = Temporal.Instant.fromEpochMilliseconds(Math.ceil(ms / 1000) * 1000)
      const text = second.toZonedDateTimeISO(name).toString({ timeZoneName: 'never', smallestUnit: 'second' })
      assert.equal(formatLocal(at, ms), text)
    }),
    { numRuns: 2000 },
  )
})

test('local times resolve as Temporal’s "compatible": skipped ones move forward, repeated ones are the first', () => {
  fc.assert(
    fc.property(anyZone, fc.oneof(anyMs, nightMs), (name, ms) => {
      const day = Math.floor(ms / 86_400_000)
      const minute = Math.floor(ms / 60_000) - day * 1440
      const wall = Temporal.PlainDateTime.from(`${formatDate(day)}T00:00`).add({ minutes: minute })
      assert.equal(atLocal(zone(name), day, minute), wall.toZonedDateTime(name).epochMilliseconds)
    }),
    { numRuns: 2000 },
  )
})

test('every minute of daylight saving nights agrees with Temporal, both ways', () => {
  for (const name of NAMES) {
    const at = zone(name)
    for (const middleMs of [Date.UTC(2026, 9, 3, 16), Date.UTC(2027, 3, 3, 16)]) {
      for (let minute = -240; minute <= 240; minute++) {
        const ms = middleMs + minute * 60_000
        const expected = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(name)
        const text = expected.toString({ timeZoneName: 'never', smallestUnit: 'second' })
        assert.equal(formatLocal(at, ms), text)
        const day = localDay(at, ms)
        const wall = expected.toPlainDateTime().toZonedDateTime(name).epochMilliseconds
        assert.equal(atLocal(at, day, minuteOfDay(at, ms)), wall, text)
      }
    }
  }
})

test('2:30 moves forward when skipped and is the first when repeated', () => {
  const spring = Date.UTC(2026, 9, 4) / 86_400_000
  const autumn = Date.UTC(2027, 3, 4) / 86_400_000
  const cases = [
    ['Australia/Sydney', spring, 150, '2026-10-04T03:30:00+11:00'],
    ['Australia/Adelaide', spring, 150, '2026-10-04T03:30:00+10:30'],
    ['Australia/Lord_Howe', spring, 135, '2026-10-04T02:45:00+11:00'],
    ['Australia/Brisbane', spring, 150, '2026-10-04T02:30:00+10:00'],
    ['Australia/Sydney', autumn, 150, '2027-04-04T02:30:00+11:00'],
    ['Australia/Lord_Howe', autumn, 105, '2027-04-04T01:45:00+11:00'],
    ['Australia/Sydney', autumn, 1440, '2027-04-05T00:00:00+10:00'],
  ] as const
  for (const [name, day, minute, expected] of cases) {
    assert.equal(formatLocal(zone(name), atLocal(zone(name), day, minute)), expected)
  }
})

test('a zone is compiled once, and an unknown zone is rejected', () => {
  assert.equal(zone('Australia/Hobart'), zone('Australia/Hobart'))
  assert.equal(zone('australia/hobart'), zone('Australia/Hobart'))
  for (const name of ['Australia/Atlantis', '+10:00', '', 'AEST'])
    assert.throws(() => zone(name), RangeError, name)
})
