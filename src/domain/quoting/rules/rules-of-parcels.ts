import type { Limits } from '../../account/account.ts'
import { deadUg, UG_PER_KG, volumeMm3 } from '../chargeable-weight.ts'
import type { Rule } from '../facts.ts'
import type { Job, JobParcel } from '../job.ts'

/** Rules about the parcels: type, number, weight and size. Limits are on dead weight. */
export const parcelRules: readonly Rule[] = [
  {
    name: 'parcel_type',
    refuses: ({ limits }, job) => job.parcels.some((parcel) => refusesType(limits, parcel)),
    explain: ({ service, limits }, job) => {
      const parcel = offender(job, (one) => refusesType(limits, one))
      const taken = limits.parcelTypes
        ? ` takes ${[...limits.parcelTypes].join(', ')} only`
        : ' does not take that'
      return `Parcel ${parcel.reference} is a ${parcel.type}; ${service}${taken}.`
    },
  },
  {
    name: 'parcel_count',
    refuses: ({ limits }, _job, { units }) => limits.maxParcels !== null && units > limits.maxParcels,
    explain: ({ service, limits }, _job, { units }) =>
      `There are ${units} parcels; ${service} takes at most ${limits.maxParcels}.`,
  },
  {
    name: 'parcel_weight',
    refuses: ({ limits }, _job, { heaviestUg }) => overKg(heaviestUg, limits.maxParcelKg),
    explain: ({ service, limits }, job, { heaviestUg }) => {
      const parcel = offender(job, (one) => deadUg(one) === heaviestUg)
      return `Parcel ${parcel.reference} weighs ${parcel.weightKg} kg; ${service} takes at most ${limits.maxParcelKg} kg a parcel.`
    },
  },
  {
    name: 'total_weight',
    refuses: ({ limits }, _job, { totalUg }) => overKg(totalUg, limits.maxTotalKg),
    explain: ({ service, limits }, _job, { totalUg }) =>
      `The parcels weigh ${totalUg / UG_PER_KG} kg; ${service} takes at most ${limits.maxTotalKg} kg in all.`,
  },
  {
    name: 'parcel_side',
    refuses: ({ limits }, _job, { longestCm }) => limits.maxSideCm !== null && longestCm > limits.maxSideCm,
    explain: ({ service, limits }, job, { longestCm }) => {
      const parcel = offender(job, ({ lengthCm, widthCm, heightCm }) =>
        [lengthCm, widthCm, heightCm].includes(longestCm),
      )
      return `Parcel ${parcel.reference} is ${longestCm} cm long; ${service} takes at most ${limits.maxSideCm} cm a side.`
    },
  },
  {
    name: 'parcel_volume',
    refuses: ({ limits }, _job, { largestMm3 }) =>
      limits.maxParcelM3 !== null && largestMm3 > Math.round(limits.maxParcelM3 * MM3_PER_M3),
    explain: ({ service, limits }, job, { largestMm3 }) => {
      const parcel = offender(job, (one) => volumeMm3(one) === largestMm3)
      return `Parcel ${parcel.reference} has ${largestMm3 / MM3_PER_M3} m³; ${service} takes at most ${limits.maxParcelM3} m³ a parcel.`
    },
  },
]

const MM3_PER_M3 = 1e9

function refusesType({ parcelTypes, refusedParcelTypes }: Limits, { type }: JobParcel): boolean {
  return refusedParcelTypes.has(type) || (parcelTypes !== null && !parcelTypes.has(type))
}

function overKg(ug: number, maxKg: number | null): boolean {
  return maxKg !== null && ug > Math.round(maxKg * UG_PER_KG)
}

function offender(job: Job, breaks: (parcel: JobParcel) => boolean): JobParcel {
  return job.parcels.find(breaks) as JobParcel
}
