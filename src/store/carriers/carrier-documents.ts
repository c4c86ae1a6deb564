import type { Db } from '../db/db.ts'

export type StoredLabel = { accountId: string; deliveryId: string; format: 'pdf' | 'zpl'; ref: string }

/** The label of this booking as its carrier made it; null when it has not been fetched. */
export async function findCarrierLabel(
  db: Db,
  { accountId, deliveryId, format, ref }: StoredLabel,
): Promise<Buffer | null> {
  const { rows } = await db.query<{ document: Buffer }>({
    name: 'find-carrier-label',
    text: `select document from carrier_labels
      where account_id = $1 and delivery_id = $2 and format = $3 and ref = $4`,
    values: [accountId, deliveryId, format, ref],
  })
  return rows[0]?.document ?? null
}

/** In place of one of an earlier booking. */
export async function storeCarrierLabel(
  db: Db,
  { accountId, deliveryId, format, ref }: StoredLabel,
  document: Buffer,
): Promise<void> {
  await db.query({
    name: 'keep-carrier-label',
    text: `insert into carrier_labels (account_id, delivery_id, format, ref, document, stored_at)
      values ($1, $2, $3, $4, $5, now())
      on conflict (account_id, delivery_id, format) do update
      set ref = excluded.ref, document = excluded.document, stored_at = excluded.stored_at`,
    values: [accountId, deliveryId, format, ref, document],
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
