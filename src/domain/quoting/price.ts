import type { Account, ByZone, PriceRules, Service } from '../account/account.ts'
import {
  findZone,
  type RateCard,
  type Surcharge,
  type SurchargeWhen,
  type WeightStep,
} from '../account/rate-card.ts'
import type { CarrierRate } from './carrier-rate.ts'
import { chargeableUg, deadUg, UG_PER_KG } from './chargeable-weight.ts'
import type { PriceLine } from './decision.ts'
import type { Facts } from './facts.ts'
import type { Job } from './job.ts'

/** The lines sum to `priceCents`. `carrierCents`: what the carrier charges, before markup and fixed prices. Whole cents, GST included. */
export type Price = { priceCents: number; lines: PriceLine[]; gstIncludedCents: number; carrierCents: number }

/**
 * The price of `service` for `job` on this account: the carrier's own price, otherwise its rate card, with
 * the markup; or the type's fixed price. Null: there is no price.
 */
export function computePrice(
  pricing: Account['pricing'],
  service: Service,
  job: Job,
  facts: Facts,
  rate: CarrierRate | null = null,
): Price | null {
  const fixedCents = pricing.fixedCents[service.type]
  const chargedLines = rate?.lines ?? ownLines(service, job, facts)
  if (!chargedLines) return null
  const lines =
    fixedCents === undefined
      ? withMarkup(pricing.markupPercent, chargedLines)
      : [{ name: 'fixed_price' as const, cents: fixedCents, detail: `for ${service.type} deliveries` }]
  const priceCents = sum(lines)
  return { priceCents, lines, gstIncludedCents: gstIncludedIn(priceCents), carrierCents: sum(chargedLines) }
}

/** The customer's price if the carrier's own price is known only from its charge. */
export function priceFromCharge(
  chargeCents: number,
  markupPercent: number,
): Pick<Price, 'priceCents' | 'lines'> {
  const lines = withMarkup(markupPercent, [{ name: 'carrier_price', cents: chargeCents, detail: null }])
  return { priceCents: sum(lines), lines }
}

function ownLines({ price, rateCard }: Service, job: Job, facts: Facts): readonly PriceLine[] | null {
  if (rateCard) return cardLines(rateCard, job, facts)
  return price && priceLines(price, job, facts)
}

/** Each line is rounded half up once; zero lines are left out, except the base. */
type PriceRule = (price: PriceRules, job: Job, facts: Facts, before: readonly PriceLine[]) => PriceLine | null

/** The order is the invoice's. Fuel is a percentage of the lines before it. */
const PRICE_RULES: readonly PriceRule[] = [base, distance, weight, fuel, residential, dangerousGoods]

function priceLines(price: PriceRules, job: Job, facts: Facts): PriceLine[] {
  const lines: PriceLine[] = []
  for (const rule of PRICE_RULES) {
    const line = rule(price, job, facts, lines)
    const isBase = lines.length === 0
    if (line && (isBase || line.cents !== 0)) lines.push(line)
  }
  return lines
}

function base(price: PriceRules, _job: Job, facts: Facts): PriceLine {
  return 'cents' in price.base
    ? { name: 'base', cents: price.base.cents, detail: null }
    : { name: 'zone', cents: price.base.byZone[facts.rateZone], detail: facts.rateZone }
}

function distance(price: PriceRules, _job: Job, { km }: Facts): PriceLine | null {
  if (!price.distance) return null
  const { includedKm, centsPerKm } = price.distance
  const overKm = km - includedKm
  if (overKm <= 0) return null
  const cents = proRata(Math.round(overKm * UM_PER_KM), UM_PER_KM, centsPerKm)
  return { name: 'distance', cents, detail: `${shown(km)} km, ${includedKm} km included, ${centsPerKm} c/km` }
}

function weight(price: PriceRules, job: Job, { rateZone }: Facts): PriceLine | null {
  if (!price.weight) return null
  const { includedKg } = price.weight
  const centsPerKg = inZone(price.weight.centsPerKg, rateZone)
  const chargeable = chargeableUg(job.parcels, price.cubicKgPerM3)
  const overUg = chargeable - Math.round(includedKg * UG_PER_KG)
  if (overUg <= 0) return null
  const cents = proRata(overUg, UG_PER_KG, centsPerKg)
  const detail = `${shown(chargeable / UG_PER_KG)} kg chargeable, ${includedKg} kg included, ${centsPerKg} c/kg`
  return { name: 'weight', cents, detail }
}

function fuel(price: PriceRules, _job: Job, _facts: Facts, before: readonly PriceLine[]): PriceLine | null {
  const cents = proRata(sum(before), 100, price.fuelPercent)
  return { name: 'fuel', cents, detail: `${price.fuelPercent}%` }
}

function residential(price: PriceRules, job: Job): PriceLine | null {
  if (!job.destination.residential) return null
  return { name: 'residential', cents: price.residentialCents, detail: null }
}

function dangerousGoods(price: PriceRules, _job: Job, facts: Facts): PriceLine | null {
  if (!facts.dangerousGoods) return null
  return { name: 'dangerous_goods', cents: price.dangerousGoodsCents, detail: 'for the consignment' }
}

function withMarkup(percent: number, lines: readonly PriceLine[]): PriceLine[] {
  if (percent === 0) return [...lines]
  return [...lines, { name: 'markup', cents: proRata(sum(lines), 100, percent), detail: `${percent}%` }]
}

/** Australian GST adds a tenth, so it is an eleventh of the total. */
function gstIncludedIn(priceCents: number): number {
  return Math.floor((2 * priceCents + 11) / 22)
}

function sum(lines: readonly PriceLine[]): number {
  let cents = 0
  for (const line of lines) cents += line.cents
  return cents
}

function inZone(rate: number | ByZone, zone: Facts['rateZone']): number {
  return typeof rate === 'number' ? rate : rate[zone]
}

/** At most three decimals, for people. */
function shown(measure: number): number {
  return Math.round(measure * 1000) / 1000
}

/** Distances are charged by the micrometre, so that rounding errors of floats are not charged. */
const UM_PER_KM = 1e9

/** The step of a weight; beyond the last step, the last one if it has a price per further kilogram. */
export function findWeightStep(card: RateCard, zone: string, ug: number): WeightStep | null {
  const steps = card.steps.get(zone) ?? []
  const last = steps.at(-1)
  const open = last && last.centsPerExtraKg !== null ? last : null
  return steps.find(({ upToKg }) => ug <= Math.round(upToKg * UG_PER_KG)) ?? open
}

/** The job's price by the card, as lines. Null: no zone or no step covers it. */
export function cardLines(card: RateCard, job: Job, facts: Facts): PriceLine[] | null {
  const zone = findZone(card, job.destination.postCode)
  const ug = chargeableUg(job.parcels, card.cubicKgPerM3)
  const step = zone === null ? null : findWeightStep(card, zone, ug)
  if (zone === null || !step) return null

  const lines: PriceLine[] = [
    { name: 'zone', cents: step.cents, detail: `${zone}, up to ${step.upToKg} kg` },
    ...extraLine(step, ug),
  ]
  for (const surcharge of card.surcharges) {
    const times = countSurcharges(surcharge, job, facts)
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

function countSurcharges({ when }: Surcharge, job: Job, facts: Facts): number {
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

/**
 * `units / unitsPerRate * rate`, rounded half up once to a whole number. Exact: units are an integer, the
 * rate has up to six decimals, and no intermediate value is a float (0.9 kg at 45 c is 40.5 c, so 41; floats
 * give 40).
 */
export function proRata(units: number, unitsPerRate: number, rate: number): number {
  if (units % THOUSAND === 0 && unitsPerRate % THOUSAND === 0 && unitsPerRate > 0) {
    return proRata(units / THOUSAND, unitsPerRate / THOUSAND, rate)
  }
  const rateMillionths = Math.round(rate * MILLION)
  const share = 2 * units * rateMillionths
  const whole = unitsPerRate * MILLION
  // Below 2^53 a quotient of whole numbers never rounds up to the next one; beyond that, floats lose units.
  if (isExact(share) && isExact(share + whole) && isExact(2 * whole))
    return Math.floor((share + whole) / (2 * whole))
  return exactly(units, unitsPerRate, rateMillionths)
}

const isExact = Number.isSafeInteger
const THOUSAND = 1_000
const MILLION = 1_000_000

function exactly(units: number, unitsPerRate: number, rateMillionths: number): number {
  const whole = BigInt(unitsPerRate) * BigInt(MILLION)
  return Number(floorDivide(2n * BigInt(units) * BigInt(rateMillionths) + whole, 2n * whole))
}

function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor
  return dividend % divisor < 0n ? quotient - 1n : quotient
}
