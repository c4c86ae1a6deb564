import { Temporal } from 'temporal-polyfill'

/** Wall clocks by Temporal itself. Dates are `2026-12-24`, times `17:30` (`24:00` ends a day). */
export type LocalMoment = { date: string; time: string }

const instants = new Map<string, number>()

/** A skipped local time moves forward, a repeated one is the first of the two. */
export function instantMs(zone: string, date: string, time: string): number {
  const key = `${zone} ${date} ${time}`
  let ms = instants.get(key)
  if (ms === undefined) {
    const local = time === '24:00' ? `${plusDays(date, 1)}T00:00` : `${date}T${time}`
    ms = Temporal.PlainDateTime.from(local).toZonedDateTime(zone, {
      disambiguation: 'compatible',
    }).epochMilliseconds
    instants.set(key, ms)
  }
  return ms
}

export function localOf(zone: string, ms: number): LocalMoment {
  const local = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDateTime()
  const [date, time] = local.toString().split('T') as [string, string]
  return { date, time: time.slice(0, 5) }
}

export function plusDays(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString()
}

/** 0 is Monday. */
export function weekdayOf(date: string): number {
  return Temporal.PlainDate.from(date).dayOfWeek - 1
}

export function minutesLater(time: string, minutes: number): string {
  return Temporal.PlainTime.from(time).add({ minutes }).toString().slice(0, 5)
}

export const MINUTE_MS = 60_000
