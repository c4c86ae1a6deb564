import { toDayNumber, toWeekday } from '../src/domain/calendar/zone.ts'
import type { Weekday } from '../src/domain/values.ts'

/** Confidence in a date. A: two official sources; B: one official or two independent ones; C: rule only. */
export type Mark = 'A' | 'B' | 'C'
/** Returns the day (since 1970-01-01) of a holiday in a year. */
export type DayOfYear = (year: number) => number

/** A holiday on a weekday of a month or relative to Easter, so that no weekend rule applies. */
export type Rule = {
  name: string
  states: string
  day: DayOfYear
  /** When a part-day holiday begins; it ends at midnight. */
  from?: string
  region?: string
  /** Absent: a fixed yearly rule. */
  mark?: (year: number) => Mark
  /** The last year for which the rule is certain; it returns no day afterwards. */
  until?: number
}

/**
 * A holiday on a fixed date. On a weekend, states in `keep` observe it unchanged, `add` have another day `by`
 * days later, `move` only that other day.
 */
export type FixedDate = { name: string; month: number; date: number; sat: Weekend; sun: Weekend }
export type Weekend = { keep: string; add: string; move: string; by: number }

export const ALL = 'ACT NSW NT QLD SA TAS VIC WA'
const NOT_TAS = 'ACT NSW NT QLD SA VIC WA'
/** WA: a bill of 2025 moves these days from 2028. When this was written it was not known whether it had become law. */
const WA_SETTLED_UNTIL = 2027

export const FIXED_DATES: readonly FixedDate[] = [
  {
    name: "New Year's Day",
    month: 1,
    date: 1,
    sat: { keep: NOT_TAS, add: NOT_TAS, move: 'TAS', by: 2 },
    sun: { keep: NOT_TAS, add: NOT_TAS, move: 'TAS', by: 1 },
  },
  {
    name: 'Australia Day',
    month: 1,
    date: 26,
    sat: { keep: '', add: '', move: ALL, by: 2 },
    sun: { keep: '', add: '', move: ALL, by: 1 },
  },
  {
    name: 'Anzac Day',
    month: 4,
    date: 25,
    sat: { keep: ALL, add: 'WA', move: '', by: 2 },
    sun: { keep: 'NSW SA TAS VIC WA', add: 'WA', move: 'ACT NT QLD', by: 1 },
  },
  {
    name: 'Christmas Day',
    month: 12,
    date: 25,
    sat: { keep: ALL, add: ALL, move: '', by: 2 },
    sun: { keep: ALL, add: ALL, move: '', by: 2 },
  },
  {
    name: 'Boxing Day',
    month: 12,
    date: 26,
    sat: { keep: NOT_TAS, add: NOT_TAS, move: 'TAS', by: 2 },
    sun: { keep: NOT_TAS, add: NOT_TAS, move: 'TAS', by: 2 },
  },
]

export const RULES: readonly Rule[] = [
  { name: 'Labour Day', states: 'WA', day: nth(1, 'mon', 3), until: WA_SETTLED_UNTIL },
  { name: 'Labour Day', states: 'VIC', day: nth(2, 'mon', 3) },
  { name: 'Eight Hours Day', states: 'TAS', day: nth(2, 'mon', 3) },
  { name: 'Canberra Day', states: 'ACT', day: nth(2, 'mon', 3) },
  { name: 'Adelaide Cup Day', states: 'SA', day: nth(2, 'mon', 3) },
  { name: 'Good Friday', states: ALL, day: easter(-2) },
  { name: 'Easter Saturday', states: 'ACT NSW NT QLD SA VIC', day: easter(-1) },
  { name: 'Easter Sunday', states: NOT_TAS, day: easter(0) },
  { name: 'Easter Monday', states: ALL, day: easter(1) },
  { name: 'Labour Day', states: 'QLD', day: nth(1, 'mon', 5) },
  { name: 'May Day', states: 'NT', day: nth(1, 'mon', 5) },
  { name: 'Reconciliation Day', states: 'ACT', day: onOrAfter('mon', 5, 27) },
  { name: 'Western Australia Day', states: 'WA', day: nth(1, 'mon', 6), until: WA_SETTLED_UNTIL },
  { name: "King's Birthday", states: 'ACT NSW NT SA TAS VIC', day: nth(2, 'mon', 6) },
  { name: 'Picnic Day', states: 'NT', day: nth(1, 'mon', 8) },
  // The act names the match, not the date; the AFL's fixture is known up to 2026.
  {
    name: 'Friday before AFL Grand Final',
    states: 'VIC',
    day: daysBefore(1, last('sat', 9)),
    mark: (year) => (year <= 2026 ? 'B' : 'C'),
  },
  // By proclamation; so far always this Monday.
  { name: "King's Birthday", states: 'WA', day: last('mon', 9), mark: () => 'B', until: WA_SETTLED_UNTIL },
  { name: 'Labour Day', states: 'ACT NSW SA', day: nth(1, 'mon', 10) },
  { name: "King's Birthday", states: 'QLD', day: nth(1, 'mon', 10) },
  { name: 'Melbourne Cup Day', states: 'VIC', day: nth(1, 'tue', 11) },
  { name: 'Christmas Eve part-day', states: 'QLD', day: on(12, 24), from: '18:00' },
  { name: 'Christmas Eve part-day', states: 'NT SA', day: on(12, 24), from: '19:00' },
  { name: "New Year's Eve part-day", states: 'NT SA', day: on(12, 31), from: '19:00' },
]

/** Days of one district. Show days that are gazetted each year have no rule: a store enters a closure instead. */
export const REGIONAL_RULES: readonly (Rule & { region: string })[] = [
  {
    name: 'Royal Queensland Show',
    states: 'QLD',
    region: 'brisbane',
    day: onOrAfter('wed', 8, 10),
    mark: ruleFrom(2028),
  },
  {
    name: 'Royal Hobart Regatta',
    states: 'TAS',
    region: 'hobart',
    day: nth(2, 'mon', 2),
    mark: ruleFrom(2028),
  },
  {
    name: 'Royal Hobart Show',
    states: 'TAS',
    region: 'hobart',
    day: daysBefore(2, nth(4, 'sat', 10)),
    mark: ruleFrom(2028),
  },
  {
    name: 'Royal Launceston Show',
    states: 'TAS',
    region: 'launceston',
    day: daysBefore(2, nth(2, 'sat', 10)),
    mark: ruleFrom(2028),
  },
  {
    name: 'Burnie Show',
    states: 'TAS',
    region: 'burnie',
    day: daysBefore(1, nth(1, 'sat', 10)),
    mark: ruleFrom(2028),
  },
  {
    name: 'Devonport Show',
    states: 'TAS',
    region: 'devonport',
    day: daysBefore(1, last('sat', 11)),
    mark: (year) => (year === 2026 ? 'B' : 'C'),
  },
  {
    name: 'Agfest',
    states: 'TAS',
    region: 'circular_head',
    day: onOrAfter('fri', 5, 2),
    mark: ruleFrom(2028),
  },
  {
    name: 'Flinders Island Show',
    states: 'TAS',
    region: 'flinders_island',
    day: daysBefore(1, nth(3, 'sat', 10)),
    mark: ruleFrom(2028),
  },
  {
    name: 'King Island Show',
    states: 'TAS',
    region: 'king_island',
    day: nth(1, 'tue', 3),
    mark: ruleFrom(2028),
  },
  ...['burnie', 'circular_head', 'devonport', 'flinders_island', 'king_island', 'launceston'].map(
    (region) => ({
      name: 'Recreation Day',
      states: 'TAS',
      region,
      day: nth(1, 'mon', 11),
      mark: ruleFrom(2028),
    }),
  ),
  {
    name: 'Alice Springs Show Day',
    states: 'NT',
    region: 'alice_springs',
    day: nth(1, 'fri', 7),
    mark: ruleFrom(2027),
  },
  {
    name: 'Tennant Creek Show Day',
    states: 'NT',
    region: 'tennant_creek',
    day: nth(2, 'fri', 7),
    mark: ruleFrom(2027),
  },
  {
    name: 'Katherine Show Day',
    states: 'NT',
    region: 'katherine',
    day: nth(3, 'fri', 7),
    mark: ruleFrom(2027),
  },
  { name: 'Darwin Show Day', states: 'NT', region: 'darwin', day: nth(4, 'fri', 7), mark: ruleFrom(2027) },
]

/** Government declarations for one year only. `replaces`: the state-wide day that the region does not observe. */
export const DECLARED: readonly {
  date: string
  name: string
  states: string
  mark: Mark
  region?: string
  replaces?: string
}[] = [
  { date: '2026-04-27', name: 'Anzac Day additional day', states: 'NSW', mark: 'A' },
  { date: '2026-04-27', name: 'Anzac Day additional day', states: 'ACT', mark: 'B' },
  { date: '2027-04-26', name: 'Anzac Day additional day', states: 'NSW', mark: 'A' },
  {
    date: '2026-08-03',
    name: "King's Birthday",
    states: 'WA',
    mark: 'B',
    region: 'port_hedland',
    replaces: "King's Birthday",
  },
  { date: '2026-08-21', name: 'Borroloola Show Day', states: 'NT', mark: 'B', region: 'borroloola' },
]

/** Confidence in weekend dates, as `date states`: acts that we read only in part, or know from reports. */
export const WEEKEND_MARKS: Readonly<Record<string, Mark>> = {
  '2026-04-25 ACT': 'B',
  '2026-04-27 WA': 'B',
  '2026-12-28 TAS': 'A',
  '2026-12-28 NT SA': 'B',
  '2027-04-26 ACT NT QLD WA': 'B',
  '2027-12-25 SA': 'A',
  '2027-12-25 NT': 'B',
  '2027-12-26 SA': 'B',
  '2027-12-27 SA': 'B',
  '2027-12-28 NT SA': 'B',
  '2028-01-03 TAS': 'A',
  '2028-01-03 NT SA': 'B',
}

function on(month: number, date: number): DayOfYear {
  return (year) => toDayNumber(year, month, date)!
}

function onOrAfter(weekday: Weekday, month: number, date: number): DayOfYear {
  return (year) => {
    let day = on(month, date)(year)
    while (toWeekday(day) !== weekday) day++
    return day
  }
}

function nth(count: number, weekday: Weekday, month: number): DayOfYear {
  return (year) => onOrAfter(weekday, month, 1)(year) + 7 * (count - 1)
}

/** The last such weekday of a month of thirty days. */
function last(weekday: Weekday, month: 9 | 11): DayOfYear {
  return onOrAfter(weekday, month, 24)
}

function daysBefore(days: number, day: DayOfYear): DayOfYear {
  return (year) => day(year) - days
}

/** Confirmed by a source before `first`, by rule since. */
function ruleFrom(first: number): (year: number) => Mark {
  return (year) => (year < first ? 'B' : 'C')
}

/** Easter Sunday plus `days`. Gregorian computus (Meeus, Jones, Butcher). */
function easter(days: number): DayOfYear {
  return (year) => {
    const a = year % 19
    const b = Math.floor(year / 100)
    const c = year % 100
    const d = Math.floor((8 * b + 13) / 25)
    const h = (19 * a + b - Math.floor(b / 4) - d + 15) % 30
    const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
    const m = Math.floor((a + 11 * h + 22 * l) / 451)
    const n = h + l - 7 * m + 114
    return toDayNumber(year, Math.floor(n / 31), (n % 31) + 1)! + days
  }
}
