import { STATES, type State } from '../values.ts'
import type { AddressKind } from './address-kind.ts'
import { distanceKm, type Position } from './distance.ts'
import localities from './localities.generated.json' with { type: 'json' }
import postOfficeBoxes from './post-office-boxes.generated.json' with { type: 'json' }
import { findState } from './states.ts'

/** The location of an address, as precisely as suburb and postcode allow. */
export type Located = {
  lat: number
  lng: number
  state: State
  postCode: string
  /** Null: the suburb is unknown and the position is the middle of the postcode. */
  suburb: string | null
  warning: string | null
  /** The suburb is one that we know under another postcode: one of the two may be wrong. */
  isElsewhere?: true
}

export type PlaceIssue = { field: 'state' | 'post_code' | 'city'; message: string }

/**
 * The position of an Australian address. A suburb that is not in the postcode is a warning, and an issue if it is a
 * suburb that we know elsewhere, over 50 km away; a postcode that is unknown or in another state is an issue. A suburb that is in the postcode but across the border from the
 * given state is accepted with a warning: people in border towns write either. Postcodes with only boxes are
 * known for boxes and lockers (`kind`).
 */
export function locate(
  address: { city: string; state: string; postCode: string },
  kind: AddressKind = 'street',
): Located | PlaceIssue {
  const state = findState(address.state)
  if (!state) return { field: 'state', message: `${address.state} is not a state: ${STATES.join(', ')}.` }
  const areas = findAreas(address.postCode) ?? (kind === 'street' ? null : findPoBoxAreas(address.postCode))
  if (!areas) return { field: 'post_code', message: unknownPostCode(address.postCode) }
  const own = areas.find((area) => area.state === state)
  if (!own) {
    const where = [...new Set(areas.map((area) => area.state))].join(' and ')
    return {
      field: 'post_code',
      message: `${address.postCode} is in ${where}, not in ${state}: ${suburbNames(areas)}.`,
    }
  }
  const key = suburbKey(address.city)
  if (key === '') return { field: 'city', message: `Suburbs of ${address.postCode}: ${suburbNames([own])}.` }
  return (
    own.suburbs.get(key) ??
    acrossBorder(areas, key) ??
    locateInOtherPostcode(own, key) ??
    inTheMiddle(own, address.city)
  )
}

/** People write the city or a neighbouring suburb with their own postcode; farther away, one of the two is wrong. */
const MAX_APART_KM = 50

/** The part of a postcode that is in one state. Positions are shared: callers get the same object each time. */
type Area = {
  state: State
  postCode: string
  suburbs: ReadonlyMap<string, Readonly<Located>>
  middle: Position
}

const MAX_NAMES = 8

function acrossBorder(areas: readonly Area[], key: string): Located | null {
  for (const { suburbs, state, postCode } of areas) {
    const found = suburbs.get(key)
    if (found) return { ...found, warning: `${found.suburb} ${postCode} is in ${state}.` }
  }
  return null
}

/** A suburb that we know under other postcodes: the one that is nearest to the postcode given. */
function locateInOtherPostcode(
  { middle, state, postCode, suburbs }: Area,
  key: string,
): Located | PlaceIssue | null {
  const [nearest, km] = nearestNamed(key, middle)
  if (nearest === null) return null
  const here = suburbNames([{ suburbs }])
  const known = `${nearest.suburb} is ${nearest.postCode} in ${nearest.state}; ${postCode} is ${here}`
  if (km > MAX_APART_KM) {
    const message = `${known}, ${Math.round(km)} km away. Correct the suburb or the postcode.`
    return { field: 'post_code', message }
  }
  const warning = `${known}. We went by the postcode: check the address.`
  return { ...middle, state, postCode, suburb: null, warning, isElsewhere: true }
}

function nearestNamed(key: string, to: Position): [Located | null, km: number] {
  let nearest: Located | null = null
  let minKm = Number.POSITIVE_INFINITY
  for (const postCode of listPostCodes(key)) {
    for (const { suburbs } of findAreas(postCode) ?? []) {
      const found = suburbs.get(key)
      const km = found ? distanceKm(found, to) : minKm
      if (km >= minKm) continue
      nearest = found ?? null
      minKm = km
    }
  }
  return [nearest, minKm]
}

/** Suburb → its postcodes; made when the first suburb is not in its postcode. */
let postCodesBySuburb: Map<string, string[]> | null = null

function listPostCodes(key: string): readonly string[] {
  postCodesBySuburb ??= postCodeIndex()
  return postCodesBySuburb.get(key) ?? []
}

function postCodeIndex(): Map<string, string[]> {
  const index = new Map<string, string[]>()
  for (const line of localities) {
    const [postCode, state] = line.split(' ', 2) as [string, string]
    for (const text of line.slice(postCode.length + state.length + 2).split(';')) {
      const key = suburbKey(text.slice(0, text.indexOf(',')))
      const known = index.get(key)
      if (known) known.push(postCode)
      else index.set(key, [postCode])
    }
  }
  return index
}

function inTheMiddle({ middle, state, postCode }: Area, city: string): Located {
  const warning = `${city} is not a suburb of ${postCode} that we know; took the middle of the postcode.`
  return { ...middle, state, postCode, suburb: null, warning }
}

function suburbNames(areas: readonly Pick<Area, 'suburbs'>[]): string {
  const names = areas.flatMap(({ suburbs }) => [...suburbs.values()].map(({ suburb }) => suburb))
  if (names.length <= MAX_NAMES) return names.join(', ')
  return `${names.slice(0, MAX_NAMES).join(', ')} and ${names.length - MAX_NAMES} more`
}

function unknownPostCode(postCode: string): string {
  return findPoBoxAreas(postCode)
    ? `${postCode} has post office boxes only. Write the address as PO Box and its number, or give the postcode of the street.`
    : `${postCode} is not a postcode with street addresses.`
}

/** Postcode → its areas, or the table's rows, which are parsed on first use. */
type Table = Map<string, Area[] | string[]>

/** Postcodes with street addresses. */
let streets: Table | null = null
/** Postcodes with boxes only. */
let boxes: Table | null = null

function findAreas(postCode: string): Area[] | null {
  streets ??= toTable(localities)
  return areasIn(streets, postCode)
}

function findPoBoxAreas(postCode: string): Area[] | null {
  boxes ??= toTable(postOfficeBoxes)
  return areasIn(boxes, postCode)
}

function toTable(lines: readonly string[]): Table {
  return Map.groupBy(lines, (line) => line.slice(0, 4))
}

function areasIn(table: Table, postCode: string): Area[] | null {
  const entry = table.get(postCode)
  if (!entry) return null
  if (!isUnread(entry)) return entry
  const areas = entry.map(parseArea)
  table.set(postCode, areas)
  return areas
}

function isUnread(entry: Area[] | string[]): entry is string[] {
  return typeof entry[0] === 'string'
}

/** Reads `3065 VIC Fitzroy,-377975,1449805;…`. */
function parseArea(line: string): Area {
  const [postCode, state] = line.split(' ', 2) as [string, State]
  const suburbs = new Map<string, Located>()
  for (const text of line.slice(postCode.length + state.length + 2).split(';')) {
    const [suburb, lat, lng] = text.split(',') as [string, string, string]
    suburbs.set(suburbKey(suburb), {
      lat: Number(lat) / 10_000,
      lng: Number(lng) / 10_000,
      state,
      postCode,
      suburb,
      warning: null,
    })
  }
  return { state, postCode, suburbs, middle: findMiddle([...suburbs.values()]) }
}

/** The median, which one distant locality cannot distort. */
function findMiddle(positions: readonly Position[]): Position {
  return { lat: median(positions.map(({ lat }) => lat)), lng: median(positions.map(({ lng }) => lng)) }
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1]!
}

/** Normalises the spelling of a suburb: `Mt. Stuart`, `MOUNT STUART` and `mount-stuart` have the same key. */
export function suburbKey(name: string): string {
  const upper = name.toUpperCase()
  const words = ABBREVIATED.test(upper)
    ? upper.replace(/\bMT\b/g, 'MOUNT').replace(/\bST\b/g, 'SAINT')
    : upper
  return words.replace(NOT_IN_KEY, '')
}

const ABBREVIATED = /\b(MT|ST)\b/
const NOT_IN_KEY = /[^A-Z0-9]+/g
