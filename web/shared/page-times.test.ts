import assert from 'node:assert/strict'
import { test } from 'node:test'
import { momentOf, wallNear, windowOf } from './page-times.ts'

const at = Date.parse
const TUESDAY = ['2026-11-24T14:00:00+11:00', '2026-11-24T20:00:00+11:00'] as const

test('a window has its day unless that is today where it is', () => {
  const cases: [now: string, window: readonly [string, string], words: string][] = [
    ['2026-11-24T10:00:00+11:00', TUESDAY, '2 – 8 pm'],
    ['2026-11-24T00:00:00+11:00', TUESDAY, '2 – 8 pm'],
    ['2026-11-23T23:59:00+11:00', TUESDAY, 'tomorrow, 2 – 8 pm'],
    ['2026-11-22T10:00:00+11:00', TUESDAY, 'Tuesday 24 November, 2 – 8 pm'],
    ['2026-11-25T10:00:00+11:00', TUESDAY, 'Tuesday 24 November, 2 – 8 pm'],
    ['2025-11-24T10:00:00+11:00', TUESDAY, 'Tuesday 24 November 2026, 2 – 8 pm'],
    // In Perth it is still Tuesday when Melbourne has Wednesday.
    ['2026-11-25T01:00:00+11:00', ['2026-11-24T20:00:00+08:00', '2026-11-24T23:30:00+08:00'], '8 – 11:30 pm'],
    [
      '2026-11-24T10:00:00+11:00',
      ['2026-11-24T22:00:00+11:00', '2026-11-25T02:00:00+11:00'],
      'today, 10 pm – tomorrow, 2 am',
    ],
  ]
  for (const [now, [from, to], words] of cases) assert.equal(windowOf(from, to, at(now)), words)
})

test('a moment has its day unless that is today where it is', () => {
  const moment = '2026-11-24T10:42:00+11:00'
  assert.equal(momentOf(moment, at('2026-11-24T23:59:00+11:00')), '10:42 am')
  assert.equal(momentOf(moment, at('2026-11-25T00:00:00+11:00')), 'Tuesday 24 November, 10:42 am')
})

test('a clock goes on by the offset it was written with', () => {
  const now = at('2026-11-24T00:30:00Z')
  assert.equal(wallNear('2026-11-24T11:00:00+11:00', now).minute, 11 * 60 + 30)
  assert.equal(wallNear('2026-11-24T08:00:00-03:30', now).minute, 21 * 60)
  assert.equal(wallNear('2026-11-24T00:00:00Z', now).minute, 30)
})
