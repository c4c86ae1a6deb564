import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addDays,
  clockWords,
  formatDay,
  formatDuration,
  formatMoment,
  isoAt,
  isoDay,
  isoLocal,
  longDay,
  toInstantMs,
} from './times.ts'

const MELBOURNE = 'Australia/Melbourne'
const at = (local: string, offset = '+11:00') => Date.parse(`${local}${offset}`)
const NOW = at('2026-11-24T10:42:00')

test('a time is shown as the wall clock of its place', () => {
  assert.equal(clockWords(NOW, MELBOURNE), '10:42 am')
  assert.equal(clockWords(NOW, 'Australia/Perth'), '7:42 am')
  assert.equal(clockWords(at('2026-11-24T00:05:09'), MELBOURNE, { seconds: true }), '12:05:09 am')
  assert.equal(formatMoment(at('2026-11-25T16:00'), MELBOURNE, NOW), 'Wed 25, 4:00 pm')
  assert.equal(longDay(NOW, MELBOURNE), 'Tuesday 24 November')
  assert.equal(formatDay(NOW, MELBOURNE, NOW), '24 November')
  assert.equal(formatDay(NOW, MELBOURNE, at('2027-01-02T10:00')), '24 November 2026')
  assert.equal(isoLocal(NOW, 'Australia/Darwin'), '2026-11-24T09:12')
  assert.equal(isoAt(NOW, 'Australia/Darwin'), '2026-11-24T09:12:00+09:30')
})

test('less than an hour is shown in minutes', () => {
  for (const [minutes, words] of [
    [0, 'less than a minute'],
    [59.9, '59 min'],
    [60, '1 h'],
    [108, '1 h 48 min'],
    [60 * 72, '3 days'],
  ] as const) {
    assert.equal(formatDuration(minutes * 60_000), words)
  }
})

test('a local time becomes the right instant, with and without daylight saving', () => {
  for (const zone of [
    'Australia/Perth',
    'Australia/Lord_Howe',
    'Australia/Melbourne',
    'UTC',
    'America/New_York',
  ])
    for (const day of ['2026-04-03', '2026-04-06', '2026-10-02', '2026-10-05', '2026-11-24'])
      for (let hour = 0; hour < 24; hour++) {
        const ms = Date.parse(`${day}T00:30:00Z`) + hour * 3_600_000
        assert.equal(toInstantMs(isoLocal(ms, zone), zone), ms, `${zone} ${day} ${hour}`)
      }
  // The clocks go forward at 2 am on 4 October and back at 3 am on 5 April.
  for (const [local, instant] of [
    ['2026-10-04T01:30', '2026-10-03T15:30Z'],
    ['2026-10-04T03:30', '2026-10-03T16:30Z'],
    ['2026-04-05T01:30', '2026-04-04T14:30Z'],
    ['2026-04-05T03:30', '2026-04-04T17:30Z'],
  ] as const)
    assert.equal(toInstantMs(local, MELBOURNE), Date.parse(instant), local)
  assert.ok(Number.isNaN(toInstantMs('', 'Australia/Perth')))
})

test('the next day follows days of 23 and 25 hours too', () => {
  // 12:30 am on the day of 25 hours: 24 hours later it is still that day.
  const today = isoDay(at('2026-04-05T00:30'), MELBOURNE)
  assert.equal(addDays(today, 1), '2026-04-06')
  assert.equal(addDays('2026-10-04', 1), '2026-10-05')
  assert.equal(addDays('2026-03-01', -1), '2026-02-28')
})
