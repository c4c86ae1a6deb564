import { formatMoment } from '../shared/times.ts'

/** `10:42 am` by the phone's own clock, and its day unless that is today. */
export function phoneClock(ms: number): string {
  return formatMoment(ms, new Intl.DateTimeFormat().resolvedOptions().timeZone, Date.now())
}
