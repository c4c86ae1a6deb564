import type { State } from '../values.ts'
import { HOLIDAY_ROWS } from './holidays.generated.ts'
import { toDayNumber } from './zone.ts'

/** A public holiday of a state, or of one region of it. Days count from 1970-01-01. */
export type Holiday = {
  date: string
  day: number
  name: string
  state: State
  region: string | null
  /** When a part-day holiday begins, as a minute of the day; it ends at midnight. Null: the whole day. */
  fromMinute: number | null
  kind: HolidayKind
}

/**
 * `moved`: instead of a weekend date; `additional`: in addition to one; `declared`: for one year; `expected`:
 * rule only.
 */
export type HolidayKind = 'fixed' | 'moved' | 'additional' | 'declared' | 'expected'

/** A row of the generated table. */
export type HolidayRow = {
  date: string
  name: string
  /** Separated by spaces. */
  states: string
  region?: string
  from?: string
  kind: HolidayKind
  /** Confidence: A two official sources, B one official or two others, C rule only; absent: a fixed yearly rule. */
  mark?: 'A' | 'B' | 'C'
  /** The state-wide holiday of that year that the region does not observe. */
  replaces?: string
}

/** Public holidays of 2025 to 2030 by date: those of the whole state, and those of the region if given. */
export function listHolidays(state: State, region: string | null = null): readonly Holiday[] {
  const rows = HOLIDAY_ROWS.filter((row) => row.states.split(' ').includes(state))
  const regional = rows.filter((row) => row.region !== undefined && row.region === region)
  return rows
    .filter((row) => row.region === undefined || row.region === region)
    .filter((row) => row.region !== undefined || !regional.some((other) => replaces(other, row)))
    .map((row) => toHoliday(row, state))
}

/** The regions of a state that have their own holidays, in alphabetical order. */
export function holidayRegions(state: State): string[] {
  const regions = HOLIDAY_ROWS.filter((row) => row.states === state).flatMap((row) => row.region ?? [])
  return [...new Set(regions)].sort()
}

function replaces(regional: HolidayRow, row: HolidayRow): boolean {
  return regional.replaces === row.name && regional.date.slice(0, 4) === row.date.slice(0, 4)
}

function toHoliday(row: HolidayRow, state: State): Holiday {
  const [year, month, date] = row.date.split('-').map(Number)
  const [hour, minute] = row.from?.split(':').map(Number) ?? []
  return {
    date: row.date,
    day: toDayNumber(year!, month!, date!)!,
    name: row.name,
    state,
    region: row.region ?? null,
    fromMinute: row.from ? hour! * 60 + minute! : null,
    kind: row.kind,
  }
}
