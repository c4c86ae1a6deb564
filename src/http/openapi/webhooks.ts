import { EVENT_TYPES, type EventType } from '../../domain/webhooks/event-types.ts'
import { WebhookMessage } from '../api/webhooks/webhook-schema.ts'
import type { Components, JsonSchema } from './components.ts'

/** When each event is sent. */
const TOLD: Readonly<Record<EventType, string>> = {
  'delivery.created': 'A delivery was made',
  'delivery.requested': 'A delivery waits for a carrier, for the first time or anew',
  'delivery.booked': 'A carrier has taken a delivery',
  'delivery.amended': 'What is to be delivered was changed',
  'delivery.status_changed': 'A delivery moved on: with its courier, at the door, on its way back',
  'delivery.on_hold': 'A delivery waits for a person',
  'delivery.cancelled': 'A delivery was cancelled, at its carrier too',
  'delivery.exception': 'Something stood in the way, and the status stays',
  'delivery.carrier_news': 'A carrier said what moved nothing: too late, or nothing new',
  'manifest.created': 'A manifest was made',
  'manifest.submitted': 'A carrier has a manifest as its order',
  'link.created': 'A customer was sent a booking link',
  'link.booked': 'A customer booked by a link',
  'allocation.completed': 'An allocation in the background is done, or has failed',
  'staff_courier.assigned': 'A delivery was offered to one of your own couriers',
  'webhook_endpoint.paused': 'An endpoint is told nothing more until it is made active',
}

/** The webhooks that we send to an account's endpoints, by event type. */
export function webhooksOf(components: Components): Record<string, { post: JsonSchema }> {
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: messageOf(type, components) }]))
}

function messageOf(type: EventType, components: Components): JsonSchema {
  const schema = { allOf: [components.use(WebhookMessage), { properties: { type: { const: type } } }] }
  return {
    operationId: `tell_${type.replace('.', '_')}`,
    tags: ['Webhooks'],
    summary: TOLD[type],
    // Webhooks have no bearer token: the signature authenticates them.
    security: [],
    parameters: HEADERS,
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: RESPONSES,
  }
}

const HEADERS: readonly JsonSchema[] = [
  ['webhook-id', 'The event; the same each time it is told.'],
  ['webhook-timestamp', 'When it is sent, in seconds since 1970.'],
  ['webhook-signature', 'By Standard Webhooks: `v1,` and the HMAC-SHA256, twice after a rotation.'],
].map(([name, description]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
}))

const RESPONSES: JsonSchema = {
  '2XX': { description: 'Taken.' },
  410: { description: 'Gone for good: the endpoint is paused.' },
  default: {
    description: 'Not taken, redirects too: told again later, after `Retry-After` with 429 and 503.',
  },
}
