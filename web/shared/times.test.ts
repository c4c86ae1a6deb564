import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clockWords, durationWords, isoLocal, longDay, momentWords, windowWords } from './times.ts'

const MELBOURNE = 'Australia/Melbourne'
const at = (local: string, offset = '+11:00') => Date.parse(`${local}${offset}`)
const NOW = at('2026-11-24T10:42:00')

test('a window is said with no more of its date than today leaves open', () => {
  for (const [from, to, words] of [
    ['2026-11-24T14:00', '2026-11-24T20:00', '2 – 8 pm'],
    ['2026-11-24T11:30', '2026-11-24T12:30', '11:30 am – 12:30 pm'],
    ['2026-11-24T10:45', '2026-11-24T12:00', '10:45 am – noon'],
    ['2026-11-24T12:00', '2026-11-24T13:00', '12 – 1 pm'],
    ['2026-11-25T08:00', '2026-11-25T18:00', 'Wed 25, 8 am – 6 pm'],
    ['2026-12-02T08:00', '2026-12-02T18:00', 'Wed 2 Dec, 8 am – 6 pm'],
    ['2027-01-04T08:00', '2027-01-04T18:00', 'Mon 4 Jan 2027, 8 am – 6 pm'],
    ['2026-11-24T20:00', '2026-11-25T02:00', '8 pm – Wed 25, 2 am'],
  ] as const) {
    assert.equal(windowWords(at(from), at(to), MELBOURNE, NOW), words)
  }
})

test('a point in time is the wall clock of the place it is meant for', () => {
  assert.equal(clockWords(NOW, MELBOURNE), '10:42 am')
  assert.equal(clockWords(NOW, 'Australia/Perth'), '7:42 am')
  assert.equal(clockWords(at('2026-11-24T00:05:09'), MELBOURNE, { seconds: true }), '12:05:09 am')
  assert.equal(momentWords(at('2026-11-25T16:00'), MELBOURNE, NOW), 'Wed 25, 4:00 pm')
  assert.equal(longDay(NOW, MELBOURNE), 'Tuesday 24 November')
  assert.equal(isoLocal(NOW, 'Australia/Darwin'), '2026-11-24T09:12')
})

test('what is left of an hour is told in minutes', () => {
  for (const [minutes, words] of [
    [0, '0 min'],
    [59.9, '59 min'],
    [60, '1 h'],
    [108, '1 h 48 min'],
    [60 * 72, '3 days'],
  ] as const) {
    assert.equal(durationWords(minutes * 60_000), words)
  }
})
