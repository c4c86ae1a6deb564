import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  clockWords,
  formatDay,
  formatDuration,
  formatMoment,
  isoAt,
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
  assert.ok(Number.isNaN(toInstantMs('', 'Australia/Perth')))
})
