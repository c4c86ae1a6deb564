import type { Pool } from 'pg'
import type { Db } from '../db/db.ts'
import { withTransaction } from '../db/pool.ts'
import { lockUnlessErased } from '../deliveries/erase-deliveries.ts'

/** A document of a booking: its label as its carrier made it, or its dangerous goods declaration. */
export type BookingDocument = {
  accountId: string
  deliveryId: string
  format: 'pdf' | 'zpl' | 'declaration'
  ref: string
}

/** Null when it has not been stored, or only one of an earlier booking. */
export async function findBookingDocument(
  db: Db,
  { accountId, deliveryId, format, ref }: BookingDocument,
): Promise<Buffer | null> {
  const { rows } = await db.query<{ document: Buffer }>({
    name: 'find-carrier-label',
    text: `select document from carrier_labels
      where account_id = $1 and delivery_id = $2 and format = $3 and ref = $4`,
    values: [accountId, deliveryId, format, ref],
  })
  return rows[0]?.document ?? null
}

/** Replaces one of an earlier booking; the first one of a booking stays. Stores nothing once the delivery is erased. */
export async function storeBookingDocument(
  pool: Pool,
  { accountId, deliveryId, format, ref }: BookingDocument,
  document: Buffer,
): Promise<void> {
  await withTransaction(pool, async (db) => {
    if (!(await lockUnlessErased(db, accountId, deliveryId))) return
    await db.query({
      name: 'keep-carrier-label',
      text: `insert into carrier_labels (account_id, delivery_id, format, ref, document, stored_at)
        values ($1, $2, $3, $4, $5, now())
        on conflict (account_id, delivery_id, format) do update
        set ref = excluded.ref, document = excluded.document, stored_at = excluded.stored_at
        where carrier_labels.ref <> excluded.ref`,
      values: [accountId, deliveryId, format, ref, document],
    })
  })
}

export async function findOrderSummary(
  db: Db,
  accountId: string,
  manifestId: string,
): Promise<Buffer | null> {
  const { rows } = await db.query<{ document: Buffer }>({
    name: 'find-carrier-order-summary',
    text: 'select document from carrier_order_summaries where account_id = $1 and manifest_id = $2',
    values: [accountId, manifestId],
  })
  return rows[0]?.document ?? null
}

export async function storeOrderSummary(
  db: Db,
  accountId: string,
  manifestId: string,
  document: Buffer,
): Promise<void> {
  await db.query({
    name: 'keep-carrier-order-summary',
    text: `insert into carrier_order_summaries (account_id, manifest_id, document) values ($1, $2, $3)
      on conflict (account_id, manifest_id) do nothing`,
    values: [accountId, manifestId, document],
  })
}
