import { type Point, placeOf, type View } from './projection.ts'

export type PlaceName = Point & { name: string }

/**
 * The place names of a view, as many as fit without an overlap with each other or with the marks. `places` is
 * `Name,lat,lng;Name,…` in thousandths of a degree.
 */
export function placeNames(places: readonly string[], view: View, taken: readonly Point[]): PlaceName[] {
  const boxes = taken.map((point) => ({ ...point, wide: 44, high: 34 }))
  const shown: PlaceName[] = []
  for (const found of onSheet(places, view)) {
    const wide = found.name.length * 3.4 + 10
    const box = { x: found.x, y: found.y, wide, high: 18 }
    const hits = boxes.some(
      (other) => Math.abs(other.x - box.x) < other.wide + wide && Math.abs(other.y - box.y) < other.high + 18,
    )
    if (hits || shown.length >= MOST) continue
    boxes.push(box)
    shown.push(found)
  }
  return shown
}

const MOST = 14

/** Nearest to the middle first: that is where people look. */
function onSheet(places: readonly string[], view: View): PlaceName[] {
  const { width, height } = view
  return places
    .flatMap((text) => text.split(';'))
    .flatMap((text) => {
      const [name = '', lat, lng] = text.split(',')
      const point = placeOf(view, { lat: Number(lat) / 1_000, lng: Number(lng) / 1_000 })
      const room = name.length * 3.4 + 6
      const fits = point.x > room && point.x < width - room && point.y > 12 && point.y < height - 12
      return fits ? [{ name, ...point }] : []
    })
    .sort((a, b) => fromMiddle(a, view) - fromMiddle(b, view))
}

function fromMiddle({ x, y }: Point, { width, height }: View): number {
  return Math.hypot(x - width / 2, y - height / 2)
}
