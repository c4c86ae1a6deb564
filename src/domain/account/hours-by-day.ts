import { WEEKDAYS, type Weekday } from '../values.ts'

/** Hours as a document has them: `mon-fri` or `sat` to `closed`, one range, or a list of ranges. */
export type HoursByKey = Readonly<Record<string, string | readonly string[] | undefined>>

/** The week as lists of ranges, in the order of the clock. */
export function toHoursByDay(hours: HoursByKey): Record<Weekday, readonly string[]> {
  return toWeek(hours, toRanges)
}

/** The week as lists of ranges, in the order of the document, for a form that a person is typing in. */
export function toHoursByDayAsWritten(hours: HoursByKey): Record<Weekday, readonly string[]> {
  return toWeek(hours, toRangesAsWritten)
}

function toWeek(hours: HoursByKey, read: typeof toRanges): Record<Weekday, readonly string[]> {
  const week = {} as Record<Weekday, readonly string[]>
  for (const day of WEEKDAYS) week[day] = NONE
  // Ranges of days first, so that a single day overrides them.
  for (const key of Object.keys(hours).sort((a, b) => b.length - a.length)) {
    const ranges = read(hours[key])
    for (const day of toWeekdays(key)) week[day] = ranges
  }
  return week
}

const NONE: readonly string[] = []

/** In the order of the clock. No ranges when closed. */
export function toRanges(value: HoursByKey[string]): readonly string[] {
  return [...toRangesAsWritten(value)].sort()
}

/** In the order of the document. No ranges when closed. */
export function toRangesAsWritten(value: HoursByKey[string]): readonly string[] {
  if (value === undefined || value === 'closed') return NONE
  return typeof value === 'string' ? [value] : value
}

/** The days of a key. */
export function toWeekdays(key: string): readonly Weekday[] {
  const [from, to] = key.split('-') as [Weekday, Weekday | undefined]
  return WEEKDAYS.slice(WEEKDAYS.indexOf(from), WEEKDAYS.indexOf(to ?? from) + 1)
}

/** The hours with other ranges on one day, and every other day as it was. A key that changes nothing is left out. */
export function withDay(hours: HoursByKey, day: Weekday, ranges: readonly string[]): HoursByKey {
  const { [day]: _, ...rest } = hours
  if (isSameDay(toHoursByDay(rest)[day], ranges)) return rest
  const [only, ...more] = ranges
  return { ...hours, [day]: only === undefined ? 'closed' : more.length === 0 ? only : ranges }
}

/** Whether two weeks have the same hours, whatever keys they use. */
export function isSameWeek(a: HoursByKey, b: HoursByKey): boolean {
  const [left, right] = [toHoursByDay(a), toHoursByDay(b)]
  return WEEKDAYS.every((day) => isSameDay(left[day], right[day]))
}

function isSameDay(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((range, index) => range === b[index])
}
