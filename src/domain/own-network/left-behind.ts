import type { RequestParcel } from '../delivery/request.ts'

/** The part of a parcel that the driver took; a parcel may stand for several units. */
export type TakenParcel = { reference: string; quantity: number | 'all' }

/**
 * The units that stay at the pickup: `P2`, or for a parcel that is split `P1 (1 of 3)`. A reference that is
 * named twice counts twice.
 */
export function leftBehind(
  parcels: readonly Pick<RequestParcel, 'reference' | 'quantity'>[],
  taken: readonly TakenParcel[],
): string[] {
  return parcels.flatMap(({ reference, quantity }) => {
    const have = taken
      .filter((one) => one.reference === reference)
      .reduce((sum, one) => sum + (one.quantity === 'all' ? quantity : one.quantity), 0)
    if (have >= quantity) return []
    return have === 0 ? [reference] : [`${reference} (${quantity - have} of ${quantity})`]
  })
}
