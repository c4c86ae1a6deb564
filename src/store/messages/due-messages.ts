import type { Pool } from 'pg'
import type { MessageStatus } from '../../domain/messages/message.ts'
import { batchedWrites } from '../db/batching.ts'
import { type Db, instant } from '../db/db.ts'
import { makeClaimer } from '../leases/claim-due.ts'
import { MESSAGE_COLUMNS, type MessageRow } from './messages.ts'

const CLAIMED = MESSAGE_COLUMNS.map((column) => `m.${column}`).join(', ')

/** With the trace of the request that it goes back to. */
export type DueMessage = MessageRow & { traceparent: string | null }

/**
 * Claims due messages of one kind, which is `values`. What one person hears of one delivery goes out in the order in
 * which it happened: a message waits while an earlier one may be on its way, and not for one that is only to be tried
 * again later.
 */
export const claimDueMessages = makeClaimer<DueMessage>({
  name: 'claim-due-messages',
  table: 'messages',
  as: 'm',
  key: ['message_id'],
  columns: `${CLAIMED}, m.traceparent`,
  where: `m.kind = $6 and not exists (select from messages as earlier
    where earlier.account_id = m.account_id and earlier.delivery_id = m.delivery_id
      and earlier.message_id < m.message_id and earlier.kind = m.kind
      and earlier.recipient = m.recipient and earlier.due_at <= a.now)`,
  order: ['due_at', 'message_id'],
})

type Key = Pick<MessageRow, 'account_id' | 'message_id' | 'fence'>

type BegunMessage = Key & Pick<MessageRow, 'subject' | 'body'>

/**
 * Stores that the message is sent from now on, with these words. False: another worker has taken the message over.
 * Batching: messages that begin at about the same time share a statement.
 */
export async function beginMessage(db: Pool, message: BegunMessage): Promise<boolean> {
  return (await beginTogether(db, message)) !== null
}

const beginTogether = batchedWrites<BegunMessage, true>({
  getShape: () => '',
  getRowKey: ({ account_id, message_id }) => `${account_id}\n${message_id}`,
  async writeMany(db, messages) {
    const begun = await beginMessages(db, messages)
    return messages.map(({ message_id }) => (begun.has(message_id) ? true : null))
  },
  writeOne: async (db, message) => ((await beginMessages(db, [message])).size === 1 ? true : null),
})

async function beginMessages(db: Db, begun: readonly BegunMessage[]): Promise<Set<string>> {
  const { rows } = await db.query<{ message_id: string }>({
    name: 'begin-messages',
    text: `update messages as m set subject = b.subject, body = b.body, send_started_at = now(), attempts = m.attempts + 1
      from unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[])
        as b(account_id, message_id, fence, subject, body)
      where m.account_id = b.account_id and m.message_id = b.message_id and m.fence = b.fence
        and m.lease_until > now()
      returning m.message_id`,
    values: [
      begun.map((m) => m.account_id),
      begun.map((m) => m.message_id),
      begun.map((m) => m.fence),
      begun.map((m) => m.subject),
      begun.map((m) => m.body),
    ],
  })
  return new Set(rows.map((row) => row.message_id))
}

/** How a claim ends. `queued` with `dueAtMs`: to be tried again then. Instants are account time. */
export type MessageEnd = Key & {
  status: MessageStatus
  message: string | null
  subject: string | null
  body: string | null
  sentAtMs: number | null
  dueAtMs: number | null
}

/** Batching: claims that end at about the same time share a statement. */
export async function settleMessage(db: Pool, end: MessageEnd): Promise<void> {
  await settleTogether(db, end)
}

/**
 * Gateways answer one message after the other. A process that is killed meanwhile leaves an unknown outcome, as it does
 * during the call.
 */
const SETTLE_LINGER_MS = 5

const settleTogether = batchedWrites<MessageEnd, true>({
  getShape: () => '',
  getRowKey: ({ account_id, message_id }) => `${account_id}\n${message_id}`,
  async writeMany(db, ends) {
    await settleMessages(db, ends)
    return ends.map(() => true as const)
  },
  async writeOne(db, end) {
    await settleMessages(db, [end])
    return true
  },
  lingerMs: SETTLE_LINGER_MS,
})

/** Ends claims; of what another worker has taken over meanwhile, nothing is written. */
export async function settleMessages(db: Db, ends: readonly MessageEnd[]): Promise<void> {
  const moment = (ms: number | null) => (ms === null ? null : instant(ms))
  await db.query({
    name: 'settle-messages',
    text: `update messages as m set status = e.status, response_excerpt = e.response_excerpt, subject = coalesce(m.subject, e.subject),
        body = coalesce(m.body, e.body), sent_at = e.sent_at, due_at = e.due_at,
        send_started_at = null, lease_until = null, claims = 0
      from unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[],
        $8::timestamptz[], $9::timestamptz[])
        as e(account_id, message_id, fence, status, response_excerpt, subject, body, sent_at, due_at)
      where m.account_id = e.account_id and m.message_id = e.message_id and m.fence = e.fence`,
    values: [
      ends.map((e) => e.account_id),
      ends.map((e) => e.message_id),
      ends.map((e) => e.fence),
      ends.map((e) => e.status),
      ends.map((e) => e.message),
      ends.map((e) => e.subject),
      ends.map((e) => e.body),
      ends.map((e) => moment(e.sentAtMs)),
      ends.map((e) => moment(e.dueAtMs)),
    ],
  })
}
