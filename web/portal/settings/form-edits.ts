import {
  type HoursByKey,
  isSameWeek,
  toRangesAsWritten,
  withDay,
} from '../../../src/domain/account/hours-by-day.ts'
import { getOurText, type TextPlace } from '../../../src/domain/messages/message-templates.ts'
import type { Weekday } from '../../../src/domain/values.ts'
import type { CarrierJson } from './carriers/carrier-queries.ts'
import { type Json, type Place, valueAt } from './edits.ts'
import { type Accepted, withAccepted } from './goods/accepted-goods.ts'
import type { Settings } from './settings.ts'

// What the forms write, apart from single fields. Each keeps what its form does not show.

type InUse = HoursByKey | undefined

/** The hours with different ranges on one day. Hours that mean the same as those in use are written as in use. */
export function changeDay(hours: HoursByKey, inUse: InUse, day: Weekday, ranges: readonly string[]) {
  const next = withDay(hours, day, ranges)
  return inUse && isSameWeek(next, inUse) ? inUse : next
}

export type Closure = { from: string; to?: string; reason?: string }
export type Opening = Closure & { hours: string | readonly string[] }

/** Closures or openings with one text changed; an empty optional text is removed. */
export function changeDays<T extends Closure>(
  list: readonly T[],
  index: number,
  key: keyof Closure,
  value: string,
): T[] {
  const { [key]: _, ...rest } = list[index] as T
  return list.with(index, (value === '' && key !== 'from' ? rest : { ...list[index], [key]: value }) as T)
}

/** The openings with different hours for one of them; one range is written as a text. Ranges as before stay as written. */
export function changeOpeningHours(
  openings: readonly Opening[],
  index: number,
  ranges: readonly string[],
): Opening[] {
  const before = openings[index] as Opening
  const hours = ranges.length === 1 ? (ranges[0] as string) : ranges
  const isSame = JSON.stringify(toRangesAsWritten(before.hours)) === JSON.stringify(ranges)
  return isSame ? [...openings] : openings.with(index, { ...before, hours })
}

/** The edit that limits a carrier to some stores; undefined: it collects from every store. */
export function limitToStores(
  carrier: Place,
  limits: Json | undefined,
  references: readonly string[] | undefined,
): { place: Place; value: unknown } {
  const { stores: _, ...others } = limits ?? {}
  const isEmpty = references === undefined && Object.keys(others).length === 0
  return { place: isEmpty ? [...carrier, 'limits'] : [...carrier, 'limits', 'stores'], value: references }
}

/** The limits that name a store, of carriers and of their services, with the stores that would be left. */
export function listLimitsToStore(carriers: readonly CarrierJson[], reference: string) {
  return carriers.flatMap(({ provider, name, services }) => {
    const carrier: Place = ['carriers', { key: 'provider', is: provider }]
    const parts = [
      carrier,
      ...services.map(({ service }) => [...carrier, 'services', { key: 'service', is: service }]),
    ]
    return parts.flatMap((part) => {
      const place = [...part, 'limits', 'stores']
      const stores = valueAt({ carriers }, place)
      if (!Array.isArray(stores) || !stores.includes(reference)) return []
      return [{ carrier: name, place, others: stores.filter((one) => one !== reference) }]
    })
  })
}

/** Where a service accepts one kind of restricted goods. `inherited`: what its carrier accepts. */
export function changeGoods(
  { document, inUse, set }: Settings,
  { place, inherited }: { place: Place; inherited: unknown },
  kind: string,
  accepted: Accepted,
): void {
  const at = [...place, 'limits', 'product_types']
  const before = valueAt(inUse, at)
  const next = withAccepted(valueAt(document, at) ?? inherited, kind, accepted, before ?? inherited)
  set(at, before === undefined && next === inherited ? undefined : next)
}

/** The merchant's own text of a message, in place of ours. Our own text is written only if it was written before. */
export function changeText({ inUse, set }: Settings, language: string, place: TextPlace, text: string): void {
  const at = toTextPlace(language, place)
  const isOurs = language === 'en' && text === getOurText(place) && valueAt(inUse, at) !== text
  set(at, isOurs ? undefined : text)
}

export function toTextPlace(language: string, { channel, name, part }: TextPlace): Place {
  return ['message_texts', language, channel, name, ...(part === null ? [] : [part])]
}

/**
 * Whether a price has one amount per extra kilogram, not one for each zone. It has one while its field is empty, or has
 * text that is not an amount, so that the person can type it again.
 */
export function hasOnePricePerKg([document, inUse]: readonly [Json, Json], price: Place): boolean {
  const weight = [...price, 'weight']
  if (valueAt(document, weight) === undefined && valueAt(inUse, weight) === undefined) return false
  return typeof valueAt(document, [...weight, 'cents_per_kg']) !== 'object'
}

/** An amount in cents as people type it: `8.90`. Cents can have fractions, per kilogram. */
export function toDollars(cents: number): string {
  if (Number.isInteger(cents)) return (cents / 100).toFixed(2)
  return String(Number((cents / 100).toPrecision(12)))
}

export function toCents(dollars: string): number {
  return Number((Number(dollars) * 100).toPrecision(12))
}
