import { z } from 'zod'
import { NO_CONTROLS } from '../../../domain/text/controls.ts'

// Every pattern is anchored and unambiguous: it reads a megabyte in one pass, also one that does not match. Python's
// `re`, Go's RE2 and JavaScript read them alike: characters past Latin-1 stand in them as themselves (`\u2028` is unknown
// to RE2), there are no classes by name (`\p{…}`, `\s`, `\d`) and nothing looks ahead or behind. They are set as `pattern`,
// since `RegExp.source` would spell line separators as escapes again.
const CONTROLS = '\\x00-\\x1F\\x7F-\\x9F'
/** Line separators, and what turns the direction of a line. */
const LINE_BREAKERS = '\u2028-\u202E\u2066-\u2069'
/** Spaces that a line may hold: those of Unicode, and the byte order mark. */
const SPACES = ' \xA0\u1680\u2000-\u200A\u202F\u205F\u3000\uFEFF'
const IN_LINE = `[^${CONTROLS}${LINE_BREAKERS}]`
const INK = `[^${CONTROLS}${LINE_BREAKERS}${SPACES}]`
/** Of an e-mail address: neither spaces nor controls. */
const IN_ADDRESS = `${CONTROLS}\u2028\u2029${SPACES}@`

/** A name that others look up by: one line, no spaces around it. */
export function referenceText(max = 100) {
  return z
    .string()
    .min(1)
    .max(max)
    .meta({
      pattern: `^${INK}(?:${IN_LINE}*${INK})?$`,
      'x-rule': 'must be one line without control characters and without spaces around it',
    })
}

/** A number by which a carrier knows something, as its people read it out. */
export function carrierNumber() {
  return z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_./:-]{0,63}$/)
    .meta({ 'x-rule': 'must be the carrier’s number: letters, digits and _ . / : -, 64 at most' })
}

/** Words for people in one line. */
export function lineText(max: number) {
  return z
    .string()
    .min(1)
    .max(max)
    .meta({
      pattern: `^[${SPACES}]*${INK}${IN_LINE}*$`,
      'x-rule': 'must be one line of text without control characters',
    })
}

/** Words for people, line breaks allowed. May be empty. */
export function freeText(max: number) {
  return z
    .string()
    .max(max)
    .regex(NO_CONTROLS)
    .meta({ 'x-rule': 'may not contain control characters other than line breaks and tabs' })
}

/** ISO 8601; read with `parseTimestamp`, which the validator asks for this format. */
export const requestTime = z
  .string()
  .max(40)
  .meta({
    format: 'iso-8601',
    examples: ['2026-11-24T13:00:00+11:00'],
    'x-rule':
      'must be an ISO 8601 date and time that exists, e.g. 2026-11-24T13:00:00+11:00 (without an offset it is the store’s local time)',
  })

/** A local day; read with `parseDate`, which the validator asks for this format. */
export const dateText = z.string().meta({
  format: 'date',
  examples: ['2026-11-24'],
  'x-rule': 'must be a date that exists, e.g. 2026-11-24',
})

export const emailText = z
  .string()
  .max(254)
  .meta({
    pattern: `^[^${IN_ADDRESS}]{1,64}@(?:[^${IN_ADDRESS}.]{1,63}[.]){1,8}[^${IN_ADDRESS}.]{2,63}$`,
    'x-rule': 'must be an e-mail address',
    examples: ['ada@example.com'],
  })

export const phoneText = z
  .string()
  .min(1)
  .max(40)
  .meta({
    description:
      'As dialled in Australia, or E.164; a customer’s with `country` as dialled there. Answers carry E.164.',
    examples: ['+61491570156'],
  })

export const countryCode = z
  .string()
  .regex(/^[A-Z]{2}$/)
  .meta({ 'x-rule': 'must be an ISO 3166-1 alpha-2 code in capitals, e.g. AU', examples: ['AU'] })

export const cents = z.int().min(0).meta({ 'x-rule': 'must be whole cents, from 0 to 2^53 − 1' })

/** RFC 3339 with the store's offset. */
export const windowTime = z.string().meta({ format: 'date-time', examples: ['2026-11-24T13:00:00+11:00'] })
/** RFC 3339 in UTC with milliseconds. */
export const recordTime = z.string().meta({ format: 'date-time', examples: ['2026-11-24T02:00:00.000Z'] })
