import { MONTHS } from '../../../src/domain/calendar/format-window.ts'
import { addDays } from '../../shared/times.ts'
import type { InsightsSearch } from '../routes.tsx'
import { formatDate } from './format-figures.ts'

export type Days = { from: string; to: string }

/** The days that the page shows, the days that it compares them with, and both in words. */
export type Period = Days & {
  /** What the choice shows: a month, a number of days, or `dates`. */
  choice: string
  before: Days
  /** `in October`. */
  these: string
  /** `in September`. */
  beforeThese: string
}

export const LENGTHS: readonly (readonly [days: string, words: string])[] = [
  ['7', '7 days'],
  ['28', '4 weeks'],
  ['84', '12 weeks'],
  ['364', '52 weeks'],
]
export const DATES = 'dates'

const DAY_MS = 86_400_000
const MAX_DAYS = 367

/** The period in the page's address, or this month if it has none. `today` is `2026-11-24`. */
export function toPeriod({ month, days, from, to }: InsightsSearch, today: string): Period {
  if (isDate(from) && isDate(to)) return periodOfDates({ from, to }, today.slice(0, 4))
  const length = LENGTHS.find(([value]) => value === days)
  if (length) return periodOfDays(Number(length[0]), length[1], today)
  const current = today.slice(0, 7)
  if (month === 'last') return periodOfMonth(monthBefore(current), today)
  return periodOfMonth(isMonth(month) && month <= current ? month : current, today)
}

/** What is wrong with chosen dates, as a sentence; null if nothing is. */
export function findDatesProblem({ from, to }: Days): string | null {
  if (from > to) return 'The first day is after the last day. Choose an earlier first day.'
  if (daysIn({ from, to }) > MAX_DAYS)
    return 'A period can’t be longer than a year. Choose a later first day.'
  return null
}

/** This month and the 24 before it, the newest first: `2026-11`, `November 2026`. */
export function monthsUpTo(today: string): { value: string; label: string }[] {
  const months: { value: string; label: string }[] = []
  for (let month = today.slice(0, 7); months.length < 25; month = monthBefore(month))
    months.push({ value: month, label: `${nameOf(month)} ${month.slice(0, 4)}` })
  return months
}

export function monthBefore(month: string): string {
  return new Date(Date.parse(`${month}-01`) - DAY_MS).toISOString().slice(0, 7)
}

/** A past month with the whole month before it, the current one with the same days of the month before. */
function periodOfMonth(month: string, today: string): Period {
  const isCurrent = month === today.slice(0, 7)
  const sooner = monthBefore(month)
  const sameDay = `${sooner}-${today.slice(8)}`
  const before = { from: `${sooner}-01`, to: lastDay(sooner) }
  if (isCurrent && sameDay < before.to) before.to = sameDay
  const isWhole = before.to === lastDay(sooner)
  const inYear = (one: string) =>
    one.slice(0, 4) === today.slice(0, 4) ? nameOf(one) : `${nameOf(one)} ${one.slice(0, 4)}`
  return {
    choice: month,
    from: `${month}-01`,
    to: isCurrent ? today : lastDay(month),
    before,
    these: `in ${inYear(month)}${isCurrent ? ' so far' : ''}`,
    beforeThese: isWhole ? `in ${inYear(sooner)}` : `${firstDays(Number(today.slice(8)))} ${inYear(sooner)}`,
  }
}

function firstDays(days: number): string {
  return days === 1 ? 'on 1' : `from 1 to ${days}`
}

function periodOfDays(days: number, words: string, today: string): Period {
  const these = { from: addDays(today, 1 - days), to: today }
  return {
    ...these,
    choice: String(days),
    before: daysBefore(these),
    these: `in the last ${words}`,
    beforeThese: `in the ${words} before`,
  }
}

function periodOfDates(these: Days, year: string): Period {
  const days = daysIn(these)
  return {
    ...these,
    choice: DATES,
    before: daysBefore(these),
    these:
      days === 1
        ? `on ${formatDate(these.from, year)}`
        : `from ${formatDate(these.from, year)} to ${formatDate(these.to, year)}`,
    beforeThese: days === 1 ? 'on the day before' : `in the ${days} days before`,
  }
}

function daysBefore({ from, to }: Days): Days {
  return { from: addDays(from, -daysIn({ from, to })), to: addDays(from, -1) }
}

function daysIn({ from, to }: Days): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1
}

function lastDay(month: string): string {
  const next = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 1))
  return addDays(next.toISOString().slice(0, 10), -1)
}

function nameOf(month: string): string {
  return MONTHS[Number(month.slice(5, 7)) - 1] ?? month
}

function isMonth(text: string | undefined): text is string {
  return text !== undefined && /^20\d\d-(0[1-9]|1[0-2])$/.test(text)
}

function isDate(text: string | undefined): text is string {
  return text !== undefined && /^20\d\d-\d\d-\d\d$/.test(text) && addsUp(text)
}

/** No 30 February. */
function addsUp(date: string): boolean {
  const ms = Date.parse(date)
  return !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 10) === date
}
