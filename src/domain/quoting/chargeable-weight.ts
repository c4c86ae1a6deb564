import type { Service } from '../account/account.ts'
import { distanceKm } from '../geo/distance.ts'
import type { PriceLine } from './decision.ts'
import { getJourney, type Job, type JobParcel } from './job.ts'

/** Cubic weight (volumetric weight): weights are summed as whole micrograms. At 250 kg/m³ a cubic millimetre is 250 of them, exactly. */
export const UG_PER_KG = 1e9

/** Dead weight of one unit, in micrograms. */
export function deadUg(parcel: Pick<JobParcel, 'weightKg'>): number {
  return Math.round(parcel.weightKg * UG_PER_KG)
}

/** Volume of one unit, in cubic millimetres, rounded. */
export function volumeMm3({ lengthCm, widthCm, heightCm }: Measures): number {
  return Math.round(lengthCm * widthCm * heightCm * 1000)
}

/**
 * The chargeable weight in micrograms: the greater of dead and cubic weight of every parcel, summed over the
 * consignment. With a null factor, only dead weight counts.
 */
export function chargeableUg(parcels: readonly Measured[], cubicKgPerM3: number | null): number {
  let total = 0
  for (const parcel of parcels) {
    const cubic = cubicKgPerM3 === null ? 0 : cubicUg(parcel, cubicKgPerM3)
    total += Math.max(deadUg(parcel), cubic) * parcel.quantity
  }
  return total
}

function cubicUg({ lengthCm, widthCm, heightCm }: Measures, cubicKgPerM3: number): number {
  return Math.round(lengthCm * widthCm * heightCm * 1000 * cubicKgPerM3)
}

type Measures = Pick<JobParcel, 'lengthCm' | 'widthCm' | 'heightCm'>
export type Measured = Measures & Pick<JobParcel, 'weightKg' | 'quantity'>

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
  const { from, to } = getJourney(journey)
  return {
    weightKg: weighs && shown(chargeableUg(parcels, weighs.cubicKgPerM3) / UG_PER_KG),
    km: !rateCard && price?.distance ? shown(distanceKm(from, to)) : null,
  }
}

function shown(measure: number): number {
  return Math.round(measure * 1000) / 1000
}
