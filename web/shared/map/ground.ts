import type { Position } from '../../../src/domain/geo/distance.ts'
import { importWithRetry } from '../lazy-import.ts'
import coast from './coast.generated.json'

/** The coast, and the place names of the states in or near these positions. */
export async function loadGround(positions: readonly Position[]) {
  const near = STATES.filter(({ box: [south, west, north, east] }) =>
    positions.some(
      ({ lat, lng }) => lat > south - NEAR && lat < north + NEAR && lng > west - NEAR && lng < east + NEAR,
    ),
  )
  const places = await Promise.all(near.map(async ({ load }) => (await importWithRetry(load)).default))
  return { coast, places }
}

/** Degrees: near a border, names of the other side help. */
const NEAR = 0.2

/** South, west, north, east; a state's places are a separate file of 2 to 54 kB. */
const STATES: readonly { box: [number, number, number, number]; load(): Promise<{ default: string }> }[] = [
  { box: [-37.5, 141, -28.1, 159.2], load: () => import('./places-nsw.generated.json') },
  { box: [-35.9, 148.7, -35.1, 149.4], load: () => import('./places-act.generated.json') },
  { box: [-39.2, 140.9, -33.9, 150.1], load: () => import('./places-vic.generated.json') },
  { box: [-29.2, 138, -9, 153.6], load: () => import('./places-qld.generated.json') },
  { box: [-38.1, 129, -26, 141], load: () => import('./places-sa.generated.json') },
  { box: [-35.2, 112.9, -10, 129], load: () => import('./places-wa.generated.json') },
  { box: [-43.7, 143.8, -39.5, 148.6], load: () => import('./places-tas.generated.json') },
  { box: [-26, 129, -10.9, 138], load: () => import('./places-nt.generated.json') },
]
