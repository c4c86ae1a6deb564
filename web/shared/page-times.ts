import { formatClock, formatDay, type Wall, wallOfIso } from '../../src/domain/calendar/format-window.ts'
import { formatMomentAt, isSameClock } from '../../src/domain/calendar/format-window-at.ts'
import type { PageHelp } from './api.generated.ts'

/** Times as the server wrote them: on the clock of the place, with its offset. */
export function clockOf(iso: string): string {
  return formatClock(wallOfIso(iso))
}

export function dayOf(iso: string, now: string): string {
  return formatDay(wallOfIso(iso).day, wallOfIso(now).day)
}

/** `10:42 am`, and its date unless that is today there: `Monday 23 November, 10:42 am`. */
export function momentOf(iso: string, nowMs: number): string {
  const { day } = wallOfIso(iso)
  const today = wallNear(iso, nowMs).day
  return day === today ? clockOf(iso) : `${formatDay(day, today)}, ${clockOf(iso)}`
}

/** The wall clock at a moment, with the offset of a time near it. */
export function wallNear(iso: string, epochMs: number): Wall {
  return wallOfIso(new Date(epochMs + offsetMsOf(iso)).toISOString())
}

/** The offset from UTC of the clock that wrote this time. */
function offsetMsOf(iso: string): number {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(iso) ?? []
  return sign ? Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000 : 0
}

/** `in 14 minutes`, `6 min ago`; null beyond an hour, when a clock time is clearer. */
export function fromNow(iso: string, nowMs: number): string | null {
  const minutes = Math.round((Date.parse(iso) - nowMs) / 60_000)
  if (Math.abs(minutes) > 60) return null
  if (minutes === 0) return 'now'
  if (minutes < 0) return `${-minutes} min ago`
  return minutes === 1 ? 'in a minute' : `in ${minutes} minutes`
}

/** The reader's time zone. */
export function phoneZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

/**
 * `, until 5:30 pm`, by the store's clock; the place is named if the clock of the reader or of the customer's
 * address differs.
 */
export function formatUntil(help: PageHelp, addressZone: string, nowMs: number): string {
  if (!help.open_until) return ''
  const ms = Date.parse(help.open_until)
  const here = phoneZone()
  const reader = isSameClock(help.time_zone, here, ms) ? addressZone : here
  return `, until ${formatMomentAt(ms, { zone: help.time_zone, reader, nowMs }, 'hours')}`
}
