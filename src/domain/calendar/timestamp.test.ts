import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { parseDate, parseTimestamp, toInstantMs } from './timestamp.ts'
import { formatLocal, zone } from './zone.ts'

const sections = readFileSync(new URL('./timestamp.vectors.txt', import.meta.url), 'utf8').split(/^# /m)
const linesOf = (heading: string) =>
  sections
    .filter((section) => section.startsWith(heading))
    .flatMap((section) => section.split('\n').slice(1))
    .filter((line) => line !== '')

test('a timestamp with an offset is one instant', () => {
  const lines = linesOf('Instants')
  assert.ok(lines.length >= 13)
  for (const line of lines) {
    const [text, ms] = line.split(' => ')
    assert.deepEqual(parseTimestamp(text!), { kind: 'instant', ms: Number(ms) }, line)
  }
})

test('a timestamp without an offset is local time of its place', () => {
  const melbourne = zone('Australia/Melbourne')
  for (const line of linesOf('Local')) assert.equal(parseTimestamp(line)?.kind, 'local', line)
  const cases = [
    ['2026-11-24T13:00', '2026-11-24T13:00:00+11:00'],
    ['2026-07-01T00:00:59.999', '2026-07-01T00:01:00+10:00'],
    ['2026-10-04T02:30:15', '2026-10-04T03:30:15+11:00'],
    ['2027-04-04T02:30', '2027-04-04T02:30:00+11:00'],
  ] as const
  for (const [text, at] of cases)
    assert.equal(formatLocal(melbourne, toInstantMs(parseTimestamp(text)!, melbourne)), at)
})

test('an offset wins over the zone of the place', () => {
  assert.equal(
    toInstantMs(parseTimestamp('2026-11-24T13:00+11:00')!, zone('Australia/Perth')),
    1_795_485_600_000,
  )
})

test('text that is not a timestamp is rejected', () => {
  const lines = linesOf('Invalid')
  assert.ok(lines.length >= 30)
  for (const line of [...lines, '', ' 2026-11-24T13:00Z', '2026-11-24T13:00Z\n']) {
    assert.equal(parseTimestamp(line), null, line)
  }
})

test('accepts only real dates from 1970', () => {
  assert.equal(parseDate('1970-01-02'), 1)
  assert.equal(parseDate('2024-02-29'), 19_782)
  for (const text of ['2026-02-30', '1969-12-31', '2026-2-3', '2026-11-24T00:00', ' 2026-11-24', '']) {
    assert.equal(parseDate(text), null, text)
  }
})
