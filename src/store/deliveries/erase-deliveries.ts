import type { PoolClient } from 'pg'
import type { DeliveryContent } from '../../domain/delivery/delivery.ts'
import { erasedContent } from '../../domain/delivery/erased.ts'
import { instant } from '../db/db.ts'

/**
 * Rows that belong to deliveries and are erased with their customer. The intents are last, because the others are found
 * through them.
 */
const PARTS = [
  'messages',
  'carrier_events',
  'carrier_labels',
  'courier_offers',
  'courier_positions',
  'delivery_proofs',
  'orphaned_bookings',
  'booking_intents',
] as const

type Erasure = {
  accountId: string
  deliveryIds: readonly string[]
  /** The names under which the sandbox's carriers keep their own records. */
  sandboxCarriers: readonly string[]
  /** Account time. */
  nowMs: number
}

/**
 * Keeps a delivery from being erased until the transaction ends. False: it is already erased, so nothing of it may be
 * stored.
 */
export async function lockUnlessErased(
  db: PoolClient,
  accountId: string,
  deliveryId: string,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'lock-delivery-unless-erased',
    text: `select from deliveries where account_id = $1 and delivery_id = $2 and erased_at is null for key share`,
    values: [accountId, deliveryId],
  })
  return rowCount !== 0
}

/**
 * Erases deliveries to what `erasedContent` leaves, with all their events, messages and proofs. An open delivery ends
 * as cancelled and no worker processes it any more. Erased deliveries stay unchanged.
 */
export async function eraseDeliveries(
  db: PoolClient,
  { accountId, deliveryIds, sandboxCarriers, nowMs }: Erasure,
): Promise<void> {
  const { rows } = await db.query<{ delivery_id: string; content: DeliveryContent }>({
    name: 'lock-deliveries-to-erase',
    text: `select delivery_id, content from deliveries
      where account_id = $1 and delivery_id = any($2) and erased_at is null order by delivery_id for update`,
    values: [accountId, deliveryIds],
  })
  if (rows.length === 0) return
  const ids = rows.map(({ delivery_id }) => delivery_id)
  const contents = rows.map(({ content }) => JSON.stringify(erasedContent(content)))
  await db.query({
    name: 'erase-deliveries',
    text: ERASE,
    values: [accountId, ids, contents, instant(nowMs)],
  })
  await db.query({ name: 'erase-events', text: forget('stream = any($2)'), values: [accountId, ids] })
  const booked = [accountId, ids, sandboxCarriers]
  await db.query({ name: 'erase-sandbox-bookings', text: SANDBOX, values: booked })
  for (const table of PARTS) {
    await db.query({
      name: `erase-${table}`,
      text: `delete from ${table} where account_id = $1 and delivery_id = any($2)`,
      values: [accountId, ids],
    })
  }
}

const ERASE = `update deliveries as d
  set content = e.content, content_version = content_version + 1, erased_at = $4, decision = null, search_key = null,
    status = case when status in ('delivered', 'returned') then status else 'cancelled' end,
    status_reason = null, attention = null, cancel_reason = null, dead_lettered_at = null, dead_letter_reason = null, cancel_requested_at = null,
    replan_requested = false, pending_attempt = null, due_at = null, lease_until = null, fence = fence + 1, has_proof = false,
    manifest_status = case when manifest_status in ('pending', 'ready') then 'not_required' else manifest_status end
  from unnest($2::text[], $3::json[]) as e(delivery_id, content)
  where d.account_id = $1 and d.delivery_id = e.delivery_id`

const SANDBOX = `delete from sandbox_consignments as c using booking_intents as i
  where i.account_id = $1 and i.delivery_id = any($2)
    and c.account_id = $1 and c.carrier = any($3) and (c.reference = i.key or c.idempotency_key = i.key)`

/**
 * Deleted events are not sent any more: pending webhook sends are deleted with them. Locks an endpoint before its
 * sends, in the same order as the webhook workers.
 */
const forget = (which: string): string => `with lanes as (
    select distinct case when stream = '' then event_id else stream end as lane
    from events where account_id = $1 and ${which}),
  held as (
    select w.endpoint_id from webhook_endpoints as w
    where w.account_id = $1 and exists (
      select from webhook_sends as s join lanes using (lane)
      where s.account_id = $1 and s.endpoint_id = w.endpoint_id)
    order by w.endpoint_id for no key update),
  gone as (delete from events where account_id = $1 and ${which} returning event_id),
  unsent as (
    delete from webhook_sends as s using held, lanes
    where s.account_id = $1 and s.endpoint_id = held.endpoint_id and s.lane = lanes.lane
    returning s.endpoint_id),
  counted as (
    update webhook_endpoints as w set backlog = greatest(0, backlog - u.sends)
    from (select endpoint_id, count(*) as sends from unsent group by 1) as u
    where w.account_id = $1 and w.endpoint_id = u.endpoint_id)
  select count(*)::int as gone from gone`

/** Deletes up to `batch` of the account's own events from before the moment, oldest first; returns their number. */
export async function purgeOwnEvents(
  db: PoolClient,
  accountId: string,
  beforeMs: number,
  batch: number,
): Promise<number> {
  const { rows } = await db.query<{ gone: number }>({
    name: 'forget-own-events',
    text: forget(`stream = '' and at < $2 and position = any (array(
      select position from events where account_id = $1 and stream = '' order by position limit $3))`),
    values: [accountId, instant(beforeMs), batch],
  })
  return rows[0]?.gone ?? 0
}

/**
 * The other rows about one delivery, found without an index because this is rare: the link it was booked by, stored
 * idempotency responses, the carrier's data in its manifest, and the sandbox's own records.
 */
export async function eraseBesides(
  db: PoolClient,
  { accountId, deliveryIds }: Pick<Erasure, 'accountId' | 'deliveryIds'>,
): Promise<void> {
  const statements = [
    `delete from messages where account_id = $1 and link_id in (
       select link_id from links where account_id = $1 and delivery_id = any($2))`,
    'delete from links where account_id = $1 and delivery_id = any($2)',
    `delete from idempotency_keys where account_id = $1
       and (delivery_id = any($2) or body like any (select '%' || id || '%' from unnest($2::text[]) as id))`,
    `delete from carrier_order_summaries as s using manifest_deliveries as m
     where s.account_id = $1 and m.account_id = $1 and m.manifest_id = s.manifest_id and m.delivery_id = any($2)`,
    `delete from sandbox_consignments as c using deliveries as d
     where c.account_id = $1 and d.account_id = $1 and d.delivery_id = any($2) and c.merchant_reference = d.reference`,
  ]
  for (const text of statements) await db.query(text, [accountId, deliveryIds])
}
