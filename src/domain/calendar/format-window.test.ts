import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatClock, formatDay, formatHours, wallOfIso } from './format-window.ts'

const window = (from: string, to: string) => ({ from: wallOfIso(from), to: wallOfIso(to) })
const today = wallOfIso('2026-11-24T09:00:00+11:00').day

test('a window is formatted as briefly as possible', () => {
  const cases: [string, string, string][] = [
    ['2026-11-24T14:00:00+11:00', '2026-11-24T20:00:00+11:00', '2 – 8 pm'],
    ['2026-11-24T11:30:00+11:00', '2026-11-24T12:30:00+11:00', '11:30 am – 12:30 pm'],
    ['2026-11-24T08:00:00+11:00', '2026-11-24T12:00:00+11:00', '8 am – noon'],
    ['2026-11-24T12:00:00+11:00', '2026-11-24T13:05:00+11:00', '12 – 1:05 pm'],
    ['2026-11-24T00:00:00+11:00', '2026-11-24T06:00:00+11:00', '12 – 6 am'],
    ['2026-11-24T08:00:00+11:00', '2026-11-24T18:00:00+11:00', '8 am – 6 pm'],
  ]
  for (const [from, to, text] of cases) assert.equal(formatHours(window(from, to)), text)
})

test('a day has its nearest name', () => {
  const cases: [string, string][] = [
    ['2026-11-24', 'today'],
    ['2026-11-25', 'tomorrow'],
    ['2026-11-23', 'Monday 23 November'],
    ['2026-12-02', 'Wednesday 2 December'],
    ['2027-01-04', 'Monday 4 January 2027'],
  ]
  for (const [day, text] of cases)
    assert.equal(formatDay(wallOfIso(`${day}T00:00:00+11:00`).day, today), text)
})

test('twelve alone is noon', () => {
  assert.equal(formatClock(wallOfIso('2026-11-24T12:00:00+11:00')), 'noon')
})
