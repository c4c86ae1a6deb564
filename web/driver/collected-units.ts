import type { DriverJob } from '../shared/api.generated.ts'
import { readScannedCode } from '../shared/scanned-code.ts'
import { formatParcels, unitsOf } from './places.ts'

export type ParcelRow = DriverJob['parcels'][number]
type Job = Pick<DriverJob, 'id' | 'consignment_number' | 'parcels'>

/** For each parcel row the units that were collected, by their index. */
export type CollectedUnits = ReadonlyMap<string, ReadonlySet<number>>

export function collectedUnitsOf(collected: CollectedUnits, { reference }: ParcelRow): number {
  return collected.get(reference)?.size ?? 0
}

/** Selects all of a row, or none if all were selected. */
export function toggleRow(collected: CollectedUnits, row: ParcelRow): CollectedUnits {
  const all = collectedUnitsOf(collected, row) === row.quantity
  return withPlaces(collected, row, all ? [] : placesOf(row))
}

/** Adds one unit of a row that is not selected yet. */
export function addUnit(collected: CollectedUnits, row: ParcelRow): CollectedUnits {
  const next = placesOf(row).find((place) => !collected.get(row.reference)?.has(place))
  return next === undefined ? collected : withUnit(collected, row, next)
}

export function removeUnit(collected: CollectedUnits, row: ParcelRow): CollectedUnits {
  return withPlaces(collected, row, [...(collected.get(row.reference) ?? [])].slice(0, -1))
}

/**
 * The selection after a scan: the label's own unit, one of the row that it names, or the only parcel; null: not of
 * this job.
 */
export function collectScanned(collected: CollectedUnits, job: Job, text: string): CollectedUnits | null {
  const code = readScannedCode(text)
  for (const row of job.parcels) {
    const place = row.article_ids?.indexOf(code) ?? -1
    if (place >= 0) return withUnit(collected, row, place)
  }
  const [only] = job.parcels
  const isWhole = code === job.id || code === job.consignment_number
  const named = job.parcels.find(({ reference }) => reference === code)
  const row = named ?? (isWhole && unitsOf(job) === 1 ? only : undefined)
  return row ? addUnit(collected, row) : null
}

/** `2 parcels` for all of them, otherwise `2 of 3`; null for none. */
export function formatCollected(collected: CollectedUnits, job: Job): string | null {
  const [have, all] = [countCollected(collected, job), unitsOf(job)]
  if (have === 0) return null
  return have === all ? formatParcels(all) : `${have} of ${all}`
}

export function countCollected(collected: CollectedUnits, { parcels }: Job): number {
  return parcels.reduce((sum, row) => sum + collectedUnitsOf(collected, row), 0)
}

/** The request of a partial collection: the rows, or the quantity of each if one is split. */
export function toCollection(collected: CollectedUnits, { parcels }: Job) {
  const some = parcels
    .map((row) => ({
      reference: row.reference,
      quantity: collectedUnitsOf(collected, row),
      of: row.quantity,
    }))
    .filter(({ quantity }) => quantity > 0)
  const isWhole = some.every(({ quantity, of }) => quantity === of)
  if (isWhole && some.length === parcels.length) return {}
  if (isWhole) return { parcel_references: some.map(({ reference }) => reference) }
  return { parcels: some.map(({ reference, quantity }) => ({ reference, quantity })) }
}

function placesOf({ quantity }: ParcelRow): number[] {
  return Array.from({ length: quantity }, (_, place) => place)
}

function withUnit(collected: CollectedUnits, row: ParcelRow, place: number): CollectedUnits {
  return withPlaces(collected, row, [...(collected.get(row.reference) ?? []), place])
}

function withPlaces(
  collected: CollectedUnits,
  { reference }: ParcelRow,
  places: readonly number[],
): CollectedUnits {
  return new Map(collected).set(reference, new Set(places))
}
