import { z } from 'zod'
import { WEEKDAYS, type Weekday } from '../values.ts'
import { rangeMinutes, timeRange } from './document/primitives.ts'

/** Every valid key for days of the week: `mon`, and each range from `mon-tue` to `sat-sun`. */
const DAY_KEYS = WEEKDAYS.flatMap((from, index) => [
  from,
  ...WEEKDAYS.slice(index + 1).map((to) => `${from}-${to}`),
])

const dayHours = z
  .union([z.literal('closed'), timeRange, z.array(timeRange).min(1).max(6)])
  .describe('`closed`, "09:00-17:30", or a list of such ranges.')

/**
 * Hours by weekday. `mon-fri` is a range of days; a single day overrides a range; a day without a key is
 * closed.
 */
export const Hours = z
  .strictObject(Object.fromEntries(DAY_KEYS.map((key) => [key, dayHours.optional()])))
  .superRefine((hours, check) => {
    for (const message of listHoursMistakes(hours))
      check.addIssue({ code: 'custom', path: [message.key], message: message.text })
  })
  .meta({
    id: 'hours',
    description:
      'Hours by weekday, e.g. { mon-fri: "09:00-17:30", sat: ["09:00-12:00", "13:00-17:00"], sun: closed }. A single day wins over a range of days; a day that is not named is closed.',
  })
export type Hours = z.input<typeof Hours>

function* listHoursMistakes(hours: Hours): Generator<{ key: string; text: string }> {
  for (const [key, value] of Object.entries(hours)) {
    const ranges = toRanges(value).map(rangeMinutes)
    if (ranges.some((range, index) => index > 0 && range.open < ranges[index - 1]!.close)) {
      yield { key, text: 'ranges that do not overlap' }
    }
  }
  const spans = Object.keys(hours).filter((key) => key.includes('-'))
  for (const [index, span] of spans.entries()) {
    const earlier = spans
      .slice(0, index)
      .find((other) => toWeekdays(other).some((day) => toWeekdays(span).includes(day)))
    if (earlier) yield { key: span, text: `days that "${earlier}" does not name too` }
  }
}

/** The week as lists of ranges, in the order of the clock. */
export function hoursByDay(hours: Hours): Record<Weekday, readonly string[]> {
  const week = {} as Record<Weekday, readonly string[]>
  for (const day of WEEKDAYS) week[day] = NONE
  // Ranges of days first, so that a single day overrides them.
  for (const key of Object.keys(hours).sort((a, b) => b.length - a.length)) {
    const ranges = toRanges(hours[key])
    for (const day of toWeekdays(key)) week[day] = ranges
  }
  return week
}

const NONE: readonly string[] = []

/** No ranges when closed. */
export function toRanges(value: Hours[string]): readonly string[] {
  if (value === undefined || value === 'closed') return NONE
  return typeof value === 'string' ? [value] : [...value].sort()
}

/** The days of a key. */
export function toWeekdays(key: string): readonly Weekday[] {
  const [from, to] = key.split('-') as [Weekday, Weekday | undefined]
  return WEEKDAYS.slice(WEEKDAYS.indexOf(from), WEEKDAYS.indexOf(to ?? from) + 1)
}
