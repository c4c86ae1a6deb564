import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exampleAccount } from '../../../test/demo-account.ts'
import { timestamp } from '../../../test/requests.ts'
import { formatLocal } from '../calendar/zone.ts'
import { storeTimes } from './store-times.ts'

const demo = exampleAccount('demo-account')

function timesAt(reference: string, now: string, ready: string | null, processingMinutes = 30): string[] {
  const store = { ...demo.storeByReference.get(reference)!, processingMinutes }
  const times = storeTimes({ readyForPickupAt: ready ? timestamp(ready) : null, nowMs: Date.parse(now) })(
    store,
  )
  return [times.processingMs, times.rfpMs].map((ms) =>
    ms === null ? 'never' : formatLocal(store.zone, ms).slice(0, 16),
  )
}

test('processing runs in trading hours, and finished orders wait for pickup hours', () => {
  const tuesday = '2026-11-24T10:00:00+11:00'
  const cases = [
    ['open now', 'fitzroy', tuesday, null, 30, ['2026-11-24T10:00', '2026-11-24T10:30']],
    [
      'ready later',
      'fitzroy',
      tuesday,
      '2026-11-24T12:15:00+11:00',
      30,
      ['2026-11-24T12:15', '2026-11-24T12:45'],
    ],
    [
      'ready in the past',
      'fitzroy',
      tuesday,
      '2026-11-20T12:15:00+11:00',
      30,
      ['2026-11-24T10:00', '2026-11-24T10:30'],
    ],
    [
      'before opening',
      'fitzroy',
      '2026-11-24T06:00:00+11:00',
      null,
      30,
      ['2026-11-24T09:00', '2026-11-24T09:30'],
    ],
    [
      'over the night',
      'fitzroy',
      '2026-11-24T17:20:00+11:00',
      null,
      30,
      ['2026-11-24T17:20', '2026-11-25T09:20'],
    ],
    [
      'done as it closes',
      'fitzroy',
      '2026-11-24T17:00:00+11:00',
      null,
      30,
      ['2026-11-24T17:00', '2026-11-25T09:00'],
    ],
    [
      'over the Sunday',
      'fitzroy',
      '2026-11-28T17:25:00+11:00',
      null,
      30,
      ['2026-11-28T17:25', '2026-11-30T09:25'],
    ],
    [
      'after the last pickup',
      'melbourne-cbd',
      '2026-11-24T17:05:00+11:00',
      null,
      30,
      ['2026-11-24T17:05', '2026-11-25T08:00'],
    ],
    ['longer than a day', 'fitzroy', tuesday, null, 600, ['2026-11-24T10:00', '2026-11-25T11:30']],
    ['no processing at all', 'fitzroy', tuesday, null, 0, ['2026-11-24T10:00', '2026-11-24T10:00']],
    [
      'over Christmas',
      'fitzroy',
      '2026-12-24T17:20:00+11:00',
      null,
      30,
      ['2026-12-24T17:20', '2026-12-29T09:20'],
    ],
    ['in its own zone', 'perth-cbd', tuesday, null, 30, ['2026-11-24T08:30', '2026-11-24T09:00']],
    [
      'a wall clock is the store’s',
      'perth-cbd',
      tuesday,
      '2026-11-24T12:00',
      30,
      ['2026-11-24T12:00', '2026-11-24T12:30'],
    ],
    ['beyond the calendar', 'fitzroy', '2031-02-01T10:00:00+11:00', null, 30, ['never', 'never']],
  ] as const
  for (const [name, store, now, ready, minutes, expected] of cases) {
    assert.deepEqual(timesAt(store, now, ready, minutes), expected, name)
  }
})
