import { z } from 'zod'
import { toDayNumber } from '../../calendar/zone.ts'
import { findState, STATE_PATTERN } from '../../geo/states.ts'
import { STATES, type State, type ZONES } from '../../values.ts'

/** Text for people: no control characters, no lone surrogates. */
export const text = (longest = 200) =>
  z
    .string()
    .min(1)
    .max(longest)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'text on one line, without control characters')

/** The same on several lines. */
export const paragraphs = (longest: number) =>
  z
    .string()
    .min(1)
    .max(longest)
    .regex(/^(?:[^\p{Cc}\p{Cs}]|\n)*$/u, 'text without control characters')

export const slug = z
  .string()
  .max(63)
  .regex(
    /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/,
    'lower-case letters and digits, with single dashes or underscores between words, such as "wattle-and-co"',
  )

/** A merchant's own name for one of their things. */
export const reference = z
  .string()
  .min(1)
  .max(100)
  .regex(
    /^[!-~](?:[ -~]*[!-~])?$/,
    'digits, punctuation and letters without accents, with no space at either end, such as "melbourne-cbd"',
  )
  .refine(
    (value) => !/^(?:sto|brd|dlv|man|lnk|job|evt|cou|whk)_/.test(value),
    'a reference that does not begin with "sto_" or another prefix of Drover’s own ids',
  )

/** A state or territory: its abbreviation, name or ISO 3166-2 code, in any case. Read as the abbreviation. */
export const state = z
  .string()
  .overwrite((given) => findState(given) ?? given)
  .regex(new RegExp(`^(?:${STATES.join('|')})$`), `one of ${STATES.join(', ')}`)
  .meta({
    id: 'state',
    pattern: undefined,
    anyOf: [{ enum: STATES }, { pattern: STATE_PATTERN }],
  }) as unknown as z.ZodType<State, string>

/** The issuer of an OpenID Connect provider. Plain HTTP is for tests on the same machine. */
export const ISSUER =
  /^(?:https:\/\/[a-z0-9.-]+(?::[0-9]{1,5})?|http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::[0-9]{1,5})?)(?:\/[A-Za-z0-9._~%-]+)*\/?$/

/** The name under which `drover secret set` stores a credential. */
export const secretName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,62}$/, 'the name of a stored secret, such as "swiftly-api-key"')

const TIME_OF_DAY = '(?:[01][0-9]|2[0-3]):[0-5][0-9]'

export const timeOfDay = z.string().regex(new RegExp(`^${TIME_OF_DAY}$`), 'a time of day such as "09:30"')

/** `24:00` may end a range. */
export const timeRange = z
  .string()
  .regex(new RegExp(`^${TIME_OF_DAY}-(?:${TIME_OF_DAY}|24:00)$`), {
    error: 'opening and closing times such as "09:00-17:30"',
    abort: true,
  })
  .refine((range) => {
    const { open, close } = rangeMinutes(range)
    return open < close
  }, 'a closing time after the opening time; write hours after midnight under the next day, such as "00:00-02:00"')

export const date = z
  .string()
  .regex(/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])$/, {
    error: 'a date such as "2026-12-24"',
    abort: true,
  })
  .refine((day) => dayNumber(day) !== null, 'a date that exists')

export const minutes = z
  .number()
  .int()
  .min(0)
  .max(7 * 24 * 60)
export const cents = z.number().int().min(0).max(100_000_000)
/** Rates are charged pro rata, so they may have fractions. */
export const centsRate = z.number().min(0).max(1_000_000)
export const measure = z.number().positive().max(1_000_000)

/** One amount for each of the four rate zones. */
export const byRateZone = <T extends z.ZodType>(amount: T) =>
  z.strictObject({
    same_metro: amount.describe('Pickup and delivery in the same state, at most 50 km apart.'),
    same_state: amount.describe('Pickup and delivery in the same state, more than 50 km apart.'),
    interstate_capital: amount.describe("Delivery within 50 km of another state's capital."),
    rest: amount.describe('All other deliveries.'),
  } satisfies Record<(typeof ZONES)[number], T>)

/** Minutes after midnight of a time: `09:30`, or `24:00`. */
export function toMinutes(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
}

/** Minutes after midnight of both ends of a range such as `09:00-17:30`. */
export function rangeMinutes(range: string): { open: number; close: number } {
  return { open: toMinutes(range.slice(0, 5)), close: toMinutes(range.slice(6, 11)) }
}

/** Days since 1970-01-01 of a date such as `2026-12-24`; null when there is no such date. */
export function dayNumber(day: string): number | null {
  const [year, month, dayOfMonth] = day.split('-').map(Number)
  return toDayNumber(year!, month!, dayOfMonth!)
}
