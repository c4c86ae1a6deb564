import {
  clockWords,
  dayWords,
  hoursWords,
  type Wall,
  wallOfIso,
  windowWords,
} from '../../src/domain/calendar/format-window.ts'

/** Times as the server wrote them: by the clock of the place, with its offset. */
export function clockOf(iso: string): string {
  return clockWords(wallOfIso(iso))
}

export function dayOf(iso: string, now: string): string {
  return dayWords(wallOfIso(iso).day, wallOfIso(now).day)
}

/** `2 – 8 pm`, and its day unless that is today there: `tomorrow, 8 am – 6 pm`. */
export function windowOf(from: string, to: string, nowMs: number): string {
  const window = { from: wallOfIso(from), to: wallOfIso(to) }
  const today = wallNear(to, nowMs).day
  const isToday = window.from.day === today && window.to.day === today
  return isToday ? hoursWords(window) : windowWords(window, today)
}

/** `10:42 am`, and its day unless that is today there: `Monday 23 November, 10:42 am`. */
export function momentOf(iso: string, nowMs: number): string {
  const { day } = wallOfIso(iso)
  const today = wallNear(iso, nowMs).day
  return day === today ? clockOf(iso) : `${dayWords(day, today)}, ${clockOf(iso)}`
}

/** The wall clock at a moment, by the offset that a time near it was written with. */
export function wallNear(iso: string, epochMs: number): Wall {
  return wallOfIso(new Date(epochMs + offsetMsOf(iso)).toISOString())
}

/** How far the clock that wrote this time is ahead of UTC. */
export function offsetMsOf(iso: string): number {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(iso) ?? []
  return sign ? Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * 60_000 : 0
}

/** `in 14 minutes`, `6 min ago`; null beyond an hour, where only the clock helps. */
export function fromNow(iso: string, nowMs: number): string | null {
  const minutes = Math.round((Date.parse(iso) - nowMs) / 60_000)
  if (Math.abs(minutes) > 60) return null
  if (minutes === 0) return 'now'
  if (minutes < 0) return `${-minutes} min ago`
  return minutes === 1 ? 'in a minute' : `in ${minutes} minutes`
}

/** The clock of a zone at a moment, where the server gave it by another place's clock. */
export function wallIn(timeZone: string, epochMs: number): Wall {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(epochMs)
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? '00'
  return wallOfIso(`${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:00`)
}

/** `Melbourne`, where the reader's clock differs from that of `timeZone`; null where it is the same. */
export function otherZone(timeZone: string, epochMs: number): string | null {
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone
  const [here, there] = [wallIn(own, epochMs), wallIn(timeZone, epochMs)]
  if (here.day === there.day && here.minute === there.minute) return null
  return (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ')
}
