import type { Account, ByZone, PriceRules, Service } from '../account/account.ts'
import type { CarrierRate } from './carrier-rate.ts'
import type { PriceLine } from './decision.ts'
import type { Facts } from './facts.ts'
import type { Job } from './job.ts'
import { proRata } from './pro-rata.ts'
import { cardLines } from './rate-card.ts'
import { chargeableUg, UG_PER_KG } from './weight.ts'

/** The lines sum to `priceCents`. `carrierCents`: what the carrier charges, before markup and fixed prices. Whole cents, GST included. */
export type Price = { priceCents: number; lines: PriceLine[]; gstIncludedCents: number; carrierCents: number }

/**
 * The price of `service` for `job` on this account: the carrier's own price, otherwise its rate card, with
 * the markup; or the type's fixed price. Null: there is no price.
 */
export function priceOf(
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
      : [{ name: 'fixed_price' as const, cents: fixedCents, detail: `fixed for ${service.type}` }]
  const priceCents = sum(lines)
  return { priceCents, lines, gstIncludedCents: gstIncludedIn(priceCents), carrierCents: sum(chargedLines) }
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
  return { name: 'fuel', cents, detail: `${price.fuelPercent} %` }
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
  return [...lines, { name: 'markup', cents: proRata(sum(lines), 100, percent), detail: `${percent} %` }]
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
