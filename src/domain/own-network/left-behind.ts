import type { RequestParcel } from '../delivery/request.ts'

/** What a driver has of a parcel that may stand for several. */
export type TakenParcel = { reference: string; quantity: number | 'all' }

/** What stays at the pickup: `P2`, or of one that is split `P1 (1 of 3)`. What is named twice is there twice. */
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
