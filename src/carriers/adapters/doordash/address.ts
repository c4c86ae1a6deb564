import type { RateStop } from '../../port/carrier.ts'

type Address = Pick<RateStop, 'address' | 'address2' | 'city' | 'state' | 'postCode' | 'country'>

/** One line, in the Australian order. */
export function formatAddress({ address, address2, city, state, postCode, country }: Address): string {
  const street = [address2, address].filter(Boolean)
  return [...street, `${city} ${state} ${postCode}`, country].join(', ')
}

/**
 * DoorDash's Australian form of the drop-off address: "21/17 Jones St" is street 17 Jones St and unit 21.
 * Null if the street is unknown (as in a quote), abroad, or if a slash that we can't parse is left: DoorDash
 * rejects slashes.
 */
export function formatAddressComponents({ address, address2, city, state, postCode, country }: Address) {
  if (!address || country !== 'AU') return null
  const { street, unit } = splitUnit(address, address2)
  if (street.includes('/')) return null
  return {
    street_address: street,
    ...(unit === null ? {} : { sub_premise: unit }),
    locality: city,
    territory: state,
    postal_code: postCode,
    country,
  }
}

const ID = '(?:\\d{1,5}[a-z]?|[a-z]\\d{0,4})'
const NAMED = `(?:(?:unit|apartment|apt|flat|suite|ste|shop|office|villa|townhouse|studio|level|lvl|floor|room)\\.? ?#?${ID}|u ?\\d{1,5}[a-z]?)`
const STREET = '\\d+[a-z]?(?: ?- ?\\d+[a-z]?)? \\D.*'
const UNIT_ALONE = new RegExp(`^(?:#?${ID}|${NAMED}(?:,? ${NAMED})*)$`, 'i')
/** "Unit 5, 12 Beach Rd", "Level 3 Suite 2, 120 Collins St", "5/12 Beach Rd" */
const UNIT_FIRST = new RegExp(`^(?:(${NAMED}(?:,? ${NAMED})*),? |(${ID}|${NAMED}) ?/ ?)(${STREET})$`, 'i')

/** A second line that names no unit (a building) goes after the street, as DoorDash requires. */
function splitUnit(address: string, address2: string | null): { street: string; unit: string | null } {
  const line = plain(address)
  const second = plain(address2 ?? '')
  const [, named, slashed, rest] = UNIT_FIRST.exec(line) ?? []
  const isUnit = UNIT_ALONE.test(second)
  const units = [isUnit ? second : '', named ?? slashed ?? ''].filter(Boolean)
  const street = [rest ?? line, isUnit ? '' : second].filter(Boolean).join(', ')
  return { street, unit: units.length > 0 ? units.join(', ') : null }
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
