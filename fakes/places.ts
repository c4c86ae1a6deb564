import { createHash } from 'node:crypto'

export type Place = { lat: number; lng: number }

/** By the first digit of an Australian postcode: roughly the centre of its population. */
const CAPITALS: Readonly<Record<string, Place>> = {
  '0': { lat: -12.4634, lng: 130.8456 },
  '2': { lat: -33.8688, lng: 151.2093 },
  '3': { lat: -37.8136, lng: 144.9631 },
  '4': { lat: -27.4698, lng: 153.0251 },
  '5': { lat: -34.9285, lng: 138.6007 },
  '6': { lat: -31.9523, lng: 115.8613 },
  '7': { lat: -42.8821, lng: 147.3272 },
}
const SPREAD_DEGREES = 0.03

/**
 * A made-up location for an address: near the capital of its postcode's state, always the same for the same
 * text. A fake has no maps; callers that need a real location send coordinates. Null when there is no
 * Australian postcode.
 */
export function madeUpPlace(address: string): Place | null {
  const postcode = /\b(\d{4})\b(?!.*\b\d{4}\b)/s.exec(address)?.[1]
  const capital = CAPITALS[postcode?.[0] ?? '']
  if (!capital) return null
  const digest = createHash('sha256').update(address.toLowerCase().replace(/\W+/g, ' ')).digest()
  const shift = (at: number) => (digest.readUInt16BE(at) / 65_535 - 0.5) * 2 * SPREAD_DEGREES
  return { lat: round(capital.lat + shift(0)), lng: round(capital.lng + shift(2)) }
}

/** Along the great circle. */
export function kilometresBetween(from: Place, to: Place): number {
  const radians = Math.PI / 180
  const half = (degrees: number) => Math.sin((degrees * radians) / 2) ** 2
  const chord =
    half(to.lat - from.lat) +
    Math.cos(from.lat * radians) * Math.cos(to.lat * radians) * half(to.lng - from.lng)
  return 12_742 * Math.asin(Math.sqrt(chord))
}

/** The point at `share` of the way, 0 to 1, as on a flat map. */
export function onTheWay(from: Place, to: Place, share: number): Place {
  const part = Math.min(1, Math.max(0, share))
  return {
    lat: round(from.lat + (to.lat - from.lat) * part),
    lng: round(from.lng + (to.lng - from.lng) * part),
  }
}

function round(degrees: number): number {
  return Number(degrees.toFixed(6))
}
