import type { Path } from '../document/schema-at.ts'
import { entries, field, numberField, textField } from './loose.ts'
import type { AccountMistake, MistakesInSteps } from './mistake.ts'

/** Rates that one step checks, in 0.3 ms. */
const RATES_OF_STEP = 500

/**
 * Checks the entries of a rate card against each other. Reads cards of any shape; `above` is the path of the
 * card.
 */
export function rateCardMistakes(card: unknown, above: Path): AccountMistake[] {
  return [...rateCardMistakesInSteps(card, above)].filter((one) => one !== undefined)
}

export function* rateCardMistakesInSteps(card: unknown, above: Path): MistakesInSteps {
  const zones = listZones(card)
  yield* overlaps(zones, above)
  const names = new Set(zones.map(({ zone }) => zone))
  const priced = new Set<string>()
  const seen = new Set<string>()
  const rates = field(card, 'rates')
  for (const [index, value] of Array.isArray(rates) ? rates.entries() : []) {
    if (index % RATES_OF_STEP === 0) yield
    const zone = textField(value, 'zone')
    if (zone === undefined) continue
    if (!names.has(zone)) {
      yield conflict(
        [...above, 'rates', index, 'zone'],
        `"${zone}" is not one of the zones`,
        'write one of the zones, or add this zone',
      )
    }
    const step = `${zone} ${numberField(value, 'up_to_kg')}`
    if (seen.has(step))
      yield conflict(
        [...above, 'rates', index, 'up_to_kg'],
        `the zone "${zone}" already has a step up to this weight`,
        'remove one of the two steps',
      )
    seen.add(step)
    priced.add(zone)
  }
  for (const zone of names) {
    if (!priced.has(zone))
      yield conflict([...above, 'zones', zone], `the zone "${zone}" has no rate`, 'add a rate for this zone')
  }
  for (const { value, path } of entries(card, 'surcharges', above)) {
    const costs = (numberField(value, 'cents') ?? 0) + (numberField(value, 'percent') ?? 0)
    if (costs === 0) yield conflict(path, 'this surcharge adds nothing', 'write an amount or a percentage')
    const conditions = ['when', 'over_kg', 'over_cm'].filter((name) => field(value, name) !== undefined)
    if (conditions.filter((name) => name !== 'when' || textField(value, 'when') !== 'always').length > 1) {
      yield conflict(
        path,
        'this surcharge has two conditions',
        'keep one condition, and add a second surcharge for the other condition',
      )
    }
  }
}

/** First and last postcode of a code such as `3000-3207`, or `3220`. */
export function toRange(code: string): { from: number; to: number } {
  const [from = '', to = from] = code.split('-')
  return { from: Number(from), to: Number(to) }
}

type Range = { zone: string; from: number; to: number; index: number }

function listZones(card: unknown): Range[] {
  const zones = field(card, 'zones')
  if (typeof zones !== 'object' || zones === null) return []
  return Object.entries(zones).flatMap(([zone, codes]) =>
    Array.isArray(codes)
      ? codes.flatMap((code, index) =>
          typeof code === 'string' && /^[0-9]{4}(-[0-9]{4})?$/.test(code)
            ? [{ zone, index, ...toRange(code) }]
            : [],
        )
      : [],
  )
}

function* overlaps(ranges: readonly Range[], above: Path): Generator<AccountMistake> {
  const sorted = [...ranges].sort((one, other) => one.from - other.from)
  for (const [at, { zone, from, to, index }] of sorted.entries()) {
    const path = [...above, 'zones', zone, index]
    if (to < from) yield conflict(path, 'this range ends before it begins', 'write the lower postcode first')
    const before = sorted[at - 1]
    if (before && from <= before.to) {
      const shared = String(from).padStart(4, '0')
      yield conflict(
        path,
        `the postcode ${shared} is already in the zone "${before.zone}"`,
        'put each postcode in one zone only',
      )
    }
  }
}

function conflict(path: Path, wrong: string, remedy: string): AccountMistake {
  return { path, kind: 'conflict', wrong, remedy }
}
