import { instantMs, localOf, MINUTE_MS, plusDays, weekdayOf } from './clock.ts'
import { holidayFrom } from './holidays.ts'
import type { OracleStore } from './stores.ts'

/** When carriers may collect that day: the opening moment is included, the closing moment is not. */
export function pickupHours(store: OracleStore, date: string): { openMs: number; closeMs: number } | null {
  const hours = store.week[weekdayOf(date)]!
  const holiday = holidayFrom(store.state, date)
  if (hours === '' || holiday === '00:00' || store.localHolidays.includes(date)) return null
  const [open, close] = hours.split('-') as [string, string]
  const closing = holiday !== null && holiday < close ? holiday : close
  const openMs = instantMs(store.zone, date, open)
  const closeMs = instantMs(store.zone, date, closing) - store.pickupEndsMinutesBefore * MINUTE_MS
  return openMs < closeMs ? { openMs, closeMs } : null
}

/**
 * The first moment in pickup hours at or after `max(RFP, now) + buffer`, and at or after the carrier's earliest
 * time.
 */
export function earliestPickup(
  store: OracleStore,
  asked: { readyMs: number | null; nowMs: number; ignoreBuffer: boolean; carrierMs?: number | undefined },
): number {
  const buffer = asked.ignoreBuffer ? 0 : store.bufferMinutes * MINUTE_MS
  const readyMs = Math.max(asked.readyMs ?? asked.nowMs, asked.nowMs) + buffer
  const atMs = Math.max(readyMs, asked.carrierMs ?? readyMs)
  for (let date = localOf(store.zone, atMs).date; ; date = plusDays(date, 1)) {
    const hours = pickupHours(store, date)
    if (hours && atMs < hours.closeMs) return Math.max(atMs, hours.openMs)
  }
}

/** When the store's next open day after this one begins. */
export function nextOpening(store: OracleStore, date: string): number {
  for (let next = plusDays(date, 1); ; next = plusDays(next, 1)) {
    const hours = pickupHours(store, next)
    if (hours) return hours.openMs
  }
}
