import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** ISO 3166-1 countries without their own numbering plan. */
const WITHOUT_PLAN = new Set(['AQ', 'BV', 'GS', 'HM', 'PN', 'TF', 'UM'])

/** Whether the code is in ISO 3166-1, two capital letters: `UK` is not. */
export function isCountry(code: string): boolean {
  return isSupportedCountry(code) || WITHOUT_PLAN.has(code)
}

/**
 * A phone number in E.164 form, `+61491570156`, or null when it is invalid. Without a leading `+` it is read
 * as a number of `country` (two letters). An extension is dropped, because E.164 has no field for it.
 */
export function toE164(phone: string, country = 'AU'): string | null {
  const code = country.toUpperCase()
  const parsed = parsePhoneNumberFromString(phone, {
    ...(isSupportedCountry(code) && { defaultCountry: code }),
    extract: false,
  })
  return parsed?.isValid() ? parsed.number : null
}
