import type { Window } from '../values.ts'
import { formatClock, formatDay, formatHours, MONTHS, type Wall, type WallWindow } from './format-window.ts'
import { toCivilDate, toDayNumber } from './zone.ts'

/** The zone of a time, and the zone of its reader. Both are IANA zones, or offsets such as `+11:00`.
 * The place is named where the reader's clock shows another time.
 */
export type Clocks = { zone: string; reader: string; nowMs: number }

/** How much of the day is shown. `hours`: nothing. `near`: today, tomorrow, or the whole date. `not_today`: the same, but
 * nothing for a window of today. `short`: the date, unless it is today. `dated`: always the date, short. `full`: always
 * the whole date.
 */
export type Days = 'hours' | 'near' | 'not_today' | 'short' | 'dated' | 'full'

/** The one format of a window in Drover, with its place: `8 am – 6 pm`, `tomorrow, 8 am – 6 pm, Darwin time`. A window
 * over midnight names its days, unless `hours` are requested.
 */
export function formatWindowAt({ fromMs, toMs }: Window, clocks: Clocks, days: Days): string {
  const window = { from: wallAt(clocks.zone, fromMs), to: wallAt(clocks.zone, toMs) }
  const today = wallAt(clocks.zone, clocks.nowMs).day
  return withPlace(daysAndHours(window, today, days), clocks, [fromMs, toMs])
}

/** A moment, with its place: `5:30 pm`, `5:30 pm, Melbourne time`, `Tue 24 Nov, 5:30 pm`. */
export function formatMomentAt(ms: number, clocks: Clocks, days: Days): string {
  const at = wallAt(clocks.zone, ms)
  const today = wallAt(clocks.zone, clocks.nowMs).day
  return withPlace(`${dayBefore(at.day, today, days)}${formatClock(at)}`, clocks, [ms])
}

/** What the clocks of a zone show at a moment. */
export function wallAt(zone: string, epochMs: number): Wall {
  const part: Record<string, number> = {}
  for (const { type, value } of getFormatter(zone).formatToParts(epochMs)) part[type] = Number(value)
  const { year = 1970, month = 1, day = 1, hour = 0, minute = 0 } = part
  return { day: toDayNumber(year, month, day) ?? 0, minute: hour * 60 + minute }
}

/** Whether the clocks of two zones show the same at a moment. */
export function isSameClock(one: string, other: string, epochMs: number): boolean {
  if (one === other) return true
  const [a, b] = [wallAt(one, epochMs), wallAt(other, epochMs)]
  return a.day === b.day && a.minute === b.minute
}

/** `Darwin time`. */
export function formatPlace(zone: string): string {
  return `${ISLANDS[zone] ?? zone.split('/').at(-1)?.replaceAll('_', ' ') ?? zone} time`
}

function withPlace(text: string, { zone, reader }: Clocks, moments: readonly number[]): string {
  return moments.every((ms) => isSameClock(zone, reader, ms)) ? text : `${text}, ${formatPlace(zone)}`
}

function daysAndHours(window: WallWindow, today: number, days: Days): string {
  const { from, to } = window
  // Over midnight, one of two days without a name would be read as the other.
  if (days === 'not_today' && from.day !== to.day) return daysAndHours(window, today, 'near')
  if (from.day === to.day || days === 'hours')
    return `${dayBefore(from.day, today, days)}${formatHours(window)}`
  // After the first day, only a different day is shown.
  const since = days === 'short' ? from.day : today
  return `${dayBefore(from.day, today, days)}${formatClock(from)} – ${dayBefore(to.day, since, days)}${formatClock(to)}`
}

function dayBefore(day: number, today: number, days: Days): string {
  const text = DAY_FORMATS[days](day, today)
  return text === '' ? '' : `${text}, `
}

const DAY_FORMATS: Readonly<Record<Days, (day: number, today: number) => string>> = {
  hours: () => '',
  near: formatDay,
  not_today: (day, today) => (day === today ? '' : formatDay(day, today)),
  short: shortDay,
  dated: (day) => datedDay(day),
  full: (day) => formatDay(day, day - 2),
}

/** `Wed 25`, `Wed 2 Dec`, `Mon 4 Jan 2027`: no more of the date than today leaves open. */
function shortDay(day: number, today: number): string {
  if (day === today) return ''
  const [at, now] = [toCivilDate(day), toCivilDate(today)]
  if (at.year !== now.year) return `${datedDay(day)} ${at.year}`
  return at.month === now.month ? `${weekday(day)} ${at.date}` : datedDay(day)
}

/** `Tue 24 Nov`. */
function datedDay(day: number): string {
  const { month, date } = toCivilDate(day)
  return `${weekday(day)} ${date} ${MONTHS[month - 1]?.slice(0, 3)}`
}

function weekday(day: number): string {
  return WEEKDAYS[(((day + 3) % 7) + 7) % 7] as string
}

/** Making a formatter is slow, so one is kept for each zone. */
function getFormatter(timeZone: string): Intl.DateTimeFormat {
  const cached = formatters.get(timeZone)
  if (cached) return cached
  const formatter = new Intl.DateTimeFormat('en-AU', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  })
  formatters.set(timeZone, formatter)
  return formatter
}

const formatters = new Map<string, Intl.DateTimeFormat>()
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

/** Zones whose last word alone does not name a place. */
const ISLANDS: Readonly<Record<string, string>> = {
  'Australia/Lord_Howe': 'Lord Howe Island',
  'Pacific/Norfolk': 'Norfolk Island',
  'Indian/Christmas': 'Christmas Island',
  'Indian/Cocos': 'Cocos Islands',
}
