import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { Issue } from './errors.ts'

/** The countries where an account sends SMS, as two letters of ISO 3166-1. */
export type SmsCountries = ReadonlySet<string>

/**
 * The kind of SMS destination of a number. `no_sms`: a landline, 1300 or 1800 number, which takes calls but no SMS.
 * `elsewhere`: a number of a country where the account sends no SMS. SMS to the other two cost several times as much.
 */
export type NumberKind = 'mobile' | 'no_sms' | 'premium' | 'satellite' | 'elsewhere'

/** Christmas Island, the Cocos Islands and Norfolk Island have their own codes but belong to Australia. */
const PARTS_OF: Readonly<Record<string, string>> = { CC: 'AU', CX: 'AU', NF: 'AU' }
/** Inmarsat and other satellite networks have country codes (ITU-T E.164). */
const SATELLITE_CODES = new Set(['870', '881', '882', '883'])
/** Satellite phones in the Australian numbering plan (0145, 0147), which libphonenumber classifies as VoIP. */
const AUSTRALIAN_SATELLITE = /^14[57]/

/**
 * Fast path: most numbers are Australian mobiles, which all start with 04, and need no look-up in the
 * numbering plan.
 */
const AUSTRALIAN_MOBILE = /^\+614\d{8}$/

/** Classifies by libphonenumber's types; `number` is a valid number in E.164. */
export function numberKind(number: string, countries: SmsCountries): NumberKind {
  if (AUSTRALIAN_MOBILE.test(number) && countries.has('AU')) return 'mobile'
  const parsed = parsePhoneNumberFromString(number)
  const type = parsed?.getType()
  if (type === 'PREMIUM_RATE') return 'premium'
  const code = parsed?.countryCallingCode ?? ''
  if (SATELLITE_CODES.has(code)) return 'satellite'
  if (code === '61' && AUSTRALIAN_SATELLITE.test(parsed?.nationalNumber ?? '')) return 'satellite'
  const country: CountryCode | undefined = parsed?.country
  if (country === undefined || !countries.has(PARTS_OF[country] ?? country)) return 'elsewhere'
  // In North America mobile numbers look like landlines.
  return type === 'MOBILE' || type === 'FIXED_LINE_OR_MOBILE' ? 'mobile' : 'no_sms'
}

/**
 * Why Drover refuses a customer's number. It accepts landlines and numbers of other countries, which couriers can ring;
 * they get no SMS. `number` null: not a number.
 */
export function customerNumberIssues(number: string | null, countries: SmsCountries): Issue[] {
  const field = 'customer.phone'
  const kind = number === null ? null : numberKind(number, countries)
  if (kind !== 'premium' && kind !== 'satellite') return []
  const remedy = 'Use the customer’s own mobile number, or set suppress_notifications.'
  return [{ field, issue: 'invalid_value', message: `${field} ${WRONG[kind](countries)} ${remedy}` }]
}

/** Why Drover refuses a courier's number: jobs and login codes go by SMS. `number` null: not a number. */
export function courierNumberIssues(field: string, number: string | null, countries: SmsCountries): Issue[] {
  const kind = number === null ? 'mobile' : numberKind(number, countries)
  if (kind === 'mobile') return []
  const remedy = 'Couriers get jobs and login codes by SMS. Use the courier’s own mobile number.'
  return [{ field, issue: 'invalid_value', message: `${field} ${WRONG[kind](countries)} ${remedy}` }]
}

const WRONG: Readonly<Record<Exclude<NumberKind, 'mobile'>, (countries: SmsCountries) => string>> = {
  no_sms: () => 'is a number that cannot receive SMS, such as a landline.',
  premium: () => 'is a premium-rate number. Drover sends no SMS messages to premium-rate numbers.',
  satellite: () => 'is a satellite number. Drover sends no SMS messages to satellite numbers.',
  elsewhere: (countries) =>
    `is a number in another country. This account sends SMS only to numbers in ${[...countries].join(', ')}.`,
}
