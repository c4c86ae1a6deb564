import { DELIVERY_EXAMPLE } from '../../src/http/api/fields/examples.ts'

const WEEK_MS = 7 * 24 * 60 * 60 * 1_000

/** The documentation's own example, ready in a week: nothing of it is due while the bench runs. */
export function deliveryBody(reference: string): Record<string, unknown> {
  const readyForPickupAt = new Date(Date.now() + WEEK_MS).toISOString()
  return { ...DELIVERY_EXAMPLE, reference, ready_for_pickup_at: readyForPickupAt }
}
