import { z } from 'zod'
import { NO_CONTROLS } from '../../../domain/text/controls.ts'
import { textFields } from '../../input/text-fields.ts'

// Every pattern is anchored and unambiguous, so it reads a megabyte in one pass even if the text does not match.
// Python's `re`, Go's RE2 and JavaScript must interpret the patterns alike. Characters beyond Latin-1 are therefore
// literal (RE2 does not know `\u2028`), and there are no named classes (`\p{…}`, `\s`, `\d`) and no lookarounds. The
// patterns are set as `pattern`, because `RegExp.source` would escape line separators again.
const CONTROLS = '\\x00-\\x1F\\x7F-\\x9F'
/** Line separators, and characters that change the text direction. */
const LINE_BREAKERS = '\u2028-\u202E\u2066-\u2069'
/**
 * Spaces that a line may contain: the Unicode spaces and the byte order mark. The mark is written as a range with its
 * two unassigned neighbours, because a Go program that contains U+FEFF itself does not compile.
 */
const SPACES = ' \xA0\u1680\u2000-\u200A\u202F\u205F\u3000\uFEFE-\uFF00'
const IN_LINE = `[^${CONTROLS}${LINE_BREAKERS}]`
const INK = `[^${CONTROLS}${LINE_BREAKERS}${SPACES}]`
/** Characters that an email address may not contain: spaces, controls and a second `@`. */
const IN_ADDRESS = `${CONTROLS}\u2028\u2029${SPACES}@`

/** A name for look-ups: one line, without surrounding spaces. */
export function referenceText(max = 100) {
  return z
    .string()
    .min(1)
    .max(max)
    .meta({
      pattern: `^${INK}(?:${IN_LINE}*${INK})?$`,
      'x-rule': 'must be one line without control characters and without spaces around it',
    })
    .register(textFields, { textClass: 'reference' })
}

/** A carrier's number, as its staff read it out. */
export function carrierNumber() {
  return z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_./:-]{0,63}$/)
    .meta({ 'x-rule': 'must be the carrier’s number: letters, digits and _ . / : -, 64 at most' })
    .register(textFields, { textClass: 'code' })
}

/** Text for people, in one line. */
export function lineText(max: number) {
  return z
    .string()
    .min(1)
    .max(max)
    .meta({
      pattern: `^[${SPACES}]*${INK}${IN_LINE}*$`,
      'x-rule': 'must be one line of text without control characters',
    })
    .register(textFields, { textClass: 'line' })
}

/** Text for people. It may contain line breaks and may be empty. */
export function freeText(max: number) {
  return z
    .string()
    .max(max)
    .regex(NO_CONTROLS)
    .meta({ 'x-rule': 'may not contain control characters other than line breaks and tabs' })
    .register(textFields, { textClass: 'lines' })
}

/** What a driver writes on the way. */
export function noteText(max: number) {
  return freeText(max).register(textFields, { textClass: 'note' })
}

/** A short code that a person reads from a message or an app, such as `123 456`. */
export function codeText(max: number) {
  return z.string().min(1).max(max).register(textFields, { textClass: 'code' })
}

/** ISO 8601. The validator checks this format with `parseTimestamp`. */
export const requestTime = z
  .string()
  .max(40)
  .meta({
    format: 'iso-8601',
    examples: ['2026-11-24T13:00:00+11:00'],
    'x-rule':
      'must be an ISO 8601 date and time that exists, e.g. 2026-11-24T13:00:00+11:00 (without an offset it is the store’s local time)',
  })
  .register(textFields, { textClass: 'code' })

/** A local day. The validator checks this format with `parseDate`. */
export const dateText = z
  .string()
  .meta({
    format: 'date',
    examples: ['2026-11-24'],
    'x-rule': 'must be a date that exists, e.g. 2026-11-24',
  })
  .register(textFields, { textClass: 'code' })

export const emailText = z
  .string()
  .max(254)
  .meta({
    pattern: `^[^${IN_ADDRESS}]{1,64}@(?:[^${IN_ADDRESS}.]{1,63}[.]){1,8}[^${IN_ADDRESS}.]{2,63}$`,
    'x-rule': 'must be an email address',
    examples: ['ada@example.com'],
  })
  .register(textFields, { textClass: 'email' })

export const phoneText = z
  .string()
  .min(1)
  .max(40)
  .meta({
    description:
      'A phone number as dialled in Australia, or in E.164 format. For a customer with `country`: as dialled in that country. Responses use E.164.',
    examples: ['+61491570156'],
  })
  .register(textFields, { textClass: 'phone' })

export const countryCode = z
  .string()
  .regex(/^[A-Z]{2}$/)
  .meta({ 'x-rule': 'must be an ISO 3166-1 alpha-2 code in capitals, e.g. AU', examples: ['AU'] })
  .register(textFields, { textClass: 'code' })

export const cents = z.int().min(0).meta({ 'x-rule': 'must be whole cents, from 0 to 2^53 − 1' })

/** RFC 3339 with the store's offset. */
export const windowTime = z.string().meta({ format: 'date-time', examples: ['2026-11-24T13:00:00+11:00'] })
/** RFC 3339 in UTC with milliseconds. */
export const recordTime = z.string().meta({ format: 'date-time', examples: ['2026-11-24T02:00:00.000Z'] })
