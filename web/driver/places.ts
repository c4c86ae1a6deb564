import { formatWindowAt } from '../../src/domain/calendar/format-window-at.ts'
import { findState, getZoneName } from '../../src/domain/geo/states.ts'
import type { DriverJob } from '../shared/api.generated.ts'
import { phoneZone } from '../shared/page-times.ts'

export type End = DriverJob['to']

/** The driver's next address for a job. */
export function nextEnd(job: DriverJob): { end: End; to: 'pickup' | 'drop' } {
  if (job.status === 'pending_return') return { end: job.from, to: 'pickup' }
  return job.status === 'collected' ? { end: job.to, to: 'drop' } : { end: job.from, to: 'pickup' }
}

/** `14 Keele Street`, and the line below it. */
export function streetOf(end: End): string {
  return end.address ?? end.city
}

export function underStreet(end: End): string {
  return [end.address2, `${end.city} ${end.post_code}`].filter(Boolean).join(', ')
}

/** Opens the phone's navigation app, by the URL scheme of each system. */
export function navigationTo(end: End, device: string = navigator.userAgent): string {
  const address = [end.address, end.city, end.state, end.post_code].filter(Boolean).join(' ')
  const query = encodeURIComponent(address)
  if (/android/i.test(device)) return `geo:${end.lat ?? 0},${end.lng ?? 0}?q=${query}`
  if (/iphone|ipad|macintosh/i.test(device)) return `maps://?daddr=${query}`
  return `https://www.openstreetmap.org/search?query=${query}`
}

/** The number of parcels of a job. */
export function unitsOf({ parcels }: Pick<DriverJob, 'parcels'>): number {
  return parcels.reduce((sum, { quantity }) => sum + quantity, 0)
}

export function formatParcels(count: number): string {
  return count === 1 ? '1 parcel' : `${count} parcels`
}

/** The job's window, by the clock of its address: `2 – 8 pm`, `tomorrow, 8 am – 6 pm, Brisbane time`. */
export function windowOfJob({ from_datetime: from, to_datetime: to, to: end }: DriverJob): string | null {
  if (!from || !to) return null
  const state = findState(end.state)
  const zone = state === undefined ? phoneZone() : getZoneName(state, end.post_code)
  const clocks = { zone, reader: phoneZone(), nowMs: Date.now() }
  return formatWindowAt({ fromMs: Date.parse(from), toMs: Date.parse(to) }, clocks, 'not_today')
}
