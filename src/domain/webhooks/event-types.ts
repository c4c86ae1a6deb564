/** Every event that is told to the world; a webhook endpoint may ask for some of them only. */
export const EVENT_TYPES = [
  'delivery.created',
  'delivery.requested',
  'delivery.booked',
  'delivery.amended',
  'delivery.status_changed',
  'delivery.on_hold',
  'delivery.cancelled',
  'delivery.exception',
  'delivery.carrier_news',
  'manifest.created',
  'manifest.submitted',
  'link.created',
  'link.booked',
  'allocation.completed',
  'staff_courier.assigned',
  'webhook_endpoint.paused',
] as const

export type EventType = (typeof EVENT_TYPES)[number]
