import type { MessageRow } from '../../../operations/messages/list-messages.ts'
import { recordTime } from '../deliveries/delivery-wire.ts'

/** Converts a message of the outbox for the merchant. */
export function fromMessage(row: MessageRow): Record<string, unknown> {
  return {
    id: row.message_id,
    kind: row.kind,
    to: row.recipient,
    template: row.template,
    subject: row.subject ?? undefined,
    text: row.body ?? undefined,
    status: row.status,
    reason: row.said ?? undefined,
    attempts: row.attempts,
    delivery_id: row.delivery_id ?? undefined,
    link_id: row.link_id ?? undefined,
    created_at: recordTime(row.created_at),
    not_after: recordTime(row.not_after),
    next_attempt_at: row.due_at === null ? undefined : recordTime(row.due_at),
    sent_at: row.sent_at === null ? undefined : recordTime(row.sent_at),
  }
}
