import type { State, Weekday } from '../values.ts'
import { type Holiday, listHolidays } from './holidays.ts'
import { type Intervals, intersection, toIntervals } from './intervals.ts'
import {
  atLocal,
  firstAbove,
  formatLocal,
  localDay,
  toDayNumber,
  toWeekday,
  type Zone,
  zone,
} from './zone.ts'

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
  /**
   * Hours in addition to the weekly ones, whatever the weekday or the holiday; both days included. Two of them share
   * no day.
   */
  openings: readonly ExtraOpening[]
}

export type ExtraOpening = {
  fromDay: number
  toDay: number
  hours: readonly { open: number; close: number }[]
  name: string
}

/**
 * A store's opening times from 2025 to 2030. Closures, including public holidays, and extra openings are in order of
 * their start. Openings stay as they are given: one of them can have 13,000 times (each day, six ranges).
 */
export type StoreCalendar = {
  readonly zone: Zone
  readonly trading: Intervals
  readonly pickup: Intervals
  readonly closures: readonly NamedTime[]
  readonly openings: readonly ExtraOpening[]
}

type NamedTime = { fromMs: number; toMs: number; name: string }

/** The first day that some store calendar may not cover, in epoch milliseconds: holidays are known until 2030. */
export const CALENDAR_ENDS_MS = Date.UTC(2030, 11, 31)

/**
 * Compiles opening times. A public holiday closes the store, a part-day one from its hour. An extra opening opens the
 * store in any case, and carriers may collect in its hours. Pickup never happens outside trading hours. Equal specs share one calendar, because a chain has the same hours in a
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
    spec.openings,
  ])
  const cached = compiled.get(key)?.deref()
  if (cached) return cached

  const calendar = compile(spec)
  compiled.set(key, new WeakRef(calendar))
  collected.register(calendar, key)
  return calendar
}

/** The next closures (with holidays) or extra openings of a store, including a current one, in local time. */
export function listNext(
  calendar: StoreCalendar,
  kind: 'closures' | 'openings',
  nowMs: number,
  count: number,
): { from: string; to: string; name: string }[] {
  const times =
    kind === 'openings'
      ? listOpeningTimes(calendar, nowMs, count)
      : calendar.closures.filter(({ toMs }) => toMs > nowMs).slice(0, count)
  return times.map(({ fromMs, toMs, name }) => ({
    from: formatLocal(calendar.zone, fromMs),
    to: formatLocal(calendar.zone, toMs),
    name,
  }))
}

function listOpeningTimes({ zone: local, openings }: StoreCalendar, nowMs: number, count: number) {
  const today = localDay(local, nowMs)
  const times: NamedTime[] = []
  for (const { fromDay, toDay, hours, name } of openings) {
    for (const day of daysBetween(Math.max(fromDay, today), toDay)) {
      for (const { open, close } of hours) {
        const time = { fromMs: atLocal(local, day, open), toMs: atLocal(local, day, close), name }
        if (time.toMs > nowMs) times.push(time)
      }
      if (times.length >= count) return times.slice(0, count)
    }
  }
  return times
}

const compiled = new Map<string, WeakRef<StoreCalendar>>()
const collected = new FinalizationRegistry((key: string) => {
  if (!compiled.get(key)?.deref()) compiled.delete(key)
})

function compile(spec: StoreCalendarSpec): StoreCalendar {
  const local = zone(spec.zone)
  const openOn = new Set(spec.openOnHolidays)
  const holidays = listHolidays(spec.state, spec.region).filter(
    ({ name, date }) => !openOn.has(name) && !openOn.has(date),
  )
  const closedFrom = closingMinutes(spec, holidays)
  const extra = rangesByDay(spec.openings)
  const trading = openTimes(local, spec.trading, closedFrom, extra)
  const extraTimes = toTimes(local, extra)
  return {
    zone: local,
    trading,
    pickup: spec.pickup
      ? intersection(pickupTimes(local, spec, spec.pickup, closedFrom, extra), trading)
      : trading,
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
      .flatMap((closure) => withoutOpenings(closure, extraTimes))
      .sort((a, b) => a.fromMs - b.fromMs),
    openings: spec.openings
      .map((opening) => ({ ...opening, hours: opening.hours.toSorted((a, b) => a.open - b.open) }))
      .sort((a, b) => a.fromDay - b.fromDay),
  }
}

/** What remains of a closure: its time outside the extra openings. */
function withoutOpenings(closure: NamedTime, { starts, ends }: Intervals): NamedTime[] {
  const rest: NamedTime[] = []
  let { fromMs } = closure
  for (let i = firstAbove(ends, fromMs / MINUTE_MS); i < starts.length; i++) {
    const openMs = starts[i]! * MINUTE_MS
    if (openMs >= closure.toMs) break
    if (openMs > fromMs) rest.push({ ...closure, fromMs, toMs: openMs })
    fromMs = ends[i]! * MINUTE_MS
  }
  return fromMs < closure.toMs ? [...rest, { ...closure, fromMs }] : rest
}

type Ranges = readonly { open: number; close: number }[]

function rangesByDay(openings: readonly ExtraOpening[]): Map<number, Ranges> {
  const ranges = new Map<number, { open: number; close: number }[]>()
  for (const { fromDay, toDay, hours } of openings) {
    for (const day of daysBetween(fromDay, toDay)) {
      const others = ranges.get(day)
      // A document stored by an earlier build can have two openings for a day.
      if (others) others.push(...hours)
      else ranges.set(day, [...hours])
    }
  }
  return ranges
}

function toTimes(local: Zone, extra: ReadonlyMap<number, Ranges>): Intervals {
  const pairs: [number, number][] = []
  for (const [day, ranges] of extra) {
    for (const { open, close } of ranges)
      pairs.push([epochMinute(local, day, open), epochMinute(local, day, close)])
  }
  return toIntervals(pairs)
}

function* daysBetween(fromDay: number, toDay: number): Generator<number> {
  for (let day = Math.max(fromDay, FIRST_DAY); day <= Math.min(toDay, LAST_DAY); day++) yield day
}

/** Day → the minute from which the store is closed on it: 0 for the whole day. */
function closingMinutes(spec: StoreCalendarSpec, holidays: readonly Holiday[]): Map<number, number> {
  const minutes = new Map<number, number>()
  for (const { day, fromMinute } of holidays)
    minutes.set(day, Math.min(fromMinute ?? 0, minutes.get(day) ?? 1440))
  // Closures can overlap: each day counts once.
  let next = FIRST_DAY
  for (const { fromDay, toDay } of spec.closures.toSorted((a, b) => a.fromDay - b.fromDay)) {
    for (const day of daysBetween(Math.max(fromDay, next), toDay)) minutes.set(day, 0)
    next = Math.max(next, toDay + 1)
  }
  return minutes
}

function pickupTimes(
  local: Zone,
  { trading }: StoreCalendarSpec,
  pickup: NonNullable<StoreCalendarSpec['pickup']>,
  closedFrom: ReadonlyMap<number, number>,
  extra: ReadonlyMap<number, Ranges>,
): Intervals {
  if (!('endsBeforeClosingMinutes' in pickup)) return openTimes(local, pickup, closedFrom, extra)
  return openTimes(local, trading, closedFrom, extra, pickup.endsBeforeClosingMinutes)
}

/**
 * `early`: minutes before the day's last closing, which a part-day holiday may bring forward and an extra opening put
 * off.
 */
function openTimes(
  local: Zone,
  hours: HoursByWeekday,
  closedFrom: ReadonlyMap<number, number>,
  extra: ReadonlyMap<number, Ranges>,
  early = 0,
): Intervals {
  const pairs: [number, number][] = []
  for (let day = FIRST_DAY; day <= LAST_DAY; day++) {
    const closing = closedFrom.get(day) ?? 1440
    const usual = hours[toWeekday(day)]
      .filter((range) => range.open < closing)
      .map((range) => ({ ...range, close: Math.min(range.close, closing) }))
    const open = merged(usual, extra.get(day))
    for (const [index, range] of open.entries()) {
      const close = range.close - (index === open.length - 1 ? early : 0)
      if (range.open < close)
        pairs.push([epochMinute(local, day, range.open), epochMinute(local, day, close)])
    }
  }
  return toIntervals(pairs)
}

function merged(usual: Ranges, extra: Ranges | undefined): Ranges {
  if (!extra) return usual
  const { starts, ends } = toIntervals([...usual, ...extra].map(({ open, close }) => [open, close]))
  return [...starts].map((open, index) => ({ open, close: ends[index] as number }))
}

function epochMinute(local: Zone, day: number, minute: number): number {
  return atLocal(local, day, minute) / MINUTE_MS
}

const MINUTE_MS = 60_000
const FIRST_DAY = toDayNumber(2025, 1, 1)!
const LAST_DAY = toDayNumber(2030, 12, 31)!
