import type { Booking, Consignment } from '../port/carrier.ts'

/**
 * Ids for the units of a courier that assigns no ids itself: unique in the account, short enough for a label.
 */
export function generatedArticleIds(
  prefix: string,
  { deliveryId, parcels }: Pick<Consignment, 'deliveryId' | 'parcels'>,
): Booking['articles'] {
  const stem = `${prefix}${deliveryId
    .replaceAll(/[^0-9a-z]/gi, '')
    .slice(-12)
    .toUpperCase()}`
  let unit = 0
  return parcels.map(({ reference, quantity }) => ({
    parcelReference: reference,
    articleIds: Array.from({ length: quantity }, () => {
      unit += 1
      return `${stem}${String(unit).padStart(3, '0')}`
    }),
  }))
}
