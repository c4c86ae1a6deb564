import type { Service } from '../account/account.ts'
import { distanceKm, getRateZone } from '../geo/distance.ts'
import { HIGH_VALUE_CENTS, type RateZone } from '../values.ts'
import { deadUg, volumeMm3 } from './chargeable-weight.ts'
import type { ExclusionRule } from './decision.ts'
import { getJourney, type Job } from './job.ts'

/** Values that every service needs of a job, calculated once. Maxima are of one unit. */
export type Facts = {
  km: number
  rateZone: RateZone
  units: number
  totalUg: number
  heaviestUg: number
  longestCm: number
  largestMm3: number
  dangerousGoods: boolean
  highValue: boolean
}

export function toFacts(job: Job): Facts {
  const { from, to } = getJourney(job)
  const facts: Facts = {
    km: distanceKm(from, to),
    rateZone: getRateZone(from, to),
    units: 0,
    totalUg: 0,
    heaviestUg: 0,
    longestCm: 0,
    largestMm3: 0,
    dangerousGoods: false,
    highValue: job.productTypes.has('high_value') || (job.declaredValueCents ?? 0) > HIGH_VALUE_CENTS,
  }
  for (const parcel of job.parcels) {
    const ug = deadUg(parcel)
    facts.units += parcel.quantity
    facts.totalUg += ug * parcel.quantity
    facts.heaviestUg = Math.max(facts.heaviestUg, ug)
    facts.longestCm = Math.max(facts.longestCm, parcel.lengthCm, parcel.widthCm, parcel.heightCm)
    facts.largestMm3 = Math.max(facts.largestMm3, volumeMm3(parcel))
    facts.dangerousGoods ||= parcel.dangerousGoods !== null
  }
  return facts
}

/** One named reason to exclude a service. `explain` is called only for a job that the rule excludes. */
export type Rule = {
  name: ExclusionRule
  refuses(service: Service, job: Job, facts: Facts): boolean
  explain(service: Service, job: Job, facts: Facts): string
}
