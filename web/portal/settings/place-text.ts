import { DAY_NAMES } from './week-grid.tsx'

/** Names for the fields that the forms call by other words than the document. */
const FIELD_WORDS: Readonly<Record<string, string>> = {
  ...DAY_NAMES,
  address2: 'unit, level or shop',
  base_cents: 'base price',
  cents_per_kg: 'price per extra kilogram',
  city: 'suburb',
  closures: 'closure',
  dangerous_goods_cents: 'dangerous goods surcharge',
  dangerous_goods_definitions: 'dangerous goods',
  email: 'e-mail',
  fuel_percent: 'fuel surcharge',
  markup_percent: 'markup',
  message_texts: 'messages',
  openid_connect: 'provider',
  openings: 'extra opening',
  post_code: 'postcode',
  residential_cents: 'residential surcharge',
  sign_in: 'log-in',
  sms: 'SMS',
  un_number: 'UN number',
  usual_boxes: 'boxes',
}

/** A field of the document as people call it: `stores[1].hours.mon` → `Fitzroy, hours, Monday:`. */
export function placeText(document: unknown, field: string): string {
  const words: string[] = []
  let at: unknown = document
  for (const step of field.split(/[.[\]]+/).filter(Boolean)) {
    at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[step] : undefined
    if (!/^\d+$/.test(step)) words.push(toWords(step, words.length === 0))
    else {
      const { name, reference, service } = (at ?? {}) as Record<string, unknown>
      words.splice(-1, 1, String(name ?? reference ?? service ?? `${words.at(-1)} ${Number(step) + 1}`))
    }
  }
  return words.length === 0 ? '' : `${words.join(', ')}:`
}

function toWords(step: string, isFirst: boolean): string {
  const words = Object.hasOwn(FIELD_WORDS, step) ? (FIELD_WORDS[step] as string) : step.replaceAll('_', ' ')
  return isFirst ? words.charAt(0).toUpperCase() + words.slice(1) : words
}
