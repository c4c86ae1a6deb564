import { listMessages, MESSAGE_PLACE, type MessageRow } from '../../../operations/messages/list-messages.ts'
import { type Endpoint, json, tenantEndpoint } from '../../contract/endpoint.ts'
import { placeIssues } from '../../input/list-query.ts'
import { recordTime } from '../deliveries/delivery-wire.ts'
import { MessageListAnswer, MessageListQuery } from './message-schema.ts'

export const MESSAGE_ENDPOINTS: readonly Endpoint[] = [
  tenantEndpoint({
    method: 'GET',
    url: '/:tenant_id/messages',
    operationId: 'listMessages',
    readsReplica: true,
    access: 'deliveries:read',
    tag: 'Messages',
    summary: 'List the SMS messages and emails in the outbox, newest first',
    description:
      'Returns every message with its status and, if it was not sent, the reason. Customers receive their booking links. They also receive a message when a delivery is booked, collected and delivered, unless it was created with `suppress_notifications`. A sandbox account without an SMS gateway returns its drivers’ login codes to clients with the scope `driver_codes:read`. Other callers receive `******`.',
    query: MessageListQuery,
    moreOfQuery: placeIssues(MESSAGE_PLACE),
    answers: { 200: { description: 'One page of messages.', schema: MessageListAnswer } },
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

/** Converts a message of the outbox for the merchant. */
function fromMessage(row: MessageRow): Record<string, unknown> {
  return {
    id: row.message_id,
    kind: row.kind,
    to: row.recipient,
    template: row.template,
    subject: row.subject ?? undefined,
    text: row.body ?? undefined,
    status: row.status,
    reason: row.response_excerpt ?? undefined,
    attempts: row.attempts,
    delivery_id: row.delivery_id ?? undefined,
    link_id: row.link_id ?? undefined,
    created_at: recordTime(row.created_at),
    expires_at: recordTime(row.expires_at),
    next_attempt_at: row.due_at === null ? undefined : recordTime(row.due_at),
    sent_at: row.sent_at === null ? undefined : recordTime(row.sent_at),
  }
}
