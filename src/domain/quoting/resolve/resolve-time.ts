import { CALENDAR_ENDS_MS } from '../../calendar/store-calendar.ts'
import { instantOf, type Timestamp } from '../../calendar/timestamp.ts'
import type { Zone } from '../../calendar/zone.ts'
import type { Issue } from '../../errors.ts'

/** Epoch milliseconds of `ready_for_pickup_at`; null stays "at once". Without an offset it is the store's time. */
export function readyMsOf(readyForPickupAt: Timestamp | null, zone: Zone): number | null {
  return readyForPickupAt && instantOf(readyForPickupAt, zone)
}

/** A time in the recent past is normal: the order is ready. A time long ago is a typing error. */
export function readyIssues(readyMs: number | null, nowMs: number): Issue[] {
  if (readyMs === null) return []
  if (readyMs >= CALENDAR_ENDS_MS)
    return [outOfRange('Public holidays are known until the end of 2030 only.')]
  if (readyMs < nowMs - LONG_AGO_MS) return [outOfRange('That is more than a year ago; check the year.')]
  return []
}

function outOfRange(message: string): Issue {
  return { field: 'ready_for_pickup_at', issue: 'out_of_range', message }
}

const LONG_AGO_MS = 366 * 24 * 60 * 60_000
