import type { Booking, ConsignmentParcel } from '../port/carrier.ts'
import { articlesOf } from './units.ts'

/** One of the shipments that a booking became at a carrier, and the consignment that it is tracked by. */
export type Part = { shipmentId: string; consignmentId: string }

/** A part as it was booked, with the references of its units that we gave. */
export type BookedPart = Part & {
  costCents: number
  units: readonly { reference: string; articleId: string }[]
}

/** The booking that shipments are, one at least; it is named by the first. */
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

/** How we call a booking: `shipment/consignment`, parted by `+` where it became several shipments. */
export function refOf(parts: readonly Part[]): string {
  return parts
    .map((part) => `${encodeURIComponent(part.shipmentId)}/${encodeURIComponent(part.consignmentId)}`)
    .join('+')
}

/** What is none of ours is a consignment number that a person told. */
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

/** A shipment that is gone is told like one that never was: what cannot be theirs must be known by its looks. */
export function isRef(ref: string): boolean {
  return ref
    .split('+')
    .every((part) => /^(?:[\w.!~*'()-]|%[0-9A-F]{2})+\/(?:[\w.!~*'()-]|%[0-9A-F]{2})+$/.test(part))
}
