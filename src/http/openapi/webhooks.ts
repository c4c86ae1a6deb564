import { EVENT_TYPES, type EventType } from '../../domain/webhooks/event-types.ts'
import { WebhookMessage } from '../api/webhooks/webhook-schema.ts'
import type { Components, JsonSchema } from './components.ts'

/** When each event is sent. */
const SUMMARIES: Readonly<Record<EventType, string>> = {
  'delivery.created': 'A delivery was created',
  'delivery.requested': 'A delivery entered the booking queue, for the first time or again',
  'delivery.booked': 'A carrier confirmed the booking of a delivery',
  'delivery.amended': 'A delivery was amended',
  'delivery.status_changed':
    'A delivery changed status, for example to `assigned`, `collected` or `delivered`',
  'delivery.on_hold': 'A delivery is on hold until a person acts',
  'delivery.cancelled': 'A delivery was cancelled, also with its carrier',
  'delivery.exception': 'A problem was reported that does not change the status',
  'delivery.carrier_update': 'A carrier sent an update that did not change the status',
  'manifest.created': 'A manifest was created',
  'manifest.submitted': 'A carrier accepted a manifest as an order',
  'link.created': 'A booking link was created and queued for its customer',
  'link.booked': 'A customer booked a delivery with a link',
  'allocation.completed': 'An asynchronous store allocation finished or failed',
  'staff_courier.assigned': 'A delivery was offered to a staff courier',
  'webhook_endpoint.paused': 'An endpoint was paused and receives no events until it is active again',
}

/** The webhooks that we send to an account's endpoints, by event type. */
export function toWebhooks(components: Components): Record<string, { post: JsonSchema }> {
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: toMessage(type, components) }]))
}

function toMessage(type: EventType, components: Components): JsonSchema {
  const schema = { allOf: [components.use(WebhookMessage), { properties: { type: { const: type } } }] }
  return {
    operationId: `tell_${type.replace('.', '_')}`,
    tags: ['Webhooks'],
    summary: SUMMARIES[type],
    // Webhooks have no bearer token: the signature authenticates them.
    security: [],
    parameters: HEADERS,
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: RESPONSES,
  }
}

const HEADERS: readonly JsonSchema[] = [
  ['webhook-id', 'The id of the event. It is the same at every attempt.'],
  ['webhook-timestamp', 'The time of sending, in seconds since 1970-01-01 UTC.'],
  [
    'webhook-signature',
    'The Standard Webhooks signature: `v1,` and the HMAC-SHA256. After a secret rotation there are two signatures.',
  ],
].map(([name, description]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
}))

const RESPONSES: JsonSchema = {
  '2XX': { description: 'The event was received.' },
  410: { description: 'The endpoint no longer exists. Drover pauses it.' },
  default: {
    description:
      'The event was not received. Drover sends it again later, for 429 and 503 after `Retry-After`. Redirects count as failures.',
  },
}
