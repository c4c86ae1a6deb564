import { formatMoment } from '../shared/times.ts'
import { usePortal } from './portal.ts'

/** The time of an event, on the wall clock of the store or of the given zone. */
export function Timestamp({ at, zone }: { at: string; zone?: string }) {
  const { store, nowMs } = usePortal()
  return <time dateTime={at}>{formatMoment(Date.parse(at), zone ?? store.time_zone, nowMs())}</time>
}
