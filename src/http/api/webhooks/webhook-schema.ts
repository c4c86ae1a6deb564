import { z } from 'zod'
import { EVENT_TYPES } from '../../../domain/webhooks/event-types.ts'
import { textFields } from '../../input/text-fields.ts'
import { EventChanges } from '../deliveries/event-changes-schema.ts'
import { makeListSchema, Pagination } from '../fields/pagination.ts'
import { recordTime, referenceText, requestTime } from '../fields/text.ts'

const eventTypes = z.array(z.enum(EVENT_TYPES)).min(1).max(EVENT_TYPES.length)
const url = z
  .string()
  .min(1)
  .max(2_000)
  .register(textFields, { textClass: 'code' })
  .meta({
    examples: ['https://hooks.example.com/drover'],
    description: 'An HTTPS URL on the public internet.',
  })

export const EventsQuery = z.strictObject({
  limit: z
    .int()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'The maximum number of results in a page. Default 50.' }),
  after: z.string().min(1).max(200).optional().meta({
    description:
      '`pagination.next` of an earlier page. `latest` starts after the newest event, to receive only later ones. Absent: starts with the oldest event.',
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
    status: z.string().optional().meta({ description: 'The status after the event.' }),
    previous_status: z.string().optional(),
    sub_status: z.string().optional(),
    consignment_number: z
      .string()
      .optional()
      .meta({ description: 'The delivery’s own consignment number at that moment.' }),
    other_consignment_number: z.string().optional().meta({
      description:
        'The consignment number of another booking that the event is about: one that a carrier still has after Drover had abandoned it. It is not the delivery’s; `detail` says what to do.',
    }),
    detail: z.string().optional(),
    changes: EventChanges.optional(),
  })
  .meta({
    id: 'EventData',
    description: 'The subject of the event. Read the delivery itself with `delivery_id`.',
    additionalProperties: true,
  })

export const Event = z
  .strictObject({
    id: z.string().meta({ description: 'The id of the event, which is also its `webhook-id`.' }),
    type: z.string().meta({ examples: ['delivery.booked'] }),
    timestamp: recordTime,
    sequence: z.int().meta({
      description:
        'The number of the event within its delivery, from 1 without gaps. 0 if the event has no delivery.',
    }),
    data: EventData,
  })
  .meta({ id: 'Event' })

/** The body of a webhook: the event without its id, which is in a header. */
export const WebhookMessage = Event.omit({ id: true }).meta({ id: 'WebhookMessage' })

export const EventsAnswer = z
  .strictObject({
    data: z.array(Event),
    pagination: z.strictObject({
      next: z.string().nullable().meta({
        description:
          'The value of `after` for the next request. It is present even if there are no further events yet.',
      }),
      has_more: z.boolean(),
    }),
  })
  .meta({ id: 'Events' })

export const WebhookEndpointBody = z
  .strictObject({
    url,
    event_types: eventTypes
      .optional()
      .meta({ description: 'The event types to receive. Absent: every type.' }),
  })
  .meta({ id: 'WebhookEndpointRequest' })

export const WebhookEndpointPatchBody = z
  .strictObject({
    url: url.optional(),
    event_types: eventTypes
      .nullable()
      .optional()
      .meta({ description: 'The event types to receive. Null: every type.' }),
    status: z.enum(['active', 'paused']).optional().meta({
      description:
        'When a paused endpoint becomes active, Drover at once starts to send the events that it missed.',
    }),
  })
  .meta({ id: 'WebhookEndpointChange' })

export const WebhookEndpoint = z
  .strictObject({
    id: z.string(),
    url: z.string(),
    event_types: z
      .array(z.string())
      .nullable()
      .meta({ description: 'The event types to receive. Null: every type.' }),
    status: z.enum(['active', 'paused']),
    paused_at: recordTime.optional(),
    paused_reason: z.string().optional(),
    failing_since: recordTime
      .optional()
      .meta({ description: 'The time of the first failed attempt since the last success.' }),
    pending_events: z
      .int()
      .meta({ description: 'The number of events that wait for their first or next attempt.' }),
    created_at: recordTime,
    updated_at: recordTime,
  })
  .meta({ id: 'WebhookEndpoint' })

export const WebhookEndpointAnswer = z.strictObject({ data: WebhookEndpoint })
export const WebhookEndpointsAnswer = makeListSchema(WebhookEndpoint)
export const WebhookSecretAnswer = z.strictObject({
  data: WebhookEndpoint.extend({
    secret: z.string().meta({
      description: 'The signing secret. It is returned only in this response.',
      examples: ['whsec_…'],
    }),
  }).meta({ id: 'WebhookEndpointWithSecret' }),
})

export const AttemptsQuery = EventsQuery.extend({ event_id: referenceText().optional() })

export const AttemptsAnswer = z
  .strictObject({
    data: z.array(
      z.strictObject({
        event_id: z.string(),
        type: z.string(),
        attempt: z.int().meta({ description: 'The number of the attempt for this event, from 1.' }),
        at: recordTime,
        duration_ms: z.int(),
        outcome: z.enum(['delivered', 'failed', 'exhausted']),
        response_status: z.int().optional(),
        detail: z
          .string()
          .optional()
          .meta({ description: 'The error, or the beginning of the endpoint’s response.' }),
        next_attempt_at: recordTime.optional(),
      }),
    ),
    pagination: Pagination,
  })
  .meta({ id: 'WebhookAttempts' })

export const ReplayBody = z
  .strictObject({
    event_ids: z.array(referenceText()).min(1).max(500).optional(),
    from: requestTime.optional().meta({
      description:
        'Sends every event again that the endpoint receives and that occurred at or after this time.',
    }),
    dry_run: z
      .boolean()
      .optional()
      .meta({ description: 'Returns the number of events without sending them.' }),
  })
  .meta({ id: 'WebhookReplay', description: 'Either `event_ids` or `from`.' })
export type ReplayBody = z.infer<typeof ReplayBody>

export const ReplayCountAnswer = z
  .strictObject({
    data: z.strictObject({
      count: z.int().meta({ description: 'The number of events that would be sent again.' }),
      at_least: z.boolean().meta({
        description: '`true` if the feed is too long to count completely. The real number may be higher.',
      }),
    }),
  })
  .meta({ id: 'WebhookReplayCount' })
