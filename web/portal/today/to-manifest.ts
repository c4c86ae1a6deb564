import type { Delivery, StoreService } from '../../shared/api.generated.ts'
import { unitsOf } from '../parcel-words.ts'
import { closingMs, isToManifest } from './judge.ts'

/** What one carrier is still to get a manifest for: one line for all of it. */
export type ToManifest = {
  carrier: string
  deliveries: number
  units: number
  /** The services that close today, the soonest first. */
  closings: readonly { service: string; atMs: number }[]
}

/** One line for each carrier that has something on no manifest, the soonest close first. */
export function toManifest(deliveries: readonly Delivery[], services: readonly StoreService[]): ToManifest[] {
  const byCarrier = Map.groupBy(deliveries.filter(isToManifest), (one) => one.carrier_provider ?? '')
  const lines = [...byCarrier].map(([carrier, theirs]) => {
    const closings = new Map<string, number>()
    for (const one of theirs) {
      const atMs = closingMs(one, services)
      if (atMs !== null) closings.set(one.service_code ?? '', atMs)
    }
    return {
      carrier,
      deliveries: theirs.length,
      units: theirs.reduce((sum, { parcels }) => sum + unitsOf(parcels), 0),
      closings: [...closings].map(([service, atMs]) => ({ service, atMs })).sort((a, b) => a.atMs - b.atMs),
    }
  })
  return lines.sort((a, b) => (a.closings[0]?.atMs ?? Infinity) - (b.closings[0]?.atMs ?? Infinity))
}
