import type { State, Weekday } from '../values.ts'
import { type Holiday, listHolidays } from './holidays.ts'
import { type Intervals, intersection, toIntervals } from './intervals.ts'
import { atLocal, formatLocal, toDayNumber, toWeekday, type Zone, zone } from './zone.ts'

/**
 * Trading hours and pickup hours of a store: minutes of the day, half-open; `close` may be 1440. A day can have
 * several ranges; a day without ranges is closed.
 */
export type HoursByWeekday = Readonly<Record<Weekday, readonly { open: number; close: number }[]>>

export type StoreCalendarSpec = {
  /** IANA name. */
  zone: string
  state: State
  /** One of `holidayRegions(state)`, if the store's district has its own holidays. */
  region: string | null
  trading: HoursByWeekday
  /** Its own hours, or trading hours that end this many minutes early; null: the same as trading hours. */
  pickup: HoursByWeekday | { endsBeforeClosingMinutes: number } | null
  /** Days since 1970-01-01, both included. */
  closures: readonly { fromDay: number; toDay: number; name: string }[]
  /** Names or dates of public holidays on which the store still opens. */
  openOnHolidays: readonly string[]
}

/** A store's opening times from 2025 to 2030. Closures, including public holidays, are in order of their start. */
export type StoreCalendar = {
  readonly zone: Zone
  readonly trading: Intervals
  readonly pickup: Intervals
  readonly closures: readonly { fromMs: number; toMs: number; name: string }[]
}

/** The first day that some store calendar may not cover, in epoch milliseconds: holidays are known until 2030. */
export const CALENDAR_ENDS_MS = Date.UTC(2030, 11, 31)

/**
 * Compiles opening times. A public holiday closes the store, a part-day one from its hour; pickup never
 * happens outside trading hours. Equal specs share one calendar, because a chain has the same hours in a
 * thousand stores. Throws RangeError on an unknown time zone.
 */
export function compileStoreCalendar(spec: StoreCalendarSpec): StoreCalendar {
  const key = JSON.stringify([
    spec.zone,
    spec.state,
    spec.region,
    spec.trading,
    spec.pickup,
    spec.closures,
    spec.openOnHolidays,
  ])
  const cached = compiled.get(key)?.deref()
  if (cached) return cached

  const calendar = compile(spec)
  compiled.set(key, new WeakRef(calendar))
  collected.register(calendar, key)
  return calendar
}

/** The next times when the store is closed for a holiday or closure, including a current one, in local time. */
export function nextClosures(
  calendar: StoreCalendar,
  nowMs: number,
  count: number,
): { from: string; to: string; name: string }[] {
  return calendar.closures
    .filter((closure) => closure.toMs > nowMs)
    .slice(0, count)
    .map(({ fromMs, toMs, name }) => ({
      from: formatLocal(calendar.zone, fromMs),
      to: formatLocal(calendar.zone, toMs),
      name,
    }))
}

const compiled = new Map<string, WeakRef<StoreCalendar>>()
const collected = new FinalizationRegistry((key: string) => {
  if (!compiled.get(key)?.deref()) compiled.delete(key)
})

function compile(spec: StoreCalendarSpec): StoreCalendar {
  const local = zone(spec.zone)
  const holidays = listHolidays(spec.state, spec.region).filter(
    ({ name, date }) => !spec.openOnHolidays.includes(name) && !spec.openOnHolidays.includes(date),
  )
  const closedFrom = closingMinutes(spec, holidays)
  const trading = openTimes(local, spec.trading, closedFrom)
  return {
    zone: local,
    trading,
    pickup: spec.pickup ? intersection(pickupTimes(local, spec, spec.pickup, closedFrom), trading) : trading,
    closures: [
      ...holidays.map((day) => ({
        fromDay: day.day,
        fromMinute: day.fromMinute ?? 0,
        toDay: day.day,
        name: day.name,
      })),
      ...spec.closures.map((closure) => ({ ...closure, fromMinute: 0 })),
    ]
      .map(({ fromDay, fromMinute, toDay, name }) => ({
        fromMs: atLocal(local, fromDay, fromMinute),
        toMs: atLocal(local, toDay + 1, 0),
        name,
      }))
      .sort((a, b) => a.fromMs - b.fromMs),
  }
}

/** Day → the minute from which the store is closed on it: 0 for the whole day. */
function closingMinutes(spec: StoreCalendarSpec, holidays: readonly Holiday[]): Map<number, number> {
  const minutes = new Map<number, number>()
  for (const { day, fromMinute } of holidays)
    minutes.set(day, Math.min(fromMinute ?? 0, minutes.get(day) ?? 1440))
  for (const { fromDay, toDay } of spec.closures) {
    for (let day = Math.max(fromDay, FIRST_DAY); day <= Math.min(toDay, LAST_DAY); day++) minutes.set(day, 0)
  }
  return minutes
}

function pickupTimes(
  local: Zone,
  { trading }: StoreCalendarSpec,
  pickup: NonNullable<StoreCalendarSpec['pickup']>,
  closedFrom: ReadonlyMap<number, number>,
): Intervals {
  if (!('endsBeforeClosingMinutes' in pickup)) return openTimes(local, pickup, closedFrom)
  return openTimes(local, trading, closedFrom, pickup.endsBeforeClosingMinutes)
}

/** `early`: minutes before the day's last closing, which a part-day holiday may bring forward. */
function openTimes(
  local: Zone,
  hours: HoursByWeekday,
  closedFrom: ReadonlyMap<number, number>,
  early = 0,
): Intervals {
  const pairs: [number, number][] = []
  for (let day = FIRST_DAY; day <= LAST_DAY; day++) {
    const closing = closedFrom.get(day) ?? 1440
    const open = hours[toWeekday(day)].filter((range) => range.open < closing)
    for (const [index, range] of open.entries()) {
      const close = Math.min(range.close, closing) - (index === open.length - 1 ? early : 0)
      if (range.open < close)
        pairs.push([epochMinute(local, day, range.open), epochMinute(local, day, close)])
    }
  }
  return toIntervals(pairs)
}

function epochMinute(local: Zone, day: number, minute: number): number {
  return atLocal(local, day, minute) / 60_000
}

const FIRST_DAY = toDayNumber(2025, 1, 1)!
const LAST_DAY = toDayNumber(2030, 12, 31)!
