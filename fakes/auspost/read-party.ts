import { type ApiError, apiError } from './errors.ts'
import { fieldsOf, listOf, textOf } from './fields.ts'
import type { Party } from './state.ts'
import { hasSuburb, STATES, suburbsOf } from './suburbs.ts'

const LENGTHS = { name: 40, business_name: 40, suburb: 40, phone: 20, email: 50 } as const

/** `whole`: for a shipment to carry; a price needs only the place. */
export type PartyWanted = { field: string; whole: boolean }

/** Parses an address and adds its errors. Null when it is invalid. */
export function readParty(value: unknown, { field, whole }: PartyWanted, errors: ApiError[]): Party | null {
  const fields = fieldsOf(value)
  if (!fields) {
    errors.push(missing(field))
    return null
  }
  const [name, suburb, state, postcode] = ['name', 'suburb', 'state', 'postcode'].map((key) =>
    textOf(fields[key]),
  )
  const lines = Array.isArray(fields.lines)
    ? fields.lines.map((line) => textOf(line) ?? '')
    : listOf(fields.lines)
  const required = { suburb, state, postcode, ...(whole ? { name, lines: lines.length > 0 || null } : {}) }
  for (const [key, found] of Object.entries(required)) if (!found) errors.push(missing(`${field}.${key}`))
  if (!suburb || !state || !postcode || (whole && (!name || lines.length === 0))) return null

  errors.push(...tooLong(fields, lines, field))
  if (!placeMatches(suburb, state, postcode)) {
    errors.push(
      apiError('400', {
        message: "Your combination of suburb, state & postcode doesn't match. Please review and try again.",
        field: `${field}.${field.endsWith('from') ? 'origin' : 'destination'}`,
      }),
    )
  }
  return {
    name: name ?? '',
    businessName: textOf(fields.business_name),
    lines: lines.map(String),
    suburb,
    state: state.toUpperCase(),
    postcode,
    fields,
  }
}

export function missing(field: string): ApiError {
  const name = field.split('.').at(-1)
  return apiError('40002', {
    message: `The input request is missing the mandatory field with the name ${name}. Please resubmit the request including the required fields and values.`,
    field,
  })
}

/** The table has no suburbs for post box postcodes: these are accepted. */
function placeMatches(suburb: string, state: string, postcode: string): boolean {
  if (!STATES.includes(state.toUpperCase()) || !/^\d{4}$/.test(postcode)) return false
  const isOtherState = STATES.some((other) => suburbsOf(other, postcode).length > 0)
  return hasSuburb(suburb, state, postcode) || !isOtherState
}

function tooLong(
  fields: Readonly<Record<string, unknown>>,
  lines: readonly unknown[],
  field: string,
): ApiError[] {
  const errors: ApiError[] = []
  for (const [key, max] of Object.entries(LENGTHS)) {
    if ((textOf(fields[key]) ?? '').length > max) errors.push(over(`${field}.${key}`, `${max} characters`))
  }
  if (lines.length > 3) errors.push(over(`${field}.lines`, 'three lines'))
  // The second line may be longer than the others.
  for (const [index, line] of lines.entries()) {
    const max = index === 1 ? 60 : 40
    if (String(line).length > max) errors.push(over(`${field}.lines[${index}]`, `${max} characters`))
  }
  if ((textOf(fields.delivery_instructions) ?? '').length > 128)
    errors.push(apiError('43011', { field: `${field}.delivery_instructions` }))
  return errors
}

function over(field: string, max: string): ApiError {
  return apiError('400', { message: `The field ${field} cannot exceed ${max}.`, field })
}
