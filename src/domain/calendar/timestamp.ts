import { atLocal, toDayNumber, type Zone } from './zone.ts'

/** A moment as a caller wrote it: with an offset it is an instant, without one it is a local wall clock. */
export type Timestamp =
  | { kind: 'instant'; ms: number }
  | { kind: 'local'; localDay: number; minute: number; second: number; millisecond: number }

/**
 * ISO 8601 date and time, strictly: `T` and `Z` upper case, seconds and up to nine decimals optional, offset
 * `Z`, `+HH:MM`, `+HHMM` or `+HH`, years 1970 to 9999. Null for everything else: dates that do not exist, 24:00,
 * leap seconds. Decimals beyond the millisecond round up, so that no time is read as earlier than it was
 * written.
 */
export function parseTimestamp(text: string): Timestamp | null {
  const parts = GRAMMAR.exec(text)
  if (!parts) return null
  const [, year, month, date, hour, minutes, second, decimals, offset] = parts
  const day = toDayNumber(Number(year), Number(month), Number(date))
  if (day === null || Number(year) < 1970) return null

  const minute = Number(hour) * 60 + Number(minutes)
  const seconds = second === undefined ? 0 : Number(second)
  const millisecond = decimals === undefined ? 0 : Math.ceil(Number(decimals.padEnd(9, '0')) / 1e6)
  if (offset === undefined) return { kind: 'local', localDay: day, minute, second: seconds, millisecond }
  const ms = ((day * 1440 + minute - offsetMinutes(offset)) * 60 + seconds) * 1000 + millisecond
  // Only a fraction of a millisecond can lead past the last one.
  return ms > LAST_MS + 1 ? null : { kind: 'instant', ms: Math.min(ms, LAST_MS) }
}

/**
 * Days since 1970-01-01 of a date such as `2026-11-24`. Null for everything else: dates that do not exist, or
 * before 1970.
 */
export function parseDate(text: string): number | null {
  const midnight = parseTimestamp(`${text}T00:00`)
  return midnight?.kind === 'local' ? midnight.localDay : null
}

/** Later years have five digits, which neither this grammar nor the database reads. */
export const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** Epoch milliseconds. A timestamp without an offset is `zone`'s wall clock. */
export function toInstantMs(timestamp: Timestamp, zone: Zone): number {
  if (timestamp.kind === 'instant') return timestamp.ms
  const { localDay, minute, second, millisecond } = timestamp
  return Math.min(LAST_MS, atLocal(zone, localDay, minute) + second * 1000 + millisecond)
}

function offsetMinutes(offset: string): number {
  if (offset === 'Z') return 0
  const size = Number(offset.slice(1, 3)) * 60 + (offset.length > 3 ? Number(offset.slice(-2)) : 0)
  return offset.startsWith('-') ? -size : size
}

const HOUR = '([01]\\d|2[0-3])'
const GRAMMAR = new RegExp(
  `^(\\d{4})-(\\d\\d)-(\\d\\d)T${HOUR}:([0-5]\\d)(?::([0-5]\\d)(?:\\.(\\d{1,9}))?)?(Z|[+-](?:[01]\\d|2[0-3])(?::?[0-5]\\d)?)?$`,
)
