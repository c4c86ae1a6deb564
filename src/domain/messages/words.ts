import { civilOf } from '../calendar/civil.ts'
import { localDay, minuteOfDay, weekdayOf, type Zone } from '../calendar/zone.ts'
import type { Window } from '../values.ts'

/** `on Tuesday 24 November between 1 pm and 4:30 pm`, by the wall clock of the zone. */
export function windowInWords({ fromMs, toMs }: Window, zone: Zone): string {
  const fromDay = localDay(zone, fromMs)
  const toDay = localDay(zone, toMs)
  const from = clock(minuteOfDay(zone, fromMs))
  const to = clock(minuteOfDay(zone, toMs))
  return fromDay === toDay
    ? `on ${day(fromDay)} between ${from} and ${to}`
    : `between ${from} on ${day(fromDay)} and ${to} on ${day(toDay)}`
}

/**
 * What a person typed, fit for a line of ours: one line, nothing invisible, and nothing that a phone would make
 * into a link (a message of ours carries no address but our own).
 */
export function plain(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}{}]/gu, ' ')
    .replace(/[a-z][a-z\d+.-]*:(?=\S)/gi, ' ')
    .replace(/\/{2,}/g, ' ')
    .replace(/[.。．｡](?=[\p{L}\p{N}])/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

function day(localDay: number): string {
  const { month, date } = civilOf(localDay)
  return `${WEEKDAY_WORDS[weekdayOf(localDay)]} ${date} ${MONTHS[month - 1]}`
}

function clock(minute: number): string {
  const hour = Math.floor(minute / 60)
  const minutes = minute % 60
  const half = hour < 12 ? 'am' : 'pm'
  const shown = hour % 12 === 0 ? 12 : hour % 12
  return minutes === 0 ? `${shown} ${half}` : `${shown}:${String(minutes).padStart(2, '0')} ${half}`
}

const WEEKDAY_WORDS = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
} as const

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
