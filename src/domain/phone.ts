import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { cleanText } from './text/text-class.ts'

/** ISO 3166-1 countries without their own numbering plan. */
const WITHOUT_PLAN = new Set(['AQ', 'BV', 'GS', 'HM', 'PN', 'TF', 'UM'])

/** Whether the code is in ISO 3166-1, two capital letters: `UK` is not. */
export function isCountry(code: string): boolean {
  return isSupportedCountry(code) || WITHOUT_PLAN.has(code)
}

/**
 * A phone number in E.164 form, `+61491570156`, or null when it is invalid. Without a leading `+` it is read
 * as a number of `country` (two letters). An extension is dropped, because E.164 has no field for it. Invisible
 * characters, which contacts put around a number, are ignored.
 */
export function toE164(phone: string, country = 'AU'): string | null {
  const code = country.toUpperCase()
  const written = cleanText(phone, 'phone').replace(BRACKETED_CODE, '$1')
  const parsed = parsePhoneNumberFromString(written, {
    ...(isSupportedCountry(code) && { defaultCountry: code }),
    extract: false,
  })
  return parsed?.isValid() ? parsed.number : null
}

/** `(+61) 491 570 156`: the library takes the bracket for part of a national number. */
const BRACKETED_CODE = /^\(\s*(\+\d{1,3})\s*\)/
