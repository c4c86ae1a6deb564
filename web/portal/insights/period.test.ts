import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findDatesProblem, monthsUpTo, type Period, toPeriod } from './period.ts'

const TODAY = '2026-11-24'
const spanOf = ({ from, to, before }: Period) => [from, to, before.from, before.to]

test('a month is compared with the month before, and this month with the same days of it', () => {
  for (const [search, today, spans, these, beforeThese] of [
    [
      {},
      TODAY,
      ['2026-11-01', TODAY, '2026-10-01', '2026-10-24'],
      'in November so far',
      'from 1 to 24 October',
    ],
    [
      { month: 'last' },
      TODAY,
      ['2026-10-01', '2026-10-31', '2026-09-01', '2026-09-30'],
      'in October',
      'in September',
    ],
    [
      { month: '2026-01' },
      TODAY,
      ['2026-01-01', '2026-01-31', '2025-12-01', '2025-12-31'],
      'in January',
      'in December 2025',
    ],
    [
      { month: '2028-02' },
      '2028-03-02',
      ['2028-02-01', '2028-02-29', '2028-01-01', '2028-01-31'],
      'in February',
      'in January',
    ],
    [
      {},
      '2027-03-31',
      ['2027-03-01', '2027-03-31', '2027-02-01', '2027-02-28'],
      'in March so far',
      'in February',
    ],
    [
      { month: 'last' },
      '2027-01-01',
      ['2026-12-01', '2026-12-31', '2026-11-01', '2026-11-30'],
      'in December 2026',
      'in November 2026',
    ],
    [
      { month: '2027-01' },
      TODAY,
      ['2026-11-01', TODAY, '2026-10-01', '2026-10-24'],
      'in November so far',
      'from 1 to 24 October',
    ],
  ] as const) {
    const period = toPeriod(search, today)
    assert.deepEqual(spanOf(period), spans)
    assert.deepEqual([period.these, period.beforeThese], [these, beforeThese])
  }
})

test('other days are compared with as many days before', () => {
  const week = toPeriod({ days: '7' }, TODAY)
  assert.deepEqual(spanOf(week), ['2026-11-18', TODAY, '2026-11-11', '2026-11-17'])
  assert.deepEqual([week.these, week.beforeThese], ['in the last 7 days', 'in the 7 days before'])
  const dates = toPeriod({ from: '2026-10-02', to: '2026-10-09' }, TODAY)
  assert.deepEqual(spanOf(dates), ['2026-10-02', '2026-10-09', '2026-09-24', '2026-10-01'])
  assert.deepEqual([dates.these, dates.beforeThese], ['from 2 Oct to 9 Oct', 'in the 8 days before'])
  const newYear = toPeriod({ from: '2025-12-30', to: '2026-01-02' }, TODAY)
  assert.equal(newYear.these, 'from 30 Dec 2025 to 2 Jan')
  assert.equal(toPeriod({}, '2026-11-01').beforeThese, 'on 1 October')
  assert.equal(toPeriod({ from: '2026-02-30', to: '2026-10-09' }, TODAY).choice, '2026-11')
})

test('dates in the wrong order, or more than a year of them, are named', () => {
  assert.match(findDatesProblem({ from: '2026-10-09', to: '2026-10-02' }) ?? '', /^The first day is after/)
  assert.match(
    findDatesProblem({ from: '2025-01-01', to: '2026-10-02' }) ?? '',
    /^A period can’t be longer than a year/,
  )
  assert.equal(findDatesProblem({ from: '2026-10-02', to: '2026-10-02' }), null)
})

test('the months to choose from begin with this one', () => {
  const months = monthsUpTo(TODAY)
  assert.deepEqual(months[0], { value: '2026-11', label: 'November 2026' })
  assert.deepEqual(months.at(-1), { value: '2024-11', label: 'November 2024' })
})
