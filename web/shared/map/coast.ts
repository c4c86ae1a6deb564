import { type Point, placeOf, type View } from './projection.ts'

/** The coast of a view as an SVG path: rings clipped to the sheet, so that a suburb does not load a continent. */
export function coastPath(rings: readonly (readonly number[])[], view: View): string {
  return rings
    .map((ring) => cut(pointsOf(ring, view), view))
    .filter((points) => points.length > 2)
    .map((points) => `M${points.map(({ x, y }) => `${Math.round(x)} ${Math.round(y)}`).join('L')}Z`)
    .join('')
}

function pointsOf(ring: readonly number[], view: View): Point[] {
  const points: Point[] = []
  let [lng, lat] = [0, 0]
  for (let at = 0; at + 1 < ring.length; at += 2) {
    lng += ring[at] as number
    lat += ring[at + 1] as number
    points.push(placeOf(view, { lat: lat / 1_000, lng: lng / 1_000 }))
  }
  return points
}

/** Sutherland and Hodgman: clips a ring to the sheet and a small margin. */
function cut(ring: Point[], { width, height }: View): Point[] {
  const sides: { inside(point: Point): boolean; cross(a: Point, b: Point): Point }[] = [
    { inside: ({ x }) => x >= -AROUND, cross: (a, b) => atX(a, b, -AROUND) },
    { inside: ({ x }) => x <= width + AROUND, cross: (a, b) => atX(a, b, width + AROUND) },
    { inside: ({ y }) => y >= -AROUND, cross: (a, b) => atY(a, b, -AROUND) },
    { inside: ({ y }) => y <= height + AROUND, cross: (a, b) => atY(a, b, height + AROUND) },
  ]
  return sides.reduce((points, { inside, cross }) => {
    const kept: Point[] = []
    points.forEach((point, index) => {
      const before = points.at(index - 1) as Point
      if (inside(point) !== inside(before)) kept.push(cross(before, point))
      if (inside(point)) kept.push(point)
    })
    return kept
  }, ring)
}

const AROUND = 20

function atX(a: Point, b: Point, x: number): Point {
  return { x, y: a.y + ((b.y - a.y) * (x - a.x)) / (b.x - a.x) }
}

function atY(a: Point, b: Point, y: number): Point {
  return { x: a.x + ((b.x - a.x) * (y - a.y)) / (b.y - a.y), y }
}
