import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** Countries of ISO 3166-1 without a numbering plan of their own. */
const WITHOUT_PLAN = new Set(['AQ', 'BV', 'GS', 'HM', 'PN', 'TF', 'UM'])

/** Whether ISO 3166-1 knows the code, two letters in capitals: `UK` is none. */
export function isCountry(code: string): boolean {
  return isSupportedCountry(code) || WITHOUT_PLAN.has(code)
}

/**
 * A phone number in E.164 form, `+61491570156`, or null when it is none. Without a leading `+` it is read as
 * one of `country` (two letters). An extension is left out, for E.164 has no place for it.
 */
export function toE164(phone: string, country = 'AU'): string | null {
  const code = country.toUpperCase()
  const parsed = parsePhoneNumberFromString(phone, {
    ...(isSupportedCountry(code) && { defaultCountry: code }),
    extract: false,
  })
  return parsed?.isValid() ? parsed.number : null
}
