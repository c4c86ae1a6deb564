/** Every event that we send to webhooks; an endpoint may subscribe to only some of them. */
export const EVENT_TYPES = [
  'delivery.created',
  'delivery.requested',
  'delivery.booked',
  'delivery.amended',
  'delivery.status_changed',
  'delivery.on_hold',
  'delivery.cancelled',
  'delivery.exception',
  'delivery.carrier_update',
  'manifest.created',
  'manifest.submitted',
  'link.created',
  'link.booked',
  'allocation.completed',
  'staff_courier.assigned',
  'webhook_endpoint.paused',
] as const

export type EventType = (typeof EVENT_TYPES)[number]
