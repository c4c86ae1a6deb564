import { EARTH_RADIUS_KM, type Position } from '../geo/distance.ts'

/** Degrees. */
export type Box = { minLng: number; minLat: number; maxLng: number; maxLat: number }

/**
 * Bounding boxes that together contain every point within `km`: two when the circle crosses the date line.
 * The meridians that touch a circle of angle r around latitude φ lie asin(sin r / cos φ) to its sides. A
 * circle that reaches a pole touches no meridian, so its box spans all longitudes.
 */
export function boxesAround({ lat, lng }: Position, km: number): Box[] {
  const angle = km / EARTH_RADIUS_KM
  const minLat = lat - angle / RADIANS
  const maxLat = lat + angle / RADIANS
  if (minLat <= -90 || maxLat >= 90) return [{ minLng: -180, minLat, maxLng: 180, maxLat }]
  const side = Math.asin(Math.min(1, Math.sin(angle) / Math.cos(lat * RADIANS))) / RADIANS
  const [minLng, maxLng] = [lng - side, lng + side]
  if (minLng <= -180) return split({ minLng: minLng + 360, minLat, maxLng, maxLat })
  if (maxLng >= 180) return split({ minLng, minLat, maxLng: maxLng - 360, maxLat })
  return [{ minLng, minLat, maxLng, maxLat }]
}

/** Splits a box at the date line when its west edge is east of its east edge. */
function split({ minLng, minLat, maxLng, maxLat }: Box): Box[] {
  return [
    { minLng, minLat, maxLng: 180, maxLat },
    { minLng: -180, minLat, maxLng, maxLat },
  ]
}

const RADIANS = Math.PI / 180
