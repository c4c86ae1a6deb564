import type { DangerousGoods } from '../../domain/dangerous-goods/dangerous-goods.ts'
import type { ConsignmentParcel } from '../carrier.ts'

/** One physical parcel. `reference` names it at the carrier: its row and its number in it, from 1. */
export type Unit = { parcel: ConsignmentParcel; reference: string }

/** What goes into one shipment: a shipment describes one UN entry, and holds `most` items. */
export type Load = { goods: DangerousGoods | null; units: readonly Unit[] }

/** The parcels of a booking by shipment, in their order. */
export function loadsOf(parcels: readonly ConsignmentParcel[], most: number): Load[] {
  const units = parcels.flatMap((parcel, row) =>
    Array.from({ length: parcel.quantity }, (_, unit) => ({ parcel, reference: `${row + 1}.${unit + 1}` })),
  )
  const entries = Map.groupBy(units, ({ parcel }) => entryOfGoods(parcel.dangerousGoods))
  return [...entries.values()].flatMap((alike) =>
    Array.from({ length: Math.ceil(alike.length / most) }, (_, part) => ({
      goods: alike[0]!.parcel.dangerousGoods,
      units: alike.slice(part * most, (part + 1) * most),
    })),
  )
}

/** The row of a unit by its reference, from 0; null when it is none of ours. */
export function rowOf(reference: string): number | null {
  const row = /^(\d{1,5})\.\d{1,5}$/.exec(reference)?.[1]
  return row === undefined ? null : Number(row) - 1
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
