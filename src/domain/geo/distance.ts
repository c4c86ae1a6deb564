import type { RateZone, State } from '../values.ts'
import { CAPITALS } from './states.ts'

export type Position = { lat: number; lng: number }

/** Great-circle distance in kilometres. */
export function distanceKm(a: Position, b: Position): number {
  const fromLat = a.lat * RADIANS
  const toLat = b.lat * RADIANS
  const halfLat = Math.sin((toLat - fromLat) / 2)
  const halfLng = Math.sin(((b.lng - a.lng) * RADIANS) / 2)
  const haversine = halfLat * halfLat + Math.cos(fromLat) * Math.cos(toLat) * halfLng * halfLng
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(haversine)))
}

/** The rate zone of a job between two places. */
export function getRateZone(from: Position & { state: State }, to: Position & { state: State }): RateZone {
  if (from.state === to.state) {
    return distanceKm(from, to) <= METRO_KM ? 'same_metro' : 'same_state'
  }
  const nearCapital = CAPITALS.some(
    (capital) => capital.state !== from.state && distanceKm(capital, to) <= METRO_KM,
  )
  return nearCapital ? 'interstate_capital' : 'rest'
}

/** "Same metro" and "interstate capital" both mean within this distance of the other point. */
const METRO_KM = 50
/** Mean radius of the Earth (IUGG). */
export const EARTH_RADIUS_KM = 6371.0088
const RADIANS = Math.PI / 180
