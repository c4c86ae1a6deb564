import type { Service } from '../account/account.ts'
import { distanceKm } from '../geo/distance.ts'
import type { PriceLine } from './decision.ts'
import { chargeableUg, type Job, journeyOf, type Measured, UG_PER_KG } from './job.ts'

/** The measures that a price depends on, if it does: the chargeable weight and the distance, to three decimals. */
export type ChargedOn = { weightKg: number | null; km: number | null }

/** Null: the price is fixed or the carrier's own, and depends on no measure that we know. */
export function chargedOn(
  { price, rateCard }: Pick<Service, 'price' | 'rateCard'>,
  lines: readonly Pick<PriceLine, 'name'>[],
  parcels: readonly Measured[],
  journey: Pick<Job, 'mode' | 'store' | 'destination'>,
): ChargedOn | null {
  if (lines.some(({ name }) => name === 'fixed_price' || name === 'carrier_price')) return null
  const weighs = rateCard ?? (price?.weight ? price : null)
  const { from, to } = journeyOf(journey)
  return {
    weightKg: weighs && shown(chargeableUg(parcels, weighs.cubicKgPerM3) / UG_PER_KG),
    km: !rateCard && price?.distance ? shown(distanceKm(from, to)) : null,
  }
}

function shown(measure: number): number {
  return Math.round(measure * 1000) / 1000
}
