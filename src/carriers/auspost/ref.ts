/** One of the shipments that a booking became: it holds one UN entry, and 20 items at most. */
export type Part = { shipmentId: string; consignmentId: string }

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
