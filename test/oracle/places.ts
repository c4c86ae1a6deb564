import { locate } from '../../src/domain/geo/localities.ts'
import type { Destination } from '../../src/domain/quoting/job.ts'
import type { RateZone, State } from '../../src/domain/values.ts'

type Position = { lat: number; lng: number }
type Place = Position & { state: State }

const ZONE_OF: Record<State, string> = {
  VIC: 'Australia/Melbourne',
  NSW: 'Australia/Sydney',
  ACT: 'Australia/Sydney',
  QLD: 'Australia/Brisbane',
  SA: 'Australia/Adelaide',
  WA: 'Australia/Perth',
  TAS: 'Australia/Hobart',
  NT: 'Australia/Darwin',
}
/** Towns in another time zone than most of their state (Eucla's postcode reaches far beyond Eucla: not here). */
const ZONE_OF_POST_CODE: Record<string, string> = {
  '2880': 'Australia/Broken_Hill',
  '2898': 'Australia/Lord_Howe',
}
/** General post offices, to about 100 m. */
const CAPITALS: [State, Position][] = [
  ['NSW', { lat: -33.8678, lng: 151.2073 }],
  ['VIC', { lat: -37.8136, lng: 144.9631 }],
  ['QLD', { lat: -27.4678, lng: 153.0281 }],
  ['SA', { lat: -34.9275, lng: 138.6003 }],
  ['WA', { lat: -31.953, lng: 115.858 }],
  ['TAS', { lat: -42.8826, lng: 147.3302 }],
  ['NT', { lat: -12.4612, lng: 130.8418 }],
  ['ACT', { lat: -35.278, lng: 149.13 }],
]
const METRO_KM = 50
/** Mean radius of the Earth (IUGG). */
const EARTH_KM = 6371.0088

export function zoneNameAt({ state, postCode }: { state: State; postCode: string }): string {
  return ZONE_OF_POST_CODE[postCode] ?? ZONE_OF[state]
}

/** Great circle, by the angle between the two directions from the Earth's centre. */
export function greatCircleKm(a: Position, b: Position): number {
  const [p, q] = [direction(a), direction(b)]
  const cross = Math.hypot(p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0])
  return EARTH_KM * Math.atan2(cross, p[0] * q[0] + p[1] * q[1] + p[2] * q[2])
}

export function rateZone(from: Place, to: Place): RateZone {
  if (from.state === to.state) return greatCircleKm(from, to) <= METRO_KM ? 'same_metro' : 'same_state'
  const capital = CAPITALS.some(([state, gpo]) => state !== from.state && greatCircleKm(gpo, to) <= METRO_KM)
  return capital ? 'interstate_capital' : 'rest'
}

/** A home in that locality; oracle and product use the same table of localities. */
export function homeIn(city: string, state: State, postCode: string): Destination {
  const found = locate({ city, state, postCode })
  if ('field' in found) throw new Error(found.message)
  return { ...found, residential: true, addressKind: 'street' }
}

function direction({ lat, lng }: Position): [number, number, number] {
  const [north, east] = [(lat * Math.PI) / 180, (lng * Math.PI) / 180]
  return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)]
}
