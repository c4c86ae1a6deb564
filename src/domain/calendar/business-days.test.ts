import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import { STATES } from '../values.ts'
import { addBusinessDays, businessDays, businessDaysBetween, isBusinessDay } from './business-days.ts'
import { formatDate } from './zone.ts'

const day = (date: string) => Date.parse(date) / 86_400_000
const added = (state: (typeof STATES)[number], date: string, n: number) => {
  const found = addBusinessDays(businessDays(state), day(date), n)
  return found === null ? null : formatDate(found)
}

test('business days are Monday to Friday without whole public holidays', () => {
  const cases = [
    ['VIC', '2026-11-24', true],
    ['VIC', '2026-11-28', false],
    ['VIC', '2026-11-29', false],
    ['VIC', '2026-11-03', false],
    ['NSW', '2026-11-03', true],
    ['QLD', '2026-12-24', true],
    ['SA', '2026-12-31', true],
    ['NSW', '2026-04-27', false],
    ['VIC', '2026-04-27', true],
    ['TAS', '2026-04-07', true],
    ['QLD', '2026-08-12', true],
  ] as const
  for (const [state, date, expected] of cases) {
    assert.equal(isBusinessDay(businessDays(state), day(date)), expected, `${state} ${date}`)
  }
})

test('business days are counted after the day; zero is the day itself', () => {
  const cases = [
    ['VIC', '2026-11-24', 3, '2026-11-27'],
    ['VIC', '2026-11-27', 1, '2026-11-30'],
    ['VIC', '2026-11-28', 1, '2026-11-30'],
    ['VIC', '2026-11-28', 0, '2026-11-28'],
    ['VIC', '2026-12-24', 1, '2026-12-29'],
    ['VIC', '2026-11-02', 1, '2026-11-04'],
    ['NSW', '2026-11-02', 1, '2026-11-03'],
    ['NSW', '2030-12-31', 1, null],
  ] as const
  for (const [state, date, n, expected] of cases)
    assert.equal(added(state, date, n), expected, `${state} ${date} ${n}`)
})

test('adding and counting business days are inverse', () => {
  const days = fc.integer({ min: day('2025-01-01'), max: day('2030-06-30') })
  fc.assert(
    fc.property(fc.constantFrom(...STATES), days, fc.integer({ min: 1, max: 60 }), (state, from, n) => {
      const calendar = businessDays(state)
      const to = addBusinessDays(calendar, from, n)!
      assert.ok(isBusinessDay(calendar, to))
      assert.equal(businessDaysBetween(calendar, from, to), n)
      assert.equal(businessDaysBetween(calendar, to, from), 0)
      assert.equal(businessDaysBetween(calendar, from, from), 0)
    }),
  )
})
