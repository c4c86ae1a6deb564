import type { Store } from '../account/account.ts'
import { addOpenMinutes, firstOpenAt } from '../calendar/intervals.ts'
import type { StoreCalendar } from '../calendar/store-calendar.ts'
import { type Timestamp, toInstantMs } from '../calendar/timestamp.ts'

/** When a store could start an order, and when a courier could collect it. Epoch milliseconds; null: never. */
export type StoreTimes = { processingMs: number | null; rfpMs: number | null }

/**
 * Computes the times of stores for one order. They depend only on the calendar and the processing minutes, so
 * stores that share both share one computation: a chain of 100,000 stores has a few dozen combinations.
 */
export function storeTimes(order: {
  readyForPickupAt: Timestamp | null
  nowMs: number
}): (store: Pick<Store, 'calendar' | 'processingMinutes'>) => StoreTimes {
  const known = new Map<StoreCalendar, Map<number, StoreTimes>>()
  return ({ calendar, processingMinutes }) => {
    const ofCalendar = known.get(calendar) ?? new Map<number, StoreTimes>()
    const times = ofCalendar.get(processingMinutes) ?? reckon(calendar, processingMinutes, order)
    known.set(calendar, ofCalendar.set(processingMinutes, times))
    return times
  }
}

/**
 * Processing starts at the first moment in trading hours at or after the order is ready (or now, if that is
 * later). It runs in trading hours only; the order then waits for the pickup hours.
 */
function reckon(
  calendar: StoreCalendar,
  processingMinutes: number,
  { readyForPickupAt, nowMs }: { readyForPickupAt: Timestamp | null; nowMs: number },
): StoreTimes {
  const readyMs = readyForPickupAt ? toInstantMs(readyForPickupAt, calendar.zone) : nowMs
  const processingMs = firstOpenAt(calendar.trading, Math.max(readyMs, nowMs))
  if (processingMs === null) return NEVER
  const doneMs = addOpenMinutes(calendar.trading, processingMs, processingMinutes)
  return { processingMs, rfpMs: doneMs === null ? null : firstOpenAt(calendar.pickup, doneMs) }
}

const NEVER: StoreTimes = { processingMs: null, rfpMs: null }
