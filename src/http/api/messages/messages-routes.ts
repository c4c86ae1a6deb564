import { listMessages, MESSAGE_PLACE } from '../../../operations/messages/list-messages.ts'
import { type Endpoint, json, tenantEndpoint } from '../../contract/endpoint.ts'
import { placeIssues } from '../../input/list-query.ts'
import { MessageListAnswer, MessageListQuery } from './message-schema.ts'
import { fromMessage } from './message-wire.ts'

export const MESSAGE_ENDPOINTS: readonly Endpoint[] = [
  tenantEndpoint({
    method: 'GET',
    url: '/:tenant_id/messages',
    operationId: 'listMessages',
    access: 'deliveries:read',
    tag: 'Messages',
    summary: 'The outbox: every SMS and e-mail, sent or not, and why',
    description:
      'Customers hear when a delivery is booked, collected and delivered, unless it was created with `suppress_notifications`, and get the links made for them. A sandbox account without an SMS gateway shows the log-in codes of its drivers to clients with the scope `driver_codes:read`; everybody else reads `******`. Newest first.',
    query: MessageListQuery,
    moreOfQuery: placeIssues(MESSAGE_PLACE),
    answers: { 200: { description: 'One page.', schema: MessageListAnswer } },
    refusals: [],
    async handle({ deps, entry, caller, query }) {
      const { messages, next } = await listMessages(deps, entry, caller, {
        deliveryId: query.delivery_id ?? null,
        linkId: query.link_id ?? null,
        status: query.status ?? null,
        kind: query.kind ?? null,
        after: query.after ?? null,
        limit: query.limit ?? 50,
      })
      return json(200, { data: messages.map(fromMessage), pagination: { next, has_more: next !== null } })
    },
  }),
]
