/**
 * Generates the data that maps draw without tiles: `web/shared/map/coast.generated.json` from Natural Earth's
 * 1:10m countries (public domain, by way of the package world-atlas) and `places-<state>.generated.json` from
 * our own table of localities.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import localities from '../src/domain/geo/localities.generated.json' with { type: 'json' }

const OUT = resolve(import.meta.dirname, '../web/shared/map')
/** ISO 3166-1 numeric. */
const AUSTRALIA = '036'
/** Thousandths of a degree, about 100 m: finer than the detail of the coast at 1:10m. */
const SCALE = 1_000

/** Each ring of the coast as its first point and then the steps between points: lng, lat, lng, lat … */
function coast(): number[][] {
  const file = fileURLToPath(import.meta.resolve('world-atlas/countries-10m.json'))
  const { arcs, transform, objects } = JSON.parse(readFileSync(file, 'utf8')) as Atlas
  const australia = objects.countries.geometries.find(({ id }) => id === AUSTRALIA)
  if (!australia) throw new Error('The atlas has no Australia.')
  const lines = arcs.map((arc) => pointsOf(arc, transform))
  // Two countries share an arc; one of them follows it backwards, which is written as its complement.
  const lineOf = (index: number) => (index < 0 ? (lines[~index] ?? []).toReversed() : (lines[index] ?? []))
  return australia.arcs.flat().map((ring) => steps(ring.flatMap(lineOf)))
}

/** The part of TopoJSON that one country needs. */
type Atlas = {
  arcs: [number, number][][]
  transform: { scale: [number, number]; translate: [number, number] }
  objects: { countries: { geometries: { id: string; arcs: number[][][] }[] } }
}

function pointsOf(arc: [number, number][], { scale, translate }: Atlas['transform']): [number, number][] {
  let [x, y] = [0, 0]
  return arc.map(([dx, dy]) => {
    x += dx
    y += dy
    return [x * scale[0] + translate[0], y * scale[1] + translate[1]]
  })
}

function steps(ring: readonly [number, number][]): number[] {
  let [x, y] = [0, 0]
  return ring.flatMap(([lng, lat]) => {
    const [toX, toY] = [Math.round(lng * SCALE), Math.round(lat * SCALE)]
    if (toX === x && toY === y) return []
    const step = [toX - x, toY - y]
    ;[x, y] = [toX, toY]
    return step
  })
}

/** `Name,lat,lng;Name,…` for each state, positions in thousandths of a degree. */
function placesByState(): Map<string, string> {
  const byState = new Map<string, Map<string, string>>()
  for (const line of localities) {
    const [, state = '', suburbs = ''] = /^\d{4} ([A-Z]+) (.*)$/.exec(line) ?? []
    const names = byState.get(state) ?? new Map<string, string>()
    byState.set(state, names)
    for (const suburb of suburbs.split(';')) {
      const [name = '', lat, lng] = suburb.split(',')
      const at = [lat, lng].map((value) => Math.round((Number(value) * SCALE) / 10_000)).join(',')
      names.set(`${name},${at}`, `${name},${at}`)
    }
  }
  return new Map([...byState].map(([state, names]) => [state, [...names.values()].join(';')]))
}

writeFileSync(join(OUT, 'coast.generated.json'), JSON.stringify(coast()))
for (const [state, places] of placesByState()) {
  writeFileSync(join(OUT, `places-${state.toLowerCase()}.generated.json`), JSON.stringify(places))
}
