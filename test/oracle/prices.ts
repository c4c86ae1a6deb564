import type { JobParcel } from '../../src/domain/quoting/job.ts'
import type { RateZone } from '../../src/domain/values.ts'
import type { OracleService } from './services.ts'

export type OraclePrice = {
  base: number
  distance: number
  weight: number
  fuel: number
  residential: number
  dangerous_goods: number
}

/** Every line in cents, incl. GST. Weights are whole milligrams here, so that only the distance is a float. */
export function pricesOf(
  service: OracleService,
  to: { rateZone: RateZone; km: number; residential: boolean },
  parcels: readonly JobParcel[],
): OraclePrice {
  const base = service.baseCents[to.rateZone]
  const distance = service.km
    ? Math.floor(Math.max(0, to.km - service.km.included) * service.km.cents + 0.5)
    : 0
  const weight = weightCents(service, to.rateZone, parcels)
  return {
    base,
    distance,
    weight,
    fuel: halfUp((base + distance + weight) * service.fuelPermille, 1000),
    residential: to.residential ? service.residentialCents : 0,
    dangerous_goods: parcels.some((parcel) => parcel.dangerousGoods) ? service.dangerousGoodsCents : 0,
  }
}

/** One eleventh. */
export function gstIn(cents: number): number {
  return halfUp(cents, 11)
}

function weightCents({ kg }: OracleService, rateZone: RateZone, parcels: readonly JobParcel[]): number {
  if (!kg) return 0
  const over = parcels.reduce((sum, parcel) => sum + chargeableMg(parcel), 0) - kg.included * 1_000_000
  return halfUp(Math.max(0, over) * kg.cents[rateZone], 1_000_000)
}

/** The greater of dead and cubic weight; 250 kg a cubic metre are 250 mg a cubic centimetre. */
function chargeableMg({ lengthCm, widthCm, heightCm, weightKg, quantity }: JobParcel): number {
  return Math.max(Math.round(weightKg * 1_000_000), lengthCm * widthCm * heightCm * 250) * quantity
}

function halfUp(numerator: number, denominator: number): number {
  return Math.floor((2 * numerator + denominator) / (2 * denominator))
}
