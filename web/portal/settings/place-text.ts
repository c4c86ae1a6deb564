import { DAY_NAMES } from '../../../src/domain/account/day-names.ts'

/** Names for the fields that the forms call by other words than the document. */
const FIELD_WORDS: Readonly<Record<string, string>> = {
  ...DAY_NAMES,
  address2: 'unit, level or shop',
  base_cents: 'base price',
  cents_per_kg: 'price per extra kilogram',
  city: 'suburb',
  dangerous_goods_cents: 'dangerous goods surcharge',
  dangerous_goods_definitions: 'dangerous goods',
  email: 'email',
  fuel_percent: 'fuel surcharge',
  markup_percent: 'markup',
  message_texts: 'messages',
  openid_connect: 'provider',
  openings: 'extra opening hours',
  post_code: 'postcode',
  residential_cents: 'residential surcharge',
  sign_in: 'log-in',
  sms: 'SMS',
  spending_limit_cents_per_day: 'spending limit',
  un_number: 'UN number',
  usual_boxes: 'boxes',
}

/** An entry of a list that has no name. */
const ENTRY_WORDS: Readonly<Record<string, string>> = {
  'extra opening hours': 'extra opening',
  boxes: 'box',
  brands: 'brand',
  carriers: 'carrier',
  closures: 'closure',
  services: 'service',
  stores: 'store',
}

/** A field of the document as people call it: `stores[1].hours.mon` → `Fitzroy, hours, Monday:`. */
export function placeText(document: unknown, field: string): string {
  const words: string[] = []
  let at: unknown = document
  for (const step of field.split(/[.[\]]+/).filter(Boolean)) {
    at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[step] : undefined
    if (!/^\d+$/.test(step)) words.push(FIELD_WORDS[step] ?? step.replaceAll('_', ' '))
    else {
      const { name, reference, service } = (at ?? {}) as Record<string, unknown>
      const list = words.at(-1) ?? ''
      const entry = `${ENTRY_WORDS[list] ?? list} ${Number(step) + 1}`
      words.splice(-1, 1, String(name ?? reference ?? service ?? entry))
    }
  }
  const text = words.join(', ')
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}:`
}
