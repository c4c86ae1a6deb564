import { COVER } from './accounts.ts'
import type { Network, Product } from './products.ts'

/** The price of an item, in cents with GST; the parts sum to the total. */
export type ItemCost = { freightCents: number; handlingCents: number; coverCents: number; totalCents: number }

/** A shipment's price: the totals of its items and the surcharges. */
export type ShipmentCost = {
  fuelCents: number
  securityCents: number
  handlingCents: number
  totalCents: number
}

export type Measures = {
  weightKg: number
  lengthCm: number | null
  widthCm: number | null
  heightCm: number | null
}

const CUBIC_KG_PER_M3 = 250

/** Shares of the freight. Real ones change monthly. */
const FUEL: Readonly<Record<Network, number>> = { auspost: 0.055, startrack: 0.142 }
const SECURITY: Readonly<Record<Network, number>> = { auspost: 0, startrack: 0.02 }

/** A second item of a consignment costs less. */
const BUNDLED = 0.88
const HANDLING_CENTS = 760
/** An item with a side of this length or more is handled manually. */
const HANDLING_CM: Readonly<Record<Network, number>> = { auspost: 100, startrack: 120 }

/** Freight of a single item, without surcharges: the price that `prices/items` returns. */
export function freightCents(product: Product, measures: Measures, interstate: boolean): number {
  const first = interstate ? product.interstateCents : product.inStateCents
  if (product.flatRate) return first
  return (
    first +
    Math.max(0, Math.ceil(Math.max(measures.weightKg, cubicKg(measures))) - 1) * product.furtherKgCents
  )
}

export function bundledCents(freight: number): number {
  return Math.round(freight * BUNDLED)
}

/** `coverDollars` is the whole cover requested; the included part is free. */
export function itemCost(
  product: Product,
  measures: Measures,
  { interstate, first, coverDollars }: { interstate: boolean; first: boolean; coverDollars: number },
): ItemCost {
  const alone = freightCents(product, measures, interstate)
  const freight = first ? alone : bundledCents(alone)
  const sides = [measures.lengthCm, measures.widthCm, measures.heightCm]
  const handlingCents = sides.some((side) => (side ?? 0) > HANDLING_CM[product.network]) ? HANDLING_CENTS : 0
  const cover = coverCents(coverDollars)
  return {
    freightCents: freight,
    handlingCents,
    coverCents: cover,
    totalCents: freight + handlingCents + cover,
  }
}

export function coverCents(dollars: number): number {
  return Math.round(Math.max(0, dollars - COVER.includedDollars) * COVER.ratePercent)
}

export function shipmentCost(network: Network, items: readonly ItemCost[]): ShipmentCost {
  const sum = (part: keyof ItemCost) => items.reduce((total, item) => total + item[part], 0)
  const fuelCents = Math.round(sum('freightCents') * FUEL[network])
  const securityCents = Math.round(sum('freightCents') * SECURITY[network])
  return {
    fuelCents,
    securityCents,
    handlingCents: sum('handlingCents'),
    totalCents: sum('totalCents') + fuelCents + securityCents,
  }
}

export function gstCents(totalCents: number): number {
  return Math.round(totalCents / 11)
}

/** A total in the API's three fields, in dollars. */
export function totalWords(totalCents: number) {
  const gst = gstCents(totalCents)
  return {
    total_cost: dollars(totalCents),
    total_cost_ex_gst: dollars(totalCents - gst),
    total_gst: dollars(gst),
  }
}

export function dollars(cents: number): number {
  return cents / 100
}

/** 0 when an item has no dimensions. */
export function cubicKg({ lengthCm, widthCm, heightCm }: Measures): number {
  return (((lengthCm ?? 0) * (widthCm ?? 0) * (heightCm ?? 0)) / 1_000_000) * CUBIC_KG_PER_M3
}
