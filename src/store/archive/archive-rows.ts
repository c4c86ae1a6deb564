import type { Db } from '../db/db.ts'
import { idAt } from '../db/id-times.ts'

export type ColumnType = 'STRING' | 'TIMESTAMP' | 'INT32' | 'INT64' | 'BOOLEAN'

type Column = { name: string; type: ColumnType /** Unless it is the column of this name. */; sql?: string }

type ArchiveTable = {
  /** The table in the database. */
  from: string
  /** Its column with the delivery's id, by which rows are found. */
  delivery: string
  /** Within a delivery. */
  order: string
  columns: readonly Column[]
}

const text = (name: string, sql?: string): Column => ({ name, type: 'STRING', ...(sql && { sql }) })
const time = (name: string): Column => ({ name, type: 'TIMESTAMP' })
const number = (name: string, sql?: string): Column => ({ name, type: 'INT32', ...(sql && { sql }) })
const cents = (name: string, sql: string): Column => ({ name, type: 'INT64', sql })

/**
 * The columns of the archive. Of a delivery, at most what `erasedContent` leaves; of the rows that an erasure deletes,
 * only ids, consignment numbers, carriers, types, statuses and times. No names, phone numbers, streets or free text, so
 * an erasure need not change the archive.
 */
export const ARCHIVE_TABLES = {
  events: {
    ...{ from: 'events', delivery: 'stream', order: 'position' },
    columns: [
      ...[text('delivery_id', 'stream'), text('event_id'), text('type'), time('at'), text('source')],
      ...[text('from_status'), text('to_status'), text('sub_status'), text('consignment_number')],
    ],
  },
  messages: {
    ...{ from: 'messages', delivery: 'delivery_id', order: 'message_id' },
    columns: [
      ...[text('delivery_id'), text('message_id'), text('kind'), text('template'), text('status')],
      ...[number('attempts'), time('created_at'), time('sent_at')],
    ],
  },
  booking_attempts: {
    ...{ from: 'booking_intents', delivery: 'delivery_id', order: 'attempt' },
    columns: [
      ...[text('delivery_id'), number('attempt'), text('provider'), text('service'), text('state')],
      ...[time('requested_at'), time('answered_at')],
    ],
  },
  carrier_events: {
    ...{ from: 'carrier_events', delivery: 'delivery_id', order: 'carrier_event_id' },
    columns: [text('delivery_id'), time('at'), time('received_at'), text('status'), text('sub_status')],
  },
  deliveries: {
    ...{ from: 'deliveries', delivery: 'delivery_id', order: 'delivery_id' },
    columns: [
      ...[text('delivery_id'), text('reference'), text('store_id'), text('brand_id')],
      ...[text('status'), text('sub_status'), text('delivery_type'), text('delivery_mode')],
      ...[text('provider', `chosen->>'provider'`), text('service', `chosen->>'service'`)],
      cents('quoted_cents', `(chosen->>'priceCents')::bigint`),
      cents('charged_cents', `(chosen->>'costCents')::bigint`),
      ...[text('carrier', 'carrier_provider'), text('consignment_number'), number('booking_attempts')],
      ...[text('city', `content->'address'->>'city'`), text('state', `content->'address'->>'state'`)],
      ...[
        text('postcode', `content->'address'->>'postCode'`),
        number('parcels', `json_array_length(content->'parcels')`),
      ],
      ...[time('window_from'), time('window_to'), time('ready_for_pickup_at'), time('created_at')],
      ...[time('requested_at'), time('booked_at'), time('carrier_event_at'), time('updated_at')],
      { name: 'erased', type: 'BOOLEAN', sql: 'erased_at is not null' },
    ],
  },
} as const satisfies Readonly<Record<string, ArchiveTable>>

export type ArchiveTableName = keyof typeof ARCHIVE_TABLES

type Period = { accountId: string; fromMs: number; toMs: number }

/** All accounts, or the one with this id if there is one. */
export async function listAccountsToArchive(db: Db, accountId: string | null): Promise<string[]> {
  const { rows } = await db.query<{ account_id: string }>({
    name: 'list-accounts-to-archive',
    text: 'select account_id from accounts where $1::text is null or account_id = $1 order by account_id',
    values: [accountId],
  })
  return rows.map(({ account_id }) => account_id)
}

/** An account's first delivery; null if it has none. */
export async function findFirstDeliveryId(db: Db, accountId: string): Promise<string | null> {
  const { rows } = await db.query<{ id: string | null }>({
    name: 'find-first-delivery',
    text: 'select min(delivery_id) as id from deliveries where account_id = $1',
    values: [accountId],
  })
  return rows[0]?.id ?? null
}

/** Ids of the deliveries that were created in the period, from `after` on, in their order. */
export async function listDeliveryIds(
  db: Db,
  { accountId, fromMs, toMs }: Period,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const { rows } = await db.query<{ delivery_id: string }>({
    name: 'find-deliveries-to-archive',
    text: `select delivery_id from deliveries
      where account_id = $1 and delivery_id > greatest($2, $3) and delivery_id < $4 order by delivery_id limit $5`,
    values: [accountId, after, idAt('dlv', fromMs), idAt('dlv', toMs), limit],
  })
  return rows.map(({ delivery_id }) => delivery_id)
}

/** The rows of these deliveries, ordered by delivery id, with a value for each column. */
export async function listArchiveRows(
  db: Db,
  table: ArchiveTableName,
  accountId: string,
  deliveryIds: readonly string[],
): Promise<unknown[][]> {
  const { from, delivery, order, columns } = ARCHIVE_TABLES[table] as ArchiveTable
  const { rows } = await db.query<unknown[]>({
    name: `list-${table}-to-archive`,
    rowMode: 'array',
    text: `select ${columns.map(({ name, sql = name }) => sql).join(', ')} from ${from}
      where account_id = $1 and ${delivery} = any ($2) order by ${delivery}, ${order}`,
    values: [accountId, deliveryIds],
  } as never)
  return rows
}
