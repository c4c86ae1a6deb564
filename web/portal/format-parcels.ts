import type { Delivery } from '../shared/api.generated.ts'
import { count } from '../shared/count.ts'
import { formatList } from '../shared/format-list.ts'

type Parcels = Delivery['parcels']

/** `2 cartons`, or `3 parcels` for different kinds. */
export function formatParcelCount(parcels: Parcels): string {
  const kinds = new Set(parcels.map(({ type }) => type ?? 'carton'))
  const [kind] = kinds
  const word = kinds.size === 1 && kind ? kind.replaceAll('_', ' ') : 'parcel'
  return count(unitsOf(parcels), word, word.endsWith('x') ? `${word}es` : `${word}s`)
}

export function unitsOf(parcels: Parcels): number {
  return parcels.reduce((sum, { quantity }) => sum + quantity, 0)
}

export function hasDangerousGoods({ parcels }: Pick<Delivery, 'parcels'>): boolean {
  return parcels.some((parcel) => parcel.contains_dangerous_goods === true)
}

/** The parcels that the courier left at pickup: `P2 and 1 of the 3 P1 parcels`. */
export function formatLeftBehind({
  left_behind = [],
  parcels,
}: Pick<Delivery, 'left_behind' | 'parcels'>): string {
  return formatList(
    left_behind.map(({ reference, quantity }) => {
      const all = parcels.find((one) => one.reference === reference)?.quantity ?? quantity
      return quantity === all ? reference : `${quantity} of the ${all} ${reference} parcels`
    }),
  )
}
