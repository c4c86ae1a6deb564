import type { DangerousGoods } from '../../domain/dangerous-goods/dangerous-goods.ts'
import type { Booking, ConsignmentParcel } from '../port/carrier.ts'

/**
 * One physical parcel and its number in its row, from 0. `reference` names it at the carrier: row and number,
 * from 1.
 */
export type Unit = { parcel: ConsignmentParcel; reference: string; number: number }

/** The content of one shipment: a shipment describes one UN entry and holds at most `max` items. */
export type Load = { goods: DangerousGoods | null; units: readonly Unit[] }

/** Every physical parcel of a booking, in order. */
export function unitsOf(parcels: readonly ConsignmentParcel[]): Unit[] {
  return parcels.flatMap((parcel, row) =>
    Array.from({ length: parcel.quantity }, (_, number) => ({
      parcel,
      reference: `${row + 1}.${number + 1}`,
      number,
    })),
  )
}

/** The parcels of a booking by shipment, in order. */
export function loadsOf(parcels: readonly ConsignmentParcel[], max: number): Load[] {
  const entries = Map.groupBy(unitsOf(parcels), ({ parcel }) => entryOfGoods(parcel.dangerousGoods))
  return [...entries.values()].flatMap((alike) =>
    Array.from({ length: Math.ceil(alike.length / max) }, (_, part) => ({
      goods: alike[0]!.parcel.dangerousGoods,
      units: alike.slice(part * max, (part + 1) * max),
    })),
  )
}

/**
 * The net weight of a load's one UN entry: the weight of the goods alone if it is known, otherwise of the
 * parcel.
 */
export function netKgOf({ units }: Load): number {
  const kgs = units.map(({ parcel }) => parcel.dangerousGoods?.netWeightKg ?? parcel.weightKg)
  return rounded(
    kgs.reduce((sum, kg) => sum + kg, 0),
    1_000,
  )
}

/**
 * Outer packages of a load: each row's own number, divided if a row spans several shipments; otherwise one
 * per parcel.
 */
export function outerPackagesOf({ units }: Load): number {
  const shares = units.map(({ parcel, number }) => {
    const packages = parcel.dangerousGoods?.outerPackagingQuantity ?? parcel.quantity
    const upTo = (count: number) => Math.floor((packages * count) / parcel.quantity)
    return upTo(number + 1) - upTo(number)
  })
  return Math.max(
    1,
    shares.reduce((sum, share) => sum + share, 0),
  )
}

/** Each unit's share of a value that covers all parcels, rounded up to a cent. */
export function shareCents(cents: number, parcels: readonly ConsignmentParcel[]): number {
  return Math.ceil(cents / parcels.reduce((sum, { quantity }) => sum + quantity, 0))
}

/** Rounds to `1 / parts`: 10 for tenths. */
export function rounded(value: number, parts: number): number {
  return Math.round(value * parts) / parts
}

/**
 * Ids of units that the carrier returned with our references, grouped by parcel row; other references are
 * ignored.
 */
export function articlesOf(
  parcels: readonly ConsignmentParcel[],
  units: readonly { reference: string; articleId: string }[],
): Booking['articles'] {
  const byRow = Map.groupBy(units, ({ reference }) => /^(\d{1,5})\.\d{1,5}$/.exec(reference)?.[1])
  return parcels.map(({ reference }, row) => ({
    parcelReference: reference,
    articleIds: (byRow.get(`${row + 1}`) ?? []).map(({ articleId }) => articleId),
  }))
}

function entryOfGoods(goods: DangerousGoods | null): string {
  if (!goods) return ''
  const { unNumber, technicalName, classDivision, subsidiaryRisk, packingGroup, outerPackagingType } = goods
  return JSON.stringify([
    unNumber,
    technicalName,
    classDivision,
    subsidiaryRisk,
    packingGroup,
    outerPackagingType,
  ])
}
