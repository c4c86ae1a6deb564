import type { Delivery, StoreService } from '../../shared/api.generated.ts'
import { isToManifest } from '../delivery/actions.ts'
import { unitsOf } from '../format-parcels.ts'
import { CLOSING_MS, closingMs } from './classify.ts'

/** When a service closes today, and how many deliveries go with it. */
export type Close = { service: string; atMs: number; deliveries: number }

/** Deliveries of one carrier without a manifest, as one line. */
export type ToManifest = {
  carrier: string
  /** Zero if all are on manifests now. */
  deliveries: number
  units: number
  /** The services that close today, the earliest first. */
  closings: readonly Close[]
}

/** One line for each carrier with manifests, the earliest cut-off first. */
export function toManifest(deliveries: readonly Delivery[], services: readonly StoreService[]): ToManifest[] {
  const byManifest = deliveries.filter(
    (one) => isToManifest(one) || one.manifest_id !== undefined || one.manifest_status === 'manifested',
  )
  const byCarrier = Map.groupBy(byManifest, (one) => one.carrier_provider ?? '')
  const lines = [...byCarrier].map(([carrier, all]) => {
    const theirs = all.filter(isToManifest)
    return {
      carrier,
      deliveries: theirs.length,
      units: theirs.reduce((sum, { parcels }) => sum + unitsOf(parcels), 0),
      closings: closingsOf(theirs, services),
    }
  })
  return lines.sort((a, b) => (a.closings[0]?.atMs ?? Infinity) - (b.closings[0]?.atMs ?? Infinity))
}

function closingsOf(theirs: readonly Delivery[], services: readonly StoreService[]): Close[] {
  const closings = new Map<string, Close>()
  for (const one of theirs) {
    const atMs = closingMs(one, services)
    if (atMs === null) continue
    const service = one.service_code ?? ''
    const { deliveries } = closings.get(service) ?? { deliveries: 0 }
    closings.set(service, { service, atMs, deliveries: deliveries + 1 })
  }
  return [...closings.values()].sort((a, b) => a.atMs - b.atMs)
}

/** The next cut-off to act on, or null if it has passed for today. */
export function nextOf({ closings }: ToManifest, nowMs: number): Close | null {
  return closings.find(({ atMs }) => atMs >= nowMs) ?? null
}

/** The next cut-off, if it is soon. */
export function soonOf(line: ToManifest, nowMs: number): Close | null {
  const next = nextOf(line, nowMs)
  return next && next.atMs - nowMs <= CLOSING_MS ? next : null
}

/** The key of its line in the list of the day. */
export function keyOf({ carrier }: ToManifest): string {
  return `line ${carrier}`
}
