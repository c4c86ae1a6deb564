import type { Wrong } from './errors.ts'
import type { Item } from './read-consignment.ts'

/** Made up: each customer has its own price list. Without GST. */
export const SATCHEL_CENTS: Readonly<Record<string, number>> = {
  '300gm': 560,
  A5: 640,
  A4: 790,
  A3: 980,
  A2: 1_240,
}
const PARCEL_CENTS = 890
const KILO_CENTS = 120
const CUBIC_KG_PER_M3 = 250
const MAX_DEAD_KG = 25
const MAX_CUBIC_KG = 40

/** The price of one of an item, without GST; or why it is not carried. */
export function priceOf({ packageType, satchelSize = '', weightDead = 0, ...size }: Item): number | Wrong {
  if (packageType === 'S') return SATCHEL_CENTS[satchelSize] ?? 0
  const { length = 0, width = 0, height = 0 } = size
  const cubicKg = ((length * width * height) / 1_000_000) * CUBIC_KG_PER_M3
  if (weightDead > MAX_DEAD_KG) return { code: 'PRI_WGT_MX_KG' }
  if (cubicKg > MAX_CUBIC_KG) return { code: 'PRI_WGT_MX_CM' }
  return PARCEL_CENTS + Math.ceil(Math.max(weightDead, cubicKg)) * KILO_CENTS
}

/** Cents without GST in their form: dollars, with the tax separate. */
export function moneyOf(cents: number): { price: number; tax: number; total: number } {
  const tax = Math.round(cents / 10)
  return { price: cents / 100, tax: tax / 100, total: (cents + tax) / 100 }
}
