import { formatDollars } from '../text/format-dollars.ts'
import { isSame } from './differences.ts'
import type { PlanLine } from './plan.ts'

type Change = PlanLine['changes'][number]
type Rate = { zone: string; up_to_kg: number; cents: number; cents_per_extra_kg?: number }
type RateCard = { zones?: Readonly<Record<string, readonly string[]>>; rates?: readonly Rate[] }

/** Prices named one by one; a new list of a courier may change hundreds. */
const MAX_NAMED = 5

/** What changes in the prices of a service, for its owner; null: the field is not of its price or price list. */
export function toPriceSentences(subject: string, { field, from, to }: Change): string[] | null {
  if (field === 'price') {
    if (to === undefined) return [`${subject} no longer has the price that you typed in.`]
    return from === undefined ? [`${subject} has a price of its own: ${priceText(to as Price)}.`] : null
  }
  if (field === 'rate_card') {
    if (to === undefined) return [`${subject} no longer has a price list.`]
    return from === undefined ? [`${subject} has a price list ${sizeText(to as RateCard)}.`] : null
  }
  if (field === 'rate_card.rates') return rateSentences(subject, listOf<Rate>(from), listOf<Rate>(to))
  if (field === 'rate_card.surcharges') {
    return surchargeSentences(subject, listOf<Surcharge>(from), listOf<Surcharge>(to))
  }
  const [, zone] = /^rate_card\.zones\.(.+)$/.exec(field) ?? []
  if (zone !== undefined) return [zoneSentence(subject, zone, from, to)]
  return null
}

/** One amount, or one for each zone. */
type Amount = number | Readonly<Record<string, number>>

type Price = {
  base_cents?: Amount
  distance?: { included_km?: number; cents_per_km?: number }
  weight?: { included_kg?: number; cents_per_kg?: Amount }
  fuel_percent?: number
}

function priceText({ base_cents = 0, distance, weight, fuel_percent }: Price): string {
  const beyond = (unit: string, included = 0) => (included > 0 ? ` after the first ${included} ${unit}` : '')
  return [
    amountText(base_cents),
    distance?.cents_per_km &&
      `${formatDollars(distance.cents_per_km)} a kilometre${beyond('km', distance.included_km)}`,
    weight?.cents_per_kg &&
      `${amountText(weight.cents_per_kg)} a kilogram${beyond('kg', weight.included_kg)}`,
    fuel_percent && `${fuel_percent}% for fuel`,
  ]
    .filter(Boolean)
    .join(', plus ')
}

/** `$7.90`, or `$7.90 to $19.50 by zone`. */
function amountText(cents: Amount): string {
  const amounts = typeof cents === 'number' ? [cents] : Object.values(cents)
  const [low, high] = [Math.min(...amounts), Math.max(...amounts)]
  return low === high ? formatDollars(low) : `${formatDollars(low)} to ${formatDollars(high)} by zone`
}

function sizeText({ zones = {}, rates = [] }: RateCard): string {
  const count = Object.keys(zones).length
  const prices = `${rates.length} ${rates.length === 1 ? 'price' : 'prices'}`
  return `with ${prices} in ${count} ${count === 1 ? 'zone' : 'zones'}`
}

function rateSentences(subject: string, before: readonly Rate[], after: readonly Rate[]): string[] {
  const [old, now] = [before, after].map((rates) => new Map(rates.map((rate) => [stepText(rate), rate])))
  const changed = [...(now as Map<string, Rate>)].flatMap(([step, rate]) => {
    const was = old?.get(step)
    return was && !isSame(was, rate) ? [{ step, was, rate }] : []
  })
  const added = [...(now as Map<string, Rate>).keys()].filter((step) => !old?.has(step))
  const removed = [...(old as Map<string, Rate>).keys()].filter((step) => !now?.has(step))
  return [
    ...counted(
      changed,
      ({ step, was, rate }) =>
        was.cents === rate.cents
          ? `${subject}: the price of each kilogram over ${rate.up_to_kg} kg for ${rate.zone} changes from ${extraText(was)} to ${extraText(rate)}.`
          : `${subject}: the price ${step} changes from ${formatDollars(was.cents)} to ${formatDollars(rate.cents)}.`,
      (more) => `${subject}: ${more} other prices change.`,
    ),
    ...counted(
      removed,
      (step) => `${subject} no longer has a price ${step}.`,
      (more) => `${subject} no longer has ${more} other prices.`,
    ),
    ...counted(
      added,
      (step) => `${subject} has a new price ${step}: ${formatDollars(now?.get(step)?.cents ?? 0)}.`,
      (more) => `${subject} has ${more} other new prices.`,
    ),
  ]
}

const stepText = ({ zone, up_to_kg }: Rate): string => `for ${zone} up to ${up_to_kg} kg`

const extraText = ({ cents_per_extra_kg }: Rate): string =>
  cents_per_extra_kg === undefined ? 'no price' : formatDollars(cents_per_extra_kg)

/** A sentence for each of the first, and one for all others. */
function counted<T>(
  all: readonly T[],
  sentence: (one: T) => string,
  others: (more: number) => string,
): string[] {
  // One sentence more is as short as the sentence that would stand for it.
  const named = all.length <= MAX_NAMED + 1 ? all : all.slice(0, MAX_NAMED)
  const more = all.length - named.length
  return [...named.map(sentence), ...(more > 0 ? [others(more)] : [])]
}

function zoneSentence(subject: string, zone: string, from: unknown, to: unknown): string {
  const [before, after] = [listOf<string>(from), listOf<string>(to)]
  if (after.length === 0) return `${subject} no longer has the zone “${zone}”.`
  if (before.length === 0) return `${subject} has a new zone “${zone}” for ${postCodesText(after)}.`
  return `${subject}: zone “${zone}” now covers ${postCodesText(after)} instead of ${postCodesText(before)}.`
}

function postCodesText(codes: readonly string[]): string {
  if (codes.length > MAX_NAMED) return `${codes.length} postcodes and ranges`
  const words = codes.map((code) => code.replace('-', '–')).join(', ')
  return `${codes.length === 1 && !words.includes('–') ? 'postcode' : 'postcodes'} ${words}`
}

type Surcharge = { name: string }

function surchargeSentences(
  subject: string,
  before: readonly Surcharge[],
  after: readonly Surcharge[],
): string[] {
  const find = (list: readonly Surcharge[], name: string) => list.filter((one) => one.name === name)
  const names = [...new Set([...before, ...after].map(({ name }) => name))]
  return names.flatMap((name) => {
    const [old, now] = [find(before, name), find(after, name)]
    if (isSame(old, now)) return []
    if (now.length === 0) return [`${subject} no longer has the surcharge “${name}”.`]
    return [
      old.length === 0
        ? `${subject} has a new surcharge “${name}”.`
        : `${subject}: the surcharge “${name}” changes.`,
    ]
  })
}

function listOf<T>(value: unknown): readonly T[] {
  return Array.isArray(value) ? (value as T[]) : []
}
