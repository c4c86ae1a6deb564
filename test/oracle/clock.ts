import { Temporal } from 'temporal-polyfill'
import { remembered } from './remembered.ts'

export const MINUTE_MS = 60_000

/** Wall clocks by Temporal. Dates are `2026-12-24`, times `17:30` (`24:00` ends a day). */
export type LocalMoment = { date: string; time: string }

/** A skipped local time moves forward, a repeated one is the first of the two. */
export const instantMs = remembered((zone: string, date: string, time: string): number => {
  const local = time === '24:00' ? `${plusDays(date, 1)}T00:00` : `${date}T${time}`
  const instant = Temporal.PlainDateTime.from(local).toZonedDateTime(zone, { disambiguation: 'compatible' })
  return instant.epochMilliseconds
})

export function localOf(zone: string, ms: number): LocalMoment {
  return localMinute(zone, Math.floor(ms / MINUTE_MS))
}

const localMinute = remembered((zone: string, minute: number): LocalMoment => {
  const instant = Temporal.Instant.fromEpochMilliseconds(minute * MINUTE_MS)
  const local = instant.toZonedDateTimeISO(zone).toPlainDateTime()
  const [date, time] = local.toString().split('T') as [string, string]
  return { date, time: time.slice(0, 5) }
})

export const plusDays = remembered((date: string, days: number): string =>
  Temporal.PlainDate.from(date).add({ days }).toString(),
)

/** 0 is Monday. */
export const weekdayOf = remembered((date: string): number => Temporal.PlainDate.from(date).dayOfWeek - 1)

export function minutesLater(time: string, minutes: number): string {
  return Temporal.PlainTime.from(time).add({ minutes }).toString().slice(0, 5)
}
