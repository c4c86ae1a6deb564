import type { Booking, ConsignmentParcel } from '../port/carrier.ts'
import { articlesOf } from './units.ts'

/** One of the shipments that a booking became at a carrier, and the consignment that tracks it. */
export type Part = { shipmentId: string; consignmentId: string }

/** A booked part, with our references of its units. */
export type BookedPart = Part & {
  costCents: number
  units: readonly { reference: string; articleId: string }[]
}

/** The booking made of one or more shipments; the first names it. */
export function bookingOfShipments(
  parts: readonly BookedPart[],
  parcels: readonly ConsignmentParcel[],
): Booking {
  return {
    consignmentNumber: parts[0]!.consignmentId,
    carrierRef: refOf(parts),
    articles: articlesOf(
      parcels,
      parts.flatMap(({ units }) => units),
    ),
    costCents: parts.reduce((sum, { costCents }) => sum + costCents, 0),
  }
}

/** Our ref of a booking: `shipment/consignment`, joined by `+` if the booking became several shipments. */
export function refOf(parts: readonly Part[]): string {
  return parts
    .map((part) => `${encodeURIComponent(part.shipmentId)}/${encodeURIComponent(part.consignmentId)}`)
    .join('+')
}

/** A ref that isn't in our format is a consignment number that a person typed in. */
export function partsOf(ref: string): Part[] {
  if (!isRef(ref)) return [{ shipmentId: '', consignmentId: ref }]
  return ref.split('+').map((part) => {
    const [shipmentId = '', consignmentId = ''] = part.split('/').map(decodeURIComponent)
    return { shipmentId, consignmentId }
  })
}

export function shipmentIdsOf(ref: string): string[] {
  return partsOf(ref).map(({ shipmentId }) => shipmentId)
}

/**
 * Whether a ref is in our format. The carrier answers alike for a deleted shipment and for one that never
 * existed, so a ref that can't be the carrier's must be recognised by its format.
 */
export function isRef(ref: string): boolean {
  return ref
    .split('+')
    .every((part) => /^(?:[\w.!~*'()-]|%[0-9A-F]{2})+\/(?:[\w.!~*'()-]|%[0-9A-F]{2})+$/.test(part))
}
