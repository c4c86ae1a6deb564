import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Days, formatMomentAt, formatWindowAt, wallAt } from './format-window-at.ts'
import { getWindowZone } from './window-zone.ts'
import { localDay, minuteOfDay, zone } from './zone.ts'

const MELBOURNE = 'Australia/Melbourne'
const here = { zone: MELBOURNE, reader: MELBOURNE, nowMs: Date.parse('2026-11-24T10:42:00+11:00') }
const span = (from: string, to: string, offset = '+11:00') => ({
  fromMs: Date.parse(`${from}${offset}`),
  toMs: Date.parse(`${to}${offset}`),
})

test('a window names as much of its day as the reader needs', () => {
  const cases: [days: Days, from: string, to: string, words: string][] = [
    ['hours', '2026-11-25T08:00', '2026-11-25T18:00', '8 am – 6 pm'],
    ['near', '2026-11-24T14:00', '2026-11-24T20:00', 'today, 2 – 8 pm'],
    ['near', '2026-11-24T22:00', '2026-11-25T02:00', 'today, 10 pm – tomorrow, 2 am'],
    ['near', '2026-12-02T08:00', '2026-12-02T12:00', 'Wednesday 2 December, 8 am – noon'],
    ['not_today', '2026-11-24T14:00', '2026-11-24T20:00', '2 – 8 pm'],
    ['not_today', '2026-11-25T08:00', '2026-11-25T18:00', 'tomorrow, 8 am – 6 pm'],
    ['not_today', '2026-12-02T08:00', '2026-12-02T18:00', 'Wednesday 2 December, 8 am – 6 pm'],
    ['not_today', '2026-11-24T22:00', '2026-11-25T02:00', 'today, 10 pm – tomorrow, 2 am'],
    ['short', '2026-11-24T14:00', '2026-11-24T20:00', '2 – 8 pm'],
    ['short', '2026-11-24T12:00', '2026-11-24T13:00', '12 – 1 pm'],
    ['short', '2026-11-25T08:00', '2026-11-25T18:00', 'Wed 25, 8 am – 6 pm'],
    ['short', '2026-12-02T08:00', '2026-12-02T18:00', 'Wed 2 Dec, 8 am – 6 pm'],
    ['short', '2027-01-04T08:00', '2027-01-04T18:00', 'Mon 4 Jan 2027, 8 am – 6 pm'],
    ['short', '2026-11-24T20:00', '2026-11-25T02:00', '8 pm – Wed 25, 2 am'],
    ['dated', '2026-11-24T11:30', '2026-11-24T12:30', 'Tue 24 Nov, 11:30 am – 12:30 pm'],
    ['dated', '2026-12-31T20:00', '2027-01-01T00:30', 'Thu 31 Dec, 8 pm – Fri 1 Jan, 12:30 am'],
    ['full', '2026-11-24T14:00', '2026-11-24T20:00', 'Tuesday 24 November, 2 – 8 pm'],
  ]
  for (const [days, from, to, text] of cases) assert.equal(formatWindowAt(span(from, to), here, days), text)
})

test('the place is named if the reader’s local time differs', () => {
  const darwin = span('2026-11-25T08:00', '2026-11-25T18:00', '+09:30')
  const cases: [zone: string, reader: string, words: string][] = [
    ['Australia/Darwin', MELBOURNE, 'Wed 25, 8 am – 6 pm, Darwin time'],
    ['Australia/Darwin', 'Australia/Darwin', 'Wed 25, 8 am – 6 pm'],
    ['Australia/Darwin', '+09:30', 'Wed 25, 8 am – 6 pm'],
    [MELBOURNE, 'Australia/Sydney', 'Wed 25, 9:30 am – 7:30 pm'],
    ['Australia/Lord_Howe', MELBOURNE, 'Wed 25, 9:30 am – 7:30 pm'],
    ['Indian/Christmas', MELBOURNE, 'Wed 25, 5:30 am – 3:30 pm, Christmas Island time'],
  ]
  for (const [zone, reader, text] of cases)
    assert.equal(formatWindowAt(darwin, { ...here, zone, reader }, 'short'), text)
  const closes = Date.parse('2026-11-24T17:30:00+11:00')
  assert.equal(
    formatMomentAt(closes, { ...here, reader: 'Australia/Perth' }, 'hours'),
    '5:30 pm, Melbourne time',
  )
  assert.equal(formatMomentAt(closes, here, 'dated'), 'Tue 24 Nov, 5:30 pm')
})

test('formatted times agree with the compiled zones, also at clock changes', () => {
  for (const name of [MELBOURNE, 'Australia/Perth', 'Australia/Lord_Howe', 'Australia/Broken_Hill'])
    for (let ms = Date.parse('2027-04-03T00:00Z'); ms < Date.parse('2027-04-05T00:00Z'); ms += 17 * 60_000) {
      const compiled = { day: localDay(zone(name), ms), minute: minuteOfDay(zone(name), ms) }
      assert.deepEqual(wallAt(name, ms), compiled)
    }
})

test('a window is in the local time of the parcels’ destination', () => {
  const door = { state: 'NSW', postCode: '2880' } as const
  const store = 'Australia/Adelaide'
  assert.equal(getWindowZone({ mode: undefined, door, store }), 'Australia/Broken_Hill')
  assert.equal(getWindowZone({ mode: 'customer_pickup', door, store }), store)
})
