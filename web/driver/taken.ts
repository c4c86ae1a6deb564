import type { DriverJob } from '../shared/api.generated.ts'
import { scannedCode } from '../shared/scanned.ts'
import { parcelsWords, unitsOf } from './places.ts'

export type ParcelRow = DriverJob['parcels'][number]
type Job = Pick<DriverJob, 'id' | 'consignment_number' | 'parcels'>

/** For each parcel row the units that were collected, by their index. */
export type Taken = ReadonlyMap<string, ReadonlySet<number>>

export function unitsTaken(taken: Taken, { reference }: ParcelRow): number {
  return taken.get(reference)?.size ?? 0
}

/** Selects all of a row, or none if all were selected. */
export function turned(taken: Taken, row: ParcelRow): Taken {
  const all = unitsTaken(taken, row) === row.quantity
  return withPlaces(taken, row, all ? [] : placesOf(row))
}

/** Adds one unit of a row that is not selected yet. */
export function oneMore(taken: Taken, row: ParcelRow): Taken {
  const next = placesOf(row).find((place) => !taken.get(row.reference)?.has(place))
  return next === undefined ? taken : withUnit(taken, row, next)
}

export function oneLess(taken: Taken, row: ParcelRow): Taken {
  return withPlaces(taken, row, [...(taken.get(row.reference) ?? [])].slice(0, -1))
}

/**
 * The selection after a scan: the label's own unit, one of the row that it names, or the only parcel; null: not of
 * this job.
 */
export function scanned(taken: Taken, job: Job, text: string): Taken | null {
  const code = scannedCode(text)
  for (const row of job.parcels) {
    const place = row.article_ids?.indexOf(code) ?? -1
    if (place >= 0) return withUnit(taken, row, place)
  }
  const [only] = job.parcels
  const isWhole = code === job.id || code === job.consignment_number
  const named = job.parcels.find(({ reference }) => reference === code)
  const row = named ?? (isWhole && unitsOf(job) === 1 ? only : undefined)
  return row ? oneMore(taken, row) : null
}

/** `2 parcels` for all of them, otherwise `2 of 3`; null for none. */
export function takenWords(taken: Taken, job: Job): string | null {
  const [have, all] = [allTaken(taken, job), unitsOf(job)]
  if (have === 0) return null
  return have === all ? parcelsWords(all) : `${have} of ${all}`
}

export function allTaken(taken: Taken, { parcels }: Job): number {
  return parcels.reduce((sum, row) => sum + unitsTaken(taken, row), 0)
}

/** The request of a partial collection: the rows, or the quantity of each if one is split. */
export function collectedOf(taken: Taken, { parcels }: Job) {
  const some = parcels
    .map((row) => ({ reference: row.reference, quantity: unitsTaken(taken, row), of: row.quantity }))
    .filter(({ quantity }) => quantity > 0)
  const isWhole = some.every(({ quantity, of }) => quantity === of)
  if (isWhole && some.length === parcels.length) return {}
  if (isWhole) return { parcel_references: some.map(({ reference }) => reference) }
  return { parcels: some.map(({ reference, quantity }) => ({ reference, quantity })) }
}

function placesOf({ quantity }: ParcelRow): number[] {
  return Array.from({ length: quantity }, (_, place) => place)
}

function withUnit(taken: Taken, row: ParcelRow, place: number): Taken {
  return withPlaces(taken, row, [...(taken.get(row.reference) ?? []), place])
}

function withPlaces(taken: Taken, { reference }: ParcelRow, places: readonly number[]): Taken {
  return new Map(taken).set(reference, new Set(places))
}
