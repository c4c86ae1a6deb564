import type { FeedEvent } from '../../store/deliveries/event-feed.ts'

/** The body of a webhook; the feed has the same with the id in front. */
export type WebhookPayload = {
  type: string
  /** UTC, account time. */
  timestamp: string
  sequence: number
  data: Record<string, unknown>
}

/**
 * An event in the words of the API. It has what an integrator acts on, and no personal data of the customer: the
 * delivery itself is read with `delivery_id`.
 */
export function webhookPayload(event: FeedEvent): WebhookPayload {
  return {
    type: event.type,
    timestamp: new Date(event.atMs).toISOString(),
    sequence: event.sequence,
    data: event.reference === null ? (event.data ?? {}) : deliveryData(event),
  }
}

function deliveryData(event: FeedEvent): Record<string, unknown> {
  return {
    delivery_id: event.stream,
    reference: event.reference,
    store_id: event.storeId,
    store_reference: event.storeReference,
    delivery_mode: event.deliveryMode === 'customer_pickup' ? event.deliveryMode : undefined,
    status: event.status,
    previous_status: event.from ?? undefined,
    sub_status: event.subStatus ?? undefined,
    consignment_number: event.consignmentNumber ?? undefined,
    detail: event.detail ?? undefined,
    ...event.data,
  }
}
