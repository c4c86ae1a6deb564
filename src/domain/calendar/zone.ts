import { Temporal } from 'temporal-polyfill'
import { WEEKDAYS, type Weekday } from '../values.ts'

/**
 * Time zones and daylight saving (DST): a zone compiled to integers, exact from 2024 to 2041; outside those years, the
 * nearest offset applies. `offsets[i]` minutes apply from `transitions[i - 1]` until `transitions[i]` (epoch
 * milliseconds).
 */
export type Zone = {
  readonly name: string
  readonly transitions: Float64Array
  readonly offsets: Int16Array
  /**
   * The wall clock, in milliseconds since 1970, from which `offsets[i + 1]` applies; skipped hours are before
   * it.
   */
  readonly wallTransitions: Float64Array
}

/** The compiled zone of an IANA name, compiled once. Throws RangeError when there is no such zone. */
export function zone(name: string): Zone {
  return compiled.get(name) ?? compile(name)
}

export function offsetMinutesAt(zone: Zone, epochMs: number): number {
  return zone.offsets[firstAbove(zone.transitions, epochMs)]!
}

/** Whole minutes of the local wall clock since 1970-01-01T00:00. */
export function localMinutes(zone: Zone, epochMs: number): number {
  return Math.floor(epochMs / MINUTE_MS) + offsetMinutesAt(zone, epochMs)
}

/** Days of the local calendar since 1970-01-01. */
export function localDay(zone: Zone, epochMs: number): number {
  return Math.floor(localMinutes(zone, epochMs) / DAY_MINUTES)
}

export function minuteOfDay(zone: Zone, epochMs: number): number {
  const minutes = localMinutes(zone, epochMs)
  return minutes - Math.floor(minutes / DAY_MINUTES) * DAY_MINUTES
}

/**
 * Epoch milliseconds of a wall clock time: a skipped time moves forward; for a repeated time the first one
 * counts.
 */
export function atLocal(zone: Zone, localDay: number, minuteOfDay: number): number {
  const wallMs = (localDay * DAY_MINUTES + minuteOfDay) * MINUTE_MS
  return wallMs - zone.offsets[firstAbove(zone.wallTransitions, wallMs)]! * MINUTE_MS
}

/** `2026-11-24T13:00:00+11:00`; fractions of a second round up, so that the result is never before `epochMs`. */
export function formatLocal(zone: Zone, exactMs: number): string {
  const epochMs = Math.ceil(exactMs / 1000) * 1000
  const offset = offsetMinutesAt(zone, epochMs)
  const minutes = Math.floor(epochMs / MINUTE_MS) + offset
  const day = Math.floor(minutes / DAY_MINUTES)
  const minute = minutes - day * DAY_MINUTES
  const hour = (minute / 60) | 0
  const second = Math.floor(epochMs / 1000) - Math.floor(epochMs / MINUTE_MS) * 60
  return `${formatDate(day)}T${TWO[hour]}:${TWO[minute - hour * 60]}:${TWO[second]}${offsetText(offset)}`
}

/** `2026-11-24`, of a day counted from 1970-01-01. */
export function formatDate(day: number): string {
  const { year, month, date } = toCivilDate(day)
  return `${year}-${TWO[month]}-${TWO[date]}`
}

/** Day 0, 1970-01-01, was a Thursday. */
export function toWeekday(day: number): Weekday {
  return WEEKDAYS[(((day + 3) % 7) + 7) % 7]!
}

function offsetText(offset: number): string {
  const size = Math.abs(offset)
  const hours = (size / 60) | 0
  return `${offset < 0 ? '-' : '+'}${TWO[hours]}:${TWO[size - hours * 60]}`
}

const compiled = new Map<string, Zone>()

function compile(name: string): Zone {
  if (/^[+-]/.test(name)) throw new RangeError(`${name} is an offset, not a time zone.`)
  const start = Temporal.Instant.fromEpochMilliseconds(COMPILED_FROM_MS).toZonedDateTimeISO(name)
  const cached = compiled.get(start.timeZoneId)
  if (cached) return cached

  const transitions: number[] = []
  const wallTransitions: number[] = []
  const offsets = [toMinutesOfDay(start)]
  for (let next = start.getTimeZoneTransition('next'); next; next = next.getTimeZoneTransition('next')) {
    if (next.epochMilliseconds >= COMPILED_UNTIL_MS) break
    const before = offsets.at(-1)!
    transitions.push(next.epochMilliseconds)
    wallTransitions.push(next.epochMilliseconds + Math.max(before, toMinutesOfDay(next)) * MINUTE_MS)
    offsets.push(toMinutesOfDay(next))
  }
  const compiledZone = {
    name: start.timeZoneId,
    transitions: Float64Array.from(transitions),
    offsets: Int16Array.from(offsets),
    wallTransitions: Float64Array.from(wallTransitions),
  }
  compiled.set(compiledZone.name, compiledZone)
  return compiledZone
}

function toMinutesOfDay(at: Temporal.ZonedDateTime): number {
  return Math.round(at.offsetNanoseconds / 60e9)
}

/** 00 to 99. */
const TWO = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'))
const MINUTE_MS = 60_000
const DAY_MINUTES = 1440
const COMPILED_FROM_MS = Date.UTC(2024, 0, 1)
const COMPILED_UNTIL_MS = Date.UTC(2042, 0, 1)

/** Days since 1970-01-01 of a date; null when there is no such date. */
export function toDayNumber(year: number, month: number, date: number): number | null {
  if (month < 1 || month > 12 || date < 1 || date > daysInMonth(year, month)) return null
  const shifted = month <= 2 ? year - 1 : year
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + date - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

/** The date of a day counted from 1970-01-01. Howard Hinnant, "chrono-compatible low-level date algorithms": years begin in March, so leap days come last. */
export function toCivilDate(day: number): { year: number; month: number; date: number } {
  const shifted = day + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra =
    ((dayOfEra - ((dayOfEra / 1460) | 0) + ((dayOfEra / 36_524) | 0) - ((dayOfEra / 146_096) | 0)) / 365) | 0
  const dayOfYear = dayOfEra - (365 * yearOfEra + (yearOfEra >> 2) - ((yearOfEra / 100) | 0))
  const shiftedMonth = ((5 * dayOfYear + 2) / 153) | 0
  const date = dayOfYear - (((153 * shiftedMonth + 2) / 5) | 0) + 1
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, date }
}

function daysInMonth(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
}

/** Binary search: the number of sorted values at or below `value`, which is the index of the first one above it. */
export function firstAbove(sorted: Float64Array, value: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sorted[middle]! <= value) low = middle + 1
    else high = middle
  }
  return low
}
