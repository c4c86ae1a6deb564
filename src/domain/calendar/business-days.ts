import type { State } from '../values.ts'
import { dayOf } from './civil.ts'
import { holidaysOf } from './holidays.ts'
import { firstAbove } from './search.ts'
import { weekdayOf } from './zone.ts'

/** The business days of a state, 2025 to 2030, ascending, as days since 1970-01-01. */
export type BusinessDays = { readonly days: Float64Array }

/**
 * Monday to Friday without the state's public holidays, computed once per state. Part-day holidays and
 * regional holidays are still business days: a parcel's route leads past a region.
 */
export function businessDays(state: State): BusinessDays {
  const cached = compiled.get(state)
  if (cached) return cached
  const calendar = compile(state)
  compiled.set(state, calendar)
  return calendar
}

export function isBusinessDay(calendar: BusinessDays, localDay: number): boolean {
  return calendar.days[firstAbove(calendar.days, localDay) - 1] === localDay
}

/**
 * The n-th business day after `localDay`; for 0, `localDay` itself, even if it is no business day. Null
 * beyond 2030.
 */
export function addBusinessDays(calendar: BusinessDays, localDay: number, n: number): number | null {
  if (n === 0) return localDay
  return calendar.days[firstAbove(calendar.days, localDay) + n - 1] ?? null
}

/** The number of business days after `fromDay`, up to and including `toDay`. */
export function businessDaysBetween(calendar: BusinessDays, fromDay: number, toDay: number): number {
  return Math.max(0, firstAbove(calendar.days, toDay) - firstAbove(calendar.days, fromDay))
}

const compiled = new Map<State, BusinessDays>()

function compile(state: State): BusinessDays {
  const holidays = new Set(
    holidaysOf(state).flatMap(({ day, fromMinute }) => (fromMinute === null ? day : [])),
  )
  const days: number[] = []
  for (let day = dayOf(2025, 1, 1)!; day <= dayOf(2030, 12, 31)!; day++) {
    const weekday = weekdayOf(day)
    if (weekday !== 'sat' && weekday !== 'sun' && !holidays.has(day)) days.push(day)
  }
  return { days: Float64Array.from(days) }
}
