import type { Delivery, Waypoint } from './delivery.ts'

/** As long as the outward trip took. */
const STEP_MS = 30_000

/** The return trip: a delivery of its own, linked to the original, with the ends swapped and no charge. */
export function returnOf(original: Delivery, atMs: number): Delivery {
  const { token, request } = original
  const end = (waypoint: Waypoint): Waypoint => ({ ...waypoint, requirements: {}, done: null })
  return {
    ...original,
    id: `ret_${token}`,
    quoteId: null,
    status: 'pickup_complete',
    imminent: false,
    createdMs: atMs,
    updatedMs: atMs,
    plan: {
      assignedMs: atMs,
      pickupImminentMs: atMs,
      pickupMs: atMs,
      dropoffImminentMs: atMs + STEP_MS,
      dropoffMs: atMs + 2 * STEP_MS,
    },
    pickup: end(original.dropoff),
    dropoff: { ...end(original.pickup), requirements: request.return_verification ?? {} },
    feeCents: 0,
    tipCents: 0,
    undeliverable: { action: '', reason: '' },
    related: { id: original.id, relationship: 'original' },
    cancelation: null,
  }
}
