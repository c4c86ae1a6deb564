import { DELIVERY_EXAMPLE } from '../src/http/api/fields/examples.ts'

const DAY_MS = 24 * 3_600_000

/**
 * The documented example under a new reference, ready in a day: the example's own time is a variable of the
 * documentation.
 */
export function exampleDelivery(reference: string): object {
  return { ...DELIVERY_EXAMPLE, reference, ready_for_pickup_at: new Date(Date.now() + DAY_MS).toISOString() }
}
