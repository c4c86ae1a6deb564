import { DELIVERY_EXAMPLE } from '../src/http/api/fields/examples.ts'

const DAY_MS = 24 * 3_600_000

/** A Tuesday, whatever today is: before a weekend the booking would wait. For accounts whose clock is set to it. */
export const READY_AT = '2026-11-24T14:00:00+11:00'

/**
 * The documented example under a new reference, ready in a day or at the given time: the example's own time is a
 * variable of the documentation.
 */
export function exampleDelivery(
  reference: string,
  readyAt = new Date(Date.now() + DAY_MS).toISOString(),
): object {
  return { ...DELIVERY_EXAMPLE, reference, ready_for_pickup_at: readyAt }
}
