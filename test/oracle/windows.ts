import type { RateZone, State, Window } from '../../src/domain/values.ts'
import { instantMs, localOf, MINUTE_MS, plusDays } from './clock.ts'
import { isBusinessDay } from './holidays.ts'
import { nextOpening, pickupHours } from './hours.ts'
import { remembered } from './remembered.ts'
import type { OracleStore } from './stores.ts'

export type OracleTiming =
  | {
      kind: 'after pickup'
      leadMinutes: number
      minutesPerKm: number
      windowMinutes: number
      lastPickup?: string
      onTheRoad?: readonly [string, string]
    }
  | { kind: 'on day'; cutOff: string; days: Record<RateZone, number>; from: string; to: string }

export type OracleJourney = {
  store: OracleStore
  to: { state: State; zone: string; rateZone: RateZone; km: number }
}

export type OracleTimes = { pickupMs: number; window: Window; numDays: number }

/**
 * A service that cannot deliver within this many days is no option, even if a change of clocks half a year later
 * would allow it.
 */
const HORIZON_DAYS = 20

/**
 * The first pickup, from the earliest one on, that keeps the cut-off and has a window that has not ended by then
 * (days and hours follow two clocks: across a state border a day's window can be over); null if there is none.
 */
export function timesOf(
  timing: OracleTiming,
  journey: OracleJourney,
  earliestMs: number,
): OracleTimes | null {
  const { store } = journey
  const lastMs = earliestMs + HORIZON_DAYS * 24 * 60 * MINUTE_MS
  for (let pickupMs = earliestMs; pickupMs < lastMs; ) {
    const { date } = localOf(store.zone, pickupMs)
    const times = timesOnDay(timing, journey, pickupMs, date)
    if (times && times.window.toMs > times.pickupMs) return times
    pickupMs = nextOpening(store, date)
  }
  return null
}

function timesOnDay(timing: OracleTiming, journey: OracleJourney, pickupMs: number, date: string) {
  const { store } = journey
  if (timing.kind === 'on day') {
    return isNoLater(pickupMs, store, date, timing.cutOff) ? onDay(timing, journey, pickupMs, date) : null
  }
  const courierMs = onTheRoad(timing, store, date, pickupMs)
  if (courierMs === null || !isNoLater(courierMs, store, date, timing.lastPickup)) return null
  return afterPickup(timing, journey, courierMs, date)
}

function onDay(
  { days, from, to }: OracleTiming & { kind: 'on day' },
  { to: there }: OracleJourney,
  pickupMs: number,
  date: string,
): OracleTimes {
  const numDays = days[there.rateZone]
  const day = plusBusinessDays(there.state, date, numDays)
  const window = { fromMs: instantMs(there.zone, day, from), toMs: instantMs(there.zone, day, to) }
  return { pickupMs, window, numDays }
}

/** The travel minutes are rounded to the nearest; no document states it. */
function afterPickup(
  { leadMinutes, minutesPerKm, windowMinutes }: OracleTiming & { kind: 'after pickup' },
  { to: there }: OracleJourney,
  pickupMs: number,
  date: string,
): OracleTimes {
  const fromMs = pickupMs + (leadMinutes + Math.round(minutesPerKm * there.km)) * MINUTE_MS
  const window = { fromMs, toMs: fromMs + windowMinutes * MINUTE_MS }
  const deliveryDate = localOf(there.zone, fromMs).date
  // 0 means the same day, so a Sunday after a Saturday counts as 1.
  const numDays = deliveryDate <= date ? 0 : Math.max(1, businessDaysBetween(there.state, date, deliveryDate))
  return { pickupMs, window, numDays }
}

/** The first moment of the day, from the pickup on, when store and couriers both work; null if the day has no such moment. */
function onTheRoad(
  { onTheRoad: hours }: OracleTiming & { kind: 'after pickup' },
  store: OracleStore,
  date: string,
  pickupMs: number,
): number | null {
  if (!hours) return pickupMs
  const atMs = Math.max(pickupMs, instantMs(store.zone, date, hours[0]))
  const endMs = Math.min(instantMs(store.zone, date, hours[1]), pickupHours(store, date)?.closeMs ?? atMs)
  return atMs < endMs ? atMs : null
}

/** The minute itself is included. */
function isNoLater(ms: number, store: OracleStore, date: string, time = '24:00'): boolean {
  return ms < instantMs(store.zone, date, time) + MINUTE_MS
}

const plusBusinessDays = remembered((state: State, date: string, days: number): string => {
  let day = date
  for (let left = days; left > 0; ) {
    day = plusDays(day, 1)
    if (isBusinessDay(state, day)) left -= 1
  }
  return day
})

const businessDaysBetween = remembered((state: State, after: string, until: string): number => {
  let count = 0
  for (let day = after; day < until; ) {
    day = plusDays(day, 1)
    if (isBusinessDay(state, day)) count += 1
  }
  return count
})
