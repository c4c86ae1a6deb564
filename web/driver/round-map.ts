import type { Position } from '../../src/domain/geo/distance.ts'
import type { DriverJob } from '../shared/api.generated.ts'
import type { MapContent, Mark } from '../shared/map/map-card.tsx'
import { nextEnd, streetOf } from './places.ts'

/** The driver's addresses, in the order of the round. */
export function roundMap(round: readonly DriverJob[], here: Position | null): MapContent {
  const stops = round.flatMap((job): Mark[] => {
    const { end, to } = nextEnd(job)
    if (end.lat === undefined || end.lng === undefined) return []
    return [{ lat: end.lat, lng: end.lng, kind: to === 'pickup' ? 'store' : 'door', name: streetOf(end) }]
  })
  const marks = here ? [...stops, { ...here, kind: 'courier' as const, name: 'you' }] : stops
  const line = here ? [here, ...stops] : stops
  const names = stops.map(({ name }) => name).join(', then ')
  return { marks, line: line.length > 1 ? line : null, summary: `Your way: ${names}.` }
}
