import { WEEKDAYS, type Weekday } from '../../values.ts'
import type { Hours } from '../hours.ts'

/** The week as lists of ranges, in the order of the clock. */
export function hoursByDay(hours: Hours): Record<Weekday, readonly string[]> {
  const week = {} as Record<Weekday, readonly string[]>
  for (const day of WEEKDAYS) week[day] = NONE
  // Ranges of days first, so that a single day overrides them.
  for (const key of Object.keys(hours).sort((a, b) => b.length - a.length)) {
    const ranges = rangesOf(hours[key])
    for (const day of daysOf(key)) week[day] = ranges
  }
  return week
}

const NONE: readonly string[] = []

/** No ranges when closed. */
export function rangesOf(value: Hours[string]): readonly string[] {
  if (value === undefined || value === 'closed') return NONE
  return typeof value === 'string' ? [value] : [...value].sort()
}

/** The days of a key. */
export function daysOf(key: string): readonly Weekday[] {
  const [from, to] = key.split('-') as [Weekday, Weekday | undefined]
  return WEEKDAYS.slice(WEEKDAYS.indexOf(from), WEEKDAYS.indexOf(to ?? from) + 1)
}
