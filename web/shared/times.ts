import { MONTHS as LONG_MONTHS } from '../../src/domain/calendar/format-window.ts'

/** A wall clock somewhere. `month` counts from 1, `weekday` is three letters. */
export type Wall = {
  year: number
  month: number
  day: number
  weekday: string
  hour: number
  minute: number
  second: number
}

/** The wall clock of a zone at an instant. Making a formatter is slow: one is cached for each zone. */
export function wallOf(ms: number, zone: string): Wall {
  const parts = Object.fromEntries(
    formatterOf(zone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  )
  const { weekday = '', year, month, day, hour, minute, second } = parts
  return {
    weekday: weekday.slice(0, 3),
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour) % 24,
    minute: Number(minute),
    second: Number(second),
  }
}

/** `10:42 am`; the hour alone without minutes is for windows: `formatWindowAt`. */
export function clockWords(ms: number, zone: string, { seconds = false } = {}): string {
  const { hour, minute, second } = wallOf(ms, zone)
  const tail = seconds ? `:${two(second)}` : ''
  return `${hour % 12 || 12}:${two(minute)}${tail} ${halfOf(hour)}`
}

/** `10:42`, for the now tag. */
export function bareClock(ms: number, zone: string): string {
  const { hour, minute } = wallOf(ms, zone)
  return `${hour % 12 || 12}:${two(minute)}`
}

/** A time with as much of its date as is needed: `10:42 am`, `Wed 25, 10:42 am`. */
export function formatMoment(ms: number, zone: string, nowMs: number): string {
  return dayBefore(wallOf(ms, zone), wallOf(nowMs, zone)) + clockWords(ms, zone)
}

/** `24 November`, with the year if it is another one. */
export function formatDay(ms: number, zone: string, nowMs: number): string {
  const { day, month, year } = wallOf(ms, zone)
  return `${day} ${LONG_MONTHS[month - 1]}${year === wallOf(nowMs, zone).year ? '' : ` ${year}`}`
}

/** `Tuesday 24 November`. */
export function longDay(ms: number, zone: string): string {
  const { day, month, year } = wallOf(ms, zone)
  const weekday = LONG_DAYS[new Date(Date.UTC(year, month - 1, day)).getUTCDay()]
  return `${weekday} ${day} ${LONG_MONTHS[month - 1]}`
}

/** `2026-11-24`. */
export function isoDay(ms: number, zone: string): string {
  const { year, month, day } = wallOf(ms, zone)
  return `${year}-${two(month)}-${two(day)}`
}

/** The date that is this number of days later, in the format of `isoDay`. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10)
}

/** `2026-11-24T14:30`, for date and time fields. */
export function isoLocal(ms: number, zone: string): string {
  const { hour, minute } = wallOf(ms, zone)
  return `${isoDay(ms, zone)}T${two(hour)}:${two(minute)}`
}

/** The instant of a local time in the format of `isoLocal`; NaN if the text is not a time. */
export function toInstantMs(local: string, zone: string): number {
  const ms = Date.parse(`${local}Z`)
  if (Number.isNaN(ms)) return ms
  const offsetMs = (at: number) => Date.parse(`${isoLocal(at, zone)}Z`) - at
  return ms - offsetMs(ms - offsetMs(ms))
}

/** `2026-11-24T14:30:00+11:00`: a moment on the clock of a zone, with its offset. */
export function isoAt(ms: number, zone: string): string {
  const { year, month, day, hour, minute, second } = wallOf(ms, zone)
  const offset = Math.round((Date.UTC(year, month - 1, day, hour, minute, second) - ms) / 60_000)
  const size = Math.abs(offset)
  const words = `${offset < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
  return `${isoLocal(ms, zone)}:${two(second)}${words}`
}

/** `1 h 48 min`, `14 min`, `less than a minute`; minutes are cut off, not rounded. */
export function formatDuration(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000))
  const hours = Math.floor(minutes / 60)
  if (hours >= 48) return `${Math.floor(hours / 24)} days`
  if (minutes === 0) return 'less than a minute'
  if (hours === 0) return `${minutes} min`
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
}

function dayBefore(at: Wall, reader: Wall): string {
  if (sameDay(at, reader)) return ''
  const words = `${at.weekday} ${at.day}`
  if (at.year !== reader.year) return `${words} ${MONTHS[at.month - 1]} ${at.year}, `
  return at.month === reader.month ? `${words}, ` : `${words} ${MONTHS[at.month - 1]}, `
}

function sameDay(one: Wall, other: Wall): boolean {
  return one.day === other.day && one.month === other.month && one.year === other.year
}

function halfOf(hour: number): 'am' | 'pm' {
  return hour < 12 ? 'am' : 'pm'
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}

const formatters = new Map<string, Intl.DateTimeFormat>()
function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-AU', {
    timeZone,
    weekday: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
  })
  formatters.set(timeZone, made)
  return made
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const LONG_DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
