import { z } from 'zod'
import { WEEKDAYS } from '../values.ts'
import { rangeMinutes, timeRange } from './document/primitives.ts'
import { type HoursByKey, toRanges, toWeekdays } from './hours-by-day.ts'

/** Every valid key for days of the week: `mon`, and each range from `mon-tue` to `sat-sun`. */
const DAY_KEYS = WEEKDAYS.flatMap((from, index) => [
  from,
  ...WEEKDAYS.slice(index + 1).map((to) => `${from}-${to}`),
])

const rangesOfDay = z.array(timeRange).min(1).max(6)

/** The hours of a day on which a store is open. */
export const DayRanges = z.union([timeRange, rangesOfDay]).superRefine((value, check) => {
  if (hasOverlap(value)) check.addIssue({ code: 'custom', message: NO_OVERLAP })
})

const dayHours = z
  .union([z.literal('closed'), timeRange, rangesOfDay])
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
      'Hours by weekday, e.g. { mon-fri: "09:00-17:30", sat: ["09:00-12:00", "13:00-17:00"], sun: closed }. A single day overrides a range of days. A day without hours counts as closed.',
  })
export type Hours = z.input<typeof Hours>

const NO_OVERLAP = 'ranges that do not overlap'

function hasOverlap(value: HoursByKey[string]): boolean {
  const ranges = toRanges(value).map(rangeMinutes)
  return ranges.some((range, index) => index > 0 && range.open < ranges[index - 1]!.close)
}

function* listHoursMistakes(hours: Hours): Generator<{ key: string; text: string }> {
  for (const [key, value] of Object.entries(hours)) {
    if (hasOverlap(value)) yield { key, text: NO_OVERLAP }
  }
  const spans = Object.keys(hours).filter((key) => key.includes('-'))
  for (const [index, span] of spans.entries()) {
    const earlier = spans
      .slice(0, index)
      .find((other) => toWeekdays(other).some((day) => toWeekdays(span).includes(day)))
    if (earlier) yield { key: span, text: `a range of days that does not overlap "${earlier}"` }
  }
}
