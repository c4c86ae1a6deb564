import type { MessageKind, MessageStatus, Template } from '../../domain/messages/message.ts'
import { currentTraceparent } from '../../observability/tracing/current.ts'
import { type Db, instant } from '../db/db.ts'

/** A row of `messages` as the driver reads it: timestamps as epoch milliseconds. */
export type MessageRow = {
  account_id: string
  message_id: string
  kind: MessageKind
  recipient: string
  template: Template
  /** Null: it is for the account's own people. */
  store_id: string | null
  delivery_id: string | null
  link_id: string | null
  subject: string | null
  body: string | null
  status: MessageStatus
  response_excerpt: string | null
  attempts: number
  send_started_at: number | null
  created_at: number
  expires_at: number
  sent_at: number | null
  due_at: number | null
  fence: number
  claims: number
}

export const MESSAGE_COLUMNS = [
  'account_id',
  'message_id',
  'kind',
  'recipient',
  'template',
  'store_id',
  'delivery_id',
  'link_id',
  'subject',
  'body',
  'status',
  'response_excerpt',
  'attempts',
  'send_started_at',
  'created_at',
  'expires_at',
  'sent_at',
  'due_at',
  'fence',
  'claims',
] as const satisfies readonly (keyof MessageRow)[]

export type NewMessage = Pick<
  MessageRow,
  | 'account_id'
  | 'message_id'
  | 'kind'
  | 'recipient'
  | 'template'
  | 'store_id'
  | 'link_id'
  | 'subject'
  | 'body'
  | 'created_at'
  | 'expires_at'
> &
  /** Not to be sent, and why; queued where absent. */
  Partial<Pick<MessageRow, 'response_excerpt'>>

/** Queues messages that are worded already, to be sent at once; those that are not to be sent are only kept. Inside the transaction of what they tell. */
export async function queueMessages(db: Db, messages: readonly NewMessage[]): Promise<void> {
  const column = (pick: (message: NewMessage) => unknown): unknown[] => messages.map(pick)
  await db.query({
    name: 'queue-messages',
    text: `insert into messages (account_id, message_id, kind, recipient, template, store_id, link_id, subject, body,
        created_at, expires_at, response_excerpt, due_at, status, traceparent)
      select *, case when response_excerpt is null then created_at end, case when response_excerpt is null then 'queued' else 'suppressed' end, $13
      from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],
        $7::text[], $8::text[], $9::text[], $10::timestamptz[], $11::timestamptz[], $12::text[])
        as m(account_id, message_id, kind, recipient, template, store_id, link_id, subject, body, created_at, expires_at, response_excerpt)`,
    values: [
      column((m) => m.account_id),
      column((m) => m.message_id),
      column((m) => m.kind),
      column((m) => m.recipient),
      column((m) => m.template),
      column((m) => m.store_id),
      column((m) => m.link_id),
      column((m) => m.subject),
      column((m) => m.body),
      column((m) => instant(m.created_at)),
      column((m) => instant(m.expires_at)),
      column((m) => m.response_excerpt ?? null),
      currentTraceparent(),
    ],
  })
}

export type MessageFilter = {
  /** Only these stores; null for all. */
  storeIds: readonly string[] | null
  deliveryId: string | null
  linkId: string | null
  status: MessageStatus | null
  kind: MessageKind | null
  /** Only messages older than this id. */
  beforeId: string | null
  limit: number
}

/** Newest first: ids sort by the time they were made. */
export async function listMessages(db: Db, accountId: string, filter: MessageFilter): Promise<MessageRow[]> {
  const { rows } = await db.query<MessageRow>({
    text: `select ${MESSAGE_COLUMNS.join(', ')} from messages
      where account_id = $1 and ($2::text[] is null or store_id = any($2)) and ($3::text is null or delivery_id = $3)
        and ($4::text is null or link_id = $4) and ($5::text is null or status = $5)
        and ($6::text is null or kind = $6) and ($7::text is null or message_id < $7)
      order by message_id desc limit $8`,
    values: [
      accountId,
      filter.storeIds,
      filter.deliveryId,
      filter.linkId,
      filter.status,
      filter.kind,
      filter.beforeId,
      filter.limit,
    ],
  })
  return rows
}

/** The latest message of each kind that a link was sent by. */
export type LinkMessage = Pick<MessageRow, 'kind' | 'status' | 'response_excerpt' | 'sent_at'> & {
  link_id: string
}

export async function listLinkMessages(
  db: Db,
  accountId: string,
  linkIds: readonly string[],
): Promise<LinkMessage[]> {
  const { rows } = await db.query<LinkMessage>({
    name: 'list-link-messages',
    text: `select distinct on (link_id, kind) link_id, kind, status, response_excerpt, sent_at from messages
      where account_id = $1 and link_id = any($2) order by link_id, kind desc, message_id desc`,
    values: [accountId, linkIds],
  })
  return rows
}
