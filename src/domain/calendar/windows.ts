import type { RateZone, State, Window } from '../values.ts'
import { listHolidays } from './holidays.ts'
import { firstOpenAt } from './intervals.ts'
import type { StoreCalendar } from './store-calendar.ts'
import { atLocal, firstAbove, localDay, toDayNumber, toWeekday, type Zone } from './zone.ts'

/**
 * A job's locations, as far as time is concerned: the pickup always uses the store's calendar, even when the
 * store is the destination.
 */
export type WindowPlace = {
  store: StoreCalendar
  destinationZone: Zone
  /** Of the destination's state. */
  businessDays: BusinessDays
  distanceKm: number
  rateZone: RateZone
}

/**
 * `numDays`: business days from the store's day of pickup to the day of delivery; 0 for the same day, at least 1 for any
 * later day, such as a Sunday.
 */
export type Offer = { pickupMs: number; window: Window; numDays: number }
export type NoWindow = { excluded: 'cut_off' | 'operating_hours' | 'no_pickup'; detail: string }

/** `readyMs`: the RFP; null: now. `bufferMinutes`: the time that the store needs to get the parcels ready. */
export type ReadyTimes = { readyMs: number | null; nowMs: number; bufferMinutes: number }

/** When the store has the parcels ready: at the RFP, or now if that is later, plus its buffer. */
export function parcelsReadyMs({ readyMs, nowMs, bufferMinutes }: ReadyTimes): number {
  return Math.max(readyMs ?? nowMs, nowMs) + bufferMinutes * MINUTE_MS
}

/**
 * The first moment in pickup hours at which the parcels are ready and the carrier's driver or run, if the
 * carrier gives a time, is at the store. The buffer counts once: the driver's own time has no buffer.
 */
export function earliestPickup(calendar: StoreCalendar, times: ReadyTimes, carrierMs = 0): number | null {
  return firstOpenAt(calendar.pickup, Math.max(parcelsReadyMs(times), carrierMs))
}

/**
 * When a type or service could deliver parcels that are ready at `earliestPickupMs`: on the first open day
 * whose pickup meets the cut-off (or last pickup), lies within the courier's hours, and comes before the end
 * of its window. The last condition matters for 0 days with a cut-off after the window: parcels picked up too
 * late today go tomorrow.
 */
export function windowFor(timing: Timing, place: WindowPlace, earliestPickupMs: number): Offer | NoWindow {
  const { pickup, zone } = place.store
  let refusal: NoWindow | null = null
  let at = firstOpenAt(pickup, earliestPickupMs)
  for (let openDays = 0; at !== null && openDays < MAX_OPEN_DAYS; openDays++) {
    const day = localDay(zone, at)
    const offer =
      timing.kind === 'on_day' ? onDay(timing, place, day, at) : afterPickup(timing, place, day, at)
    if ('window' in offer) return offer
    refusal = offer
    at = firstOpenAt(pickup, atLocal(zone, day + 1, 0))
  }
  return at === null || refusal === null ? NO_PICKUP : refusal
}

function onDay(timing: OnDay, place: WindowPlace, day: number, pickupMs: number): Offer | NoWindow {
  if (isAfter(timing.cutOff, place.store.zone, day, pickupMs)) return AFTER_CUT_OFF
  const days = typeof timing.days === 'number' ? timing.days : timing.days[place.rateZone]
  const deliveryDay = addBusinessDays(place.businessDays, day, days)
  if (deliveryDay === null) return NO_PICKUP
  const toMs = atLocal(place.destinationZone, deliveryDay, timing.to)
  if (toMs <= pickupMs) return AFTER_CUT_OFF
  const fromMs = atLocal(place.destinationZone, deliveryDay, timing.from)
  return { pickupMs, window: { fromMs, toMs }, numDays: days }
}

function afterPickup(
  timing: AfterPickup,
  place: WindowPlace,
  day: number,
  readyMs: number,
): Offer | NoWindow {
  const { pickup, zone } = place.store
  const { hours, lastPickup } = timing
  const from = hours ? Math.max(readyMs, atLocal(zone, day, hours.open)) : readyMs
  const pickupMs = firstOpenAt(pickup, from)
  if (pickupMs === null) return NO_PICKUP
  if (hours && pickupMs >= atLocal(zone, day, hours.close)) return OUTSIDE_HOURS
  if (lastPickup !== null && isAfter(lastPickup, zone, day, pickupMs)) return AFTER_CUT_OFF

  const travelMinutes = timing.leadMinutes + Math.round(timing.minutesPerKm * place.distanceKm)
  const fromMs = pickupMs + travelMinutes * MINUTE_MS
  const deliveryDay = localDay(place.destinationZone, fromMs)
  return {
    pickupMs,
    window: { fromMs, toMs: fromMs + timing.windowMinutes * MINUTE_MS },
    numDays: deliveryDay <= day ? 0 : Math.max(1, businessDaysBetween(place.businessDays, day, deliveryDay)),
  }
}

/**
 * The minute itself is still in time. Compares instants, so that a repeated hour of the night counts from its
 * first run.
 */
function isAfter(minuteOfDay: number, zone: Zone, day: number, epochMs: number): boolean {
  return epochMs >= atLocal(zone, day, minuteOfDay) + MINUTE_MS
}

const MINUTE_MS = 60_000
/** If a store has no offer on this many open days, it never will. */
const MAX_OPEN_DAYS = 14

const AFTER_CUT_OFF: NoWindow = {
  excluded: 'cut_off',
  detail: `On each of the next ${MAX_OPEN_DAYS} open days the store's first pickup is after the cut-off.`,
}
const OUTSIDE_HOURS: NoWindow = {
  excluded: 'operating_hours',
  detail: `On each of the next ${MAX_OPEN_DAYS} open days the store's pickup hours are outside the courier's.`,
}
const NO_PICKUP: NoWindow = {
  excluded: 'no_pickup',
  detail: 'The store has no pickup, or the destination no business day, before the calendar ends with 2030.',
}

/** The business days of a state, 2025 to 2030, ascending, as days since 1970-01-01. */
export type BusinessDays = { readonly days: Float64Array }

/**
 * Monday to Friday without the state's public holidays, computed once per state. Part-day holidays and
 * regional holidays are still business days: a parcel's route leads past a region.
 */
export function businessDays(state: State): BusinessDays {
  const cached = compiled.get(state)
  if (cached) return cached
  const calendar = compile(state)
  compiled.set(state, calendar)
  return calendar
}

export function isBusinessDay(calendar: BusinessDays, localDay: number): boolean {
  return calendar.days[firstAbove(calendar.days, localDay) - 1] === localDay
}

/**
 * The n-th business day after `localDay`; for 0, `localDay` itself, even if it is no business day. Null
 * beyond 2030.
 */
export function addBusinessDays(calendar: BusinessDays, localDay: number, n: number): number | null {
  if (n === 0) return localDay
  return calendar.days[firstAbove(calendar.days, localDay) + n - 1] ?? null
}

/** The number of business days after `fromDay`, up to and including `toDay`. */
export function businessDaysBetween(calendar: BusinessDays, fromDay: number, toDay: number): number {
  return Math.max(0, firstAbove(calendar.days, toDay) - firstAbove(calendar.days, fromDay))
}

const compiled = new Map<State, BusinessDays>()

function compile(state: State): BusinessDays {
  const holidays = new Set(
    listHolidays(state).flatMap(({ day, fromMinute }) => (fromMinute === null ? day : [])),
  )
  const days: number[] = []
  for (let day = toDayNumber(2025, 1, 1)!; day <= toDayNumber(2030, 12, 31)!; day++) {
    const weekday = toWeekday(day)
    if (weekday !== 'sat' && weekday !== 'sun' && !holidays.has(day)) days.push(day)
  }
  return { days: Float64Array.from(days) }
}

/**
 * Lead time, last pickup and cut-off: when a delivery type or a carrier's service could deliver. Minutes of the day
 * (`lastPickup`, `cutOff`, `hours`) are on the store's wall clock; `from` and `to` are on the destination's.
 */
export type Timing = AfterPickup | OnDay

/** Starts `leadMinutes + minutesPerKm * km` after the pickup. Couriers pick up only within `hours`. */
export type AfterPickup = {
  kind: 'after_pickup'
  leadMinutes: number
  minutesPerKm: number
  windowMinutes: number
  /** The last minute of the day when a pickup may happen, inclusive. */
  lastPickup: number | null
  hours: { open: number; close: number } | null
}

/** On the n-th business day after the day of pickup; a pickup after the cut-off counts for the next open day. */
export type OnDay = {
  kind: 'on_day'
  cutOff: number
  days: number | Readonly<Record<RateZone, number>>
  from: number
  to: number
}
