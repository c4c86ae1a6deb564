import { z } from 'zod'
import { EVENT_TYPES } from '../../../domain/webhooks/event-types.ts'
import { EventChanges } from '../deliveries/event-changes-schema.ts'
import { listOf, Pagination } from '../fields/pagination.ts'
import { recordTime, referenceText, requestTime } from '../fields/text.ts'

const eventTypes = z.array(z.enum(EVENT_TYPES)).min(1).max(EVENT_TYPES.length)
const url = z
  .string()
  .min(1)
  .max(2_000)
  .meta({ examples: ['https://hooks.example.com/drover'], description: 'HTTPS, on the public internet.' })

export const EventsQuery = z.strictObject({
  limit: z.int().min(1).max(200).optional().meta({ description: '50 where absent.' }),
  after: z.string().min(1).max(200).optional().meta({
    description:
      '`pagination.next` of an earlier page; `latest` for a place after all there is now, to hear what comes; the very beginning where absent.',
  }),
})

const EventData = z
  .object({
    delivery_id: z.string().optional(),
    reference: z.string().optional(),
    store_id: z.string().optional(),
    store_reference: z.string().optional(),
    manifest_id: z.string().optional(),
    delivery_mode: z.literal('customer_pickup').optional(),
    status: z.string().optional().meta({ description: 'After the event.' }),
    previous_status: z.string().optional(),
    sub_status: z.string().optional(),
    consignment_number: z.string().optional(),
    detail: z.string().optional(),
    changes: EventChanges.optional(),
  })
  .meta({
    id: 'EventData',
    description: 'What it is about. Read the delivery itself with `delivery_id`.',
    additionalProperties: true,
  })

export const Event = z
  .strictObject({
    id: z.string().meta({ description: 'The `webhook-id` of the same event.' }),
    type: z.string().meta({ examples: ['delivery.booked'] }),
    timestamp: recordTime,
    sequence: z.int().meta({
      description: 'Counts the events of one delivery from 1 without gaps; 0 where there is no delivery.',
    }),
    data: EventData,
  })
  .meta({ id: 'Event' })

/** The body of a webhook: the event without its id, which stands in a header. */
export const WebhookMessage = Event.omit({ id: true }).meta({ id: 'WebhookMessage' })

export const EventsAnswer = z
  .strictObject({
    data: z.array(Event),
    pagination: z.strictObject({
      next: z
        .string()
        .nullable()
        .meta({ description: 'Goes on after the last event, also when there is nothing more yet.' }),
      has_more: z.boolean(),
    }),
  })
  .meta({ id: 'Events' })

export const WebhookEndpointBody = z
  .strictObject({
    url,
    event_types: eventTypes.optional().meta({ description: 'Every type where absent.' }),
  })
  .meta({ id: 'WebhookEndpointRequest' })

export const WebhookEndpointPatchBody = z
  .strictObject({
    url: url.optional(),
    event_types: eventTypes.nullable().optional().meta({ description: 'Null: every type.' }),
    status: z
      .enum(['active', 'paused'])
      .optional()
      .meta({ description: 'A paused endpoint that becomes active is told at once what it has missed.' }),
  })
  .meta({ id: 'WebhookEndpointChange' })

export const WebhookEndpoint = z
  .strictObject({
    id: z.string(),
    url: z.string(),
    event_types: z.array(z.string()).nullable().meta({ description: 'Null: every type.' }),
    status: z.enum(['active', 'paused']),
    paused_at: recordTime.optional(),
    paused_reason: z.string().optional(),
    failing_since: recordTime.optional().meta({ description: 'Nothing was taken since then.' }),
    pending_events: z.int().meta({ description: 'Events that wait to be told, or told again.' }),
    created_at: recordTime,
    updated_at: recordTime,
  })
  .meta({ id: 'WebhookEndpoint' })

export const WebhookEndpointAnswer = z.strictObject({ data: WebhookEndpoint })
export const WebhookEndpointsAnswer = listOf(WebhookEndpoint)
export const WebhookSecretAnswer = z.strictObject({
  data: WebhookEndpoint.extend({
    secret: z.string().meta({ description: 'Shown this once.', examples: ['whsec_…'] }),
  }).meta({ id: 'WebhookEndpointWithSecret' }),
})

export const AttemptsQuery = EventsQuery.extend({ event_id: referenceText().optional() })

export const AttemptsAnswer = z
  .strictObject({
    data: z.array(
      z.strictObject({
        event_id: z.string(),
        type: z.string(),
        attempt: z.int().meta({ description: 'Of this event, from 1.' }),
        at: recordTime,
        duration_ms: z.int(),
        outcome: z.enum(['delivered', 'failed', 'exhausted']),
        response_status: z.int().optional(),
        detail: z
          .string()
          .optional()
          .meta({ description: 'What went wrong, or the beginning of the answer.' }),
        next_attempt_at: recordTime.optional(),
      }),
    ),
    pagination: Pagination,
  })
  .meta({ id: 'WebhookAttempts' })

export const ReplayBody = z
  .strictObject({
    event_ids: z.array(referenceText()).min(1).max(500).optional(),
    from: requestTime.optional().meta({ description: 'Everything since then that the endpoint hears of.' }),
    dry_run: z.boolean().optional().meta({ description: 'Only says how many that would be.' }),
  })
  .meta({ id: 'WebhookReplay', description: 'One of `event_ids` and `from`.' })
export type ReplayBody = z.infer<typeof ReplayBody>

export const ReplayCountAnswer = z
  .strictObject({
    data: z.strictObject({
      count: z.int().meta({ description: 'Events that would be told again.' }),
      at_least: z
        .boolean()
        .meta({ description: 'The feed is too long to be counted to its beginning: it may be more.' }),
    }),
  })
  .meta({ id: 'WebhookReplayCount' })
