import { DELIVERY_EXAMPLE } from '../../src/http/api/fields/examples.ts'
import { NAMES } from '../../test/documents/script-examples.ts'

const WEEK_MS = 7 * 24 * 60 * 60 * 1_000

/** The documentation's own example, ready in a week, so that none is due while the bench runs. */
export function deliveryBody(reference: string): Record<string, unknown> {
  const readyForPickupAt = new Date(Date.now() + WEEK_MS).toISOString()
  return { ...DELIVERY_EXAMPLE, reference, ready_for_pickup_at: readyForPickupAt }
}

/** Names of every script that labels print. */
export const IN_MANY_SCRIPTS = Object.values(NAMES).join(' ')

/** A delivery with `text` in each field that a label prints, repeated up to the fields' maximum length. */
export function tooLongForLabels(text: string): Record<string, unknown> {
  const body = deliveryBody('W'.repeat(100)) as { address: object; customer: object; parcels: object[] }
  const long = (length: number) => text.repeat(length).slice(0, length)
  const { address, customer, parcels } = body
  return {
    ...body,
    special_instructions: long(1_000),
    address: {
      ...address,
      company_name: 'W'.repeat(100),
      address: 'W'.repeat(100),
      address2: 'W'.repeat(100),
    },
    customer: { ...customer, first_name: long(100), last_name: long(100) },
    parcels: parcels.map((parcel) => ({ ...parcel, description: long(100) })),
  }
}
