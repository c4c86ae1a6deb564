import type { PriceLine } from './decision.ts'
import type { Facts } from './facts.ts'
import type { Job } from './job.ts'
import { proRata } from './pro-rata.ts'
import { chargeableUg, deadUg, UG_PER_KG } from './weight.ts'

/** A courier's price list: zones of postcodes, weight steps, surcharges. Cents, GST included. */
export type RateCard = {
  /** By postcode, without overlaps. */
  zones: readonly { from: number; to: number; zone: string }[]
  /** Zone → its steps, lightest first. */
  steps: ReadonlyMap<string, readonly WeightStep[]>
  surcharges: readonly Surcharge[]
  /** kg per cubic metre; null: only dead weight is charged. */
  cubicKgPerM3: number | null
}

export type WeightStep = { upToKg: number; cents: number; centsPerExtraKg: number | null }

/** Once per consignment; per piece when it depends on a piece's weight or length. */
export type Surcharge = { name: string; when: SurchargeWhen; cents: number; percent: number }
export type SurchargeWhen =
  | { kind: 'always' | 'residential' | 'dangerous_goods' }
  | { kind: 'over_kg' | 'over_cm'; limit: number }

/** Null: the card has no zone there. */
export function zoneOf({ zones }: RateCard, postCode: string): string | null {
  const code = Number(postCode)
  let [low, high] = [0, zones.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const range = zones[middle] as RateCard['zones'][number]
    if (code < range.from) high = middle - 1
    else if (code > range.to) low = middle + 1
    else return range.zone
  }
  return null
}

/** The step of a weight; beyond the last step, the last one if it has a price per further kilogram. */
export function stepOf(card: RateCard, zone: string, ug: number): WeightStep | null {
  const steps = card.steps.get(zone) ?? []
  const last = steps.at(-1)
  const open = last && last.centsPerExtraKg !== null ? last : null
  return steps.find(({ upToKg }) => ug <= Math.round(upToKg * UG_PER_KG)) ?? open
}

/** The job's price by the card, as lines. Null: no zone or no step covers it. */
export function cardLines(card: RateCard, job: Job, facts: Facts): PriceLine[] | null {
  const zone = zoneOf(card, job.destination.postCode)
  const ug = chargeableUg(job.parcels, card.cubicKgPerM3)
  const step = zone === null ? null : stepOf(card, zone, ug)
  if (zone === null || !step) return null

  const lines: PriceLine[] = [
    { name: 'zone', cents: step.cents, detail: `${zone}, up to ${step.upToKg} kg` },
    ...extraLine(step, ug),
  ]
  for (const surcharge of card.surcharges) {
    const times = timesOf(surcharge, job, facts)
    if (times === 0) continue
    const before = lines.reduce((sum, { cents }) => sum + cents, 0)
    const cents = surcharge.cents * times + proRata(before, 100, surcharge.percent)
    const detail = times > 1 ? `${surcharge.name}, ${times} pieces` : surcharge.name
    lines.push({ name: 'surcharge', cents, detail })
  }
  return lines
}

function extraLine({ upToKg, centsPerExtraKg }: WeightStep, ug: number): PriceLine[] {
  const overUg = ug - Math.round(upToKg * UG_PER_KG)
  if (overUg <= 0 || centsPerExtraKg === null) return []
  const cents = proRata(overUg, UG_PER_KG, centsPerExtraKg)
  return [{ name: 'weight', cents, detail: `over ${upToKg} kg, ${centsPerExtraKg} c/kg` }]
}

function timesOf({ when }: Surcharge, job: Job, facts: Facts): number {
  switch (when.kind) {
    case 'always':
      return 1
    case 'residential':
      return job.destination.residential ? 1 : 0
    case 'dangerous_goods':
      return facts.dangerousGoods ? 1 : 0
    default:
      return job.parcels.reduce((sum, parcel) => sum + (isOver(when, parcel) ? parcel.quantity : 0), 0)
  }
}

function isOver(
  { kind, limit }: Extract<SurchargeWhen, { limit: number }>,
  parcel: Job['parcels'][number],
): boolean {
  if (kind === 'over_kg') return deadUg(parcel) > Math.round(limit * UG_PER_KG)
  return Math.max(parcel.lengthCm, parcel.widthCm, parcel.heightCm) > limit
}
