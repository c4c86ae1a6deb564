import { distanceKm, type Position } from '../../../src/domain/geo/distance.ts'

/** A part of the world on a sheet, in Mercator's projection like the tiles. Sheet units are pixels. */
export type View = { width: number; height: number; scale: number; x: number; y: number }
export type Point = { x: number; y: number }

/** The view that shows all these positions with a margin, and at least about a kilometre. */
export function viewOf(positions: readonly Position[], width: number, height: number): View {
  const points = positions.map(mercator)
  const [left, right] = ends(points.map(({ x }) => x))
  const [top, bottom] = ends(points.map(({ y }) => y))
  const room = 1 - 2 * MARGIN
  const scale = Math.min(
    (width * room) / Math.max(right - left, LEAST),
    (height * room) / Math.max(bottom - top, LEAST),
  )
  return { width, height, scale, x: (left + right) / 2, y: (top + bottom) / 2 }
}

export function placeOf(view: View, position: Position): Point {
  const { x, y } = mercator(position)
  return { x: (x - view.x) * view.scale + view.width / 2, y: (y - view.y) * view.scale + view.height / 2 }
}

/** A round length that fits a fifth of the sheet, and its length there. */
export function scaleBar(view: View, middle: Position): { km: number; px: number } {
  const next = { lat: middle.lat, lng: middle.lng + 0.01 }
  const pxPerKm = (placeOf(view, next).x - placeOf(view, middle).x) / distanceKm(middle, next)
  const km = LENGTHS_KM.findLast((length) => length * pxPerKm <= view.width / 4) ?? 0.1
  return { km, px: km * pxPerKm }
}

const LENGTHS_KM = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000]
/** Margin of each side, so that marks and their labels fit inside. */
const MARGIN = 0.2
/** The whole world is 1 wide: this is about a kilometre and a half of it in Melbourne. */
const LEAST = 0.00005

/** The unit square, north at its top. */
function mercator({ lat, lng }: Position): Point {
  const angle = (lat * Math.PI) / 180
  return { x: (lng + 180) / 360, y: (1 - Math.asinh(Math.tan(angle)) / Math.PI) / 2 }
}

function ends(values: readonly number[]): [number, number] {
  return [Math.min(...values), Math.max(...values)]
}
