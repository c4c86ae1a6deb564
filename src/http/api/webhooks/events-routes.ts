import { text } from '../../../domain/untyped-json.ts'
import { feedIssues, listEvents } from '../../../operations/webhooks/list-events.ts'
import { webhookPayload } from '../../../operations/webhooks/webhook-payload.ts'
import { type Endpoint, json, tenantEndpoint } from '../../contract/endpoint.ts'
import { EventsAnswer, EventsQuery } from './webhook-schema.ts'

export const EVENT_ENDPOINTS: readonly Endpoint[] = [
  tenantEndpoint({
    method: 'GET',
    url: '/:tenant_id/events',
    operationId: 'listEvents',
    access: 'deliveries:read',
    tag: 'Events',
    summary: 'List the account’s events, oldest first',
    description:
      'Returns the events that webhooks send. Store `pagination.next` and send it as `after` in the next request, so that no event is missed or read twice. A client that is limited to some stores receives only the events of those stores.',
    query: EventsQuery,
    moreOfQuery: ({ query }) => feedIssues(text(query.after)),
    answers: { 200: { description: 'One page of events.', schema: EventsAnswer } },
    refusals: [],
    async handle({ deps, entry, caller, query }) {
      const page = { after: query.after ?? null, limit: query.limit ?? 50 }
      const { events, next, hasMore } = await listEvents(deps, entry, caller, page)
      const data = events.map((event) => ({ id: event.id, ...webhookPayload(event) }))
      return json(200, { data, pagination: { next, has_more: hasMore } })
    },
  }),
]
