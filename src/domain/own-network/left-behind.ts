import type { Article } from '../delivery/delivery.ts'
import type { RequestParcel } from '../delivery/request.ts'

/** Partial pickup: the part of a parcel row that the driver collected; a row may have several units. */
export type CollectedParcel = { reference: string; quantity: number | 'all' }

type Parcel = Pick<RequestParcel, 'reference' | 'quantity'>

/** Units of one parcel that stayed at the pickup, `of` its quantity. */
export type LeftParcel = { reference: string; quantity: number; of: number }

/** The units that stay at the pickup. A reference that is named twice counts twice. */
export function leftBehind(parcels: readonly Parcel[], collected: readonly CollectedParcel[]): LeftParcel[] {
  return parcels.flatMap(({ reference, quantity }) => {
    const have = collected
      .filter((one) => one.reference === reference)
      .reduce((sum, one) => sum + (one.quantity === 'all' ? quantity : one.quantity), 0)
    return have >= quantity ? [] : [{ reference, quantity: quantity - have, of: quantity }]
  })
}

/** `P2`, or for a parcel that is split `P1 (1 of 3)`. */
export function leftWords({ reference, quantity, of }: LeftParcel): string {
  return quantity === of ? reference : `${reference} (${quantity} of ${of})`
}

/** The articles of a booking, with the number of units of each parcel left at the pickup. */
export function withLeftBehind(
  articles: readonly Article[],
  leftBehindParcels: readonly LeftParcel[],
): Article[] {
  const bare = articles.map(({ leftBehind: _, ...article }) => article)
  const missing = leftBehindParcels.filter(({ reference }) =>
    bare.every((one) => one.parcelReference !== reference),
  )
  return [...bare, ...missing.map(({ reference }) => ({ parcelReference: reference, articleIds: [] }))].map(
    (article) => {
      const found = leftBehindParcels.find(({ reference }) => reference === article.parcelReference)
      return found ? { ...article, leftBehind: found.quantity } : article
    },
  )
}

/** The parcels left at the pickup, as recorded on the delivery's articles. */
export function listLeftBehind(parcels: readonly Parcel[], articles: readonly Article[]): LeftParcel[] {
  return parcels.flatMap(({ reference, quantity }) => {
    const leftBehindParcels =
      articles.find(({ parcelReference }) => parcelReference === reference)?.leftBehind ?? 0
    return leftBehindParcels === 0 ? [] : [{ reference, quantity: leftBehindParcels, of: quantity }]
  })
}

/** The parcels to send after: the units that stayed at the pickup. */
export function parcelsLeft<P extends Parcel>(parcels: readonly P[], articles: readonly Article[]): P[] {
  const leftBehindParcels = new Map(
    listLeftBehind(parcels, articles).map((one) => [one.reference, one.quantity]),
  )
  return parcels.flatMap((parcel) => {
    const quantity = leftBehindParcels.get(parcel.reference)
    return quantity === undefined ? [] : [{ ...parcel, quantity }]
  })
}

/** The parcels on the way: without the units left at the pickup. */
export function parcelsOnTheWay<P extends Parcel>(parcels: readonly P[], articles: readonly Article[]): P[] {
  const leftBehindParcels = new Map(
    listLeftBehind(parcels, articles).map((one) => [one.reference, one.quantity]),
  )
  return parcels
    .map((parcel) => ({
      ...parcel,
      quantity: parcel.quantity - (leftBehindParcels.get(parcel.reference) ?? 0),
    }))
    .filter(({ quantity }) => quantity > 0)
}
