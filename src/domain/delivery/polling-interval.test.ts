import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getUrgency, isSilent, pollIntervalMs } from './polling-interval.ts'

const NOW_MS = Date.parse('2026-11-24T10:00:00+11:00')
const HOUR_MS = 3_600_000
const calm = { status: 'collected', subStatus: 'in_transit', windowFromMs: NOW_MS + 30 * HOUR_MS } as const

test('a delivery due now is polled more often than one due tomorrow', () => {
  const cases = [
    ['awaited the day after', calm, 2],
    ['awaited today', { ...calm, windowFromMs: NOW_MS + 5 * HOUR_MS }, 1],
    ['awaited in an hour', { ...calm, windowFromMs: NOW_MS + HOUR_MS }, 0],
    ['should be there', { ...calm, windowFromMs: NOW_MS - HOUR_MS }, 0],
    ['on board', { ...calm, subStatus: 'out_for_delivery' }, 0],
    ['damaged', { ...calm, subStatus: 'damaged' }, 0],
    ['nobody knows when', { ...calm, windowFromMs: null }, 1],
  ] as const
  for (const [name, delivery, expected] of cases) assert.equal(getUrgency(delivery, NOW_MS), expected, name)
  assert.deepEqual(
    ([0, 1, 2] as const).map((urgency) => pollIntervalMs(urgency, 30 * 60_000) / 60_000),
    [10, 30, 120],
  )
})

test('an undeliverable delivery without updates for two days is no longer polled', () => {
  const cases: [string | null, number | null, boolean][] = [
    ['undeliverable', 49, true],
    ['undeliverable', 47, false],
    ['undeliverable', null, false],
    ['delayed', 49, false],
    [null, 49, false],
  ]
  for (const [subStatus, hours, expected] of cases) {
    const updatesDueAtMs = hours === null ? null : NOW_MS - hours * HOUR_MS
    assert.equal(isSilent({ subStatus, updatesDueAtMs }, NOW_MS), expected, `${subStatus} ${hours}`)
  }
})
