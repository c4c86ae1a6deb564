import type { Status } from '../domain/delivery/status.ts'
import type { Db } from './deliveries.ts'

/** A place in the feed of an account: after this event. */
export type FeedPlace = { tx: string; position: number }

/** An event as it is told to the world: with what it meant when it happened. */
export type FeedEvent = FeedPlace & {
  id: string
  /** The delivery it belongs to; '' for the account's own. */
  stream: string
  type: string
  atMs: number
  from: Status | null
  /** The delivery's status after it. */
  status: Status | null
  subStatus: string | null
  consignmentNumber: string | null
  detail: string | null
  /** Its place among the events of its delivery, from 1 without gaps; 0 for the account's own. */
  sequence: number
  reference: string | null
  storeId: string | null
  storeReference: string | null
  deliveryMode: string | null
  data: Record<string, unknown> | null
}

/**
 * The columns of FeedEvent from `events as e` and what `FEED_JOINS` brings. What a delivery was at that moment
 * is read from its own earlier events, so an event says the same whenever it is told.
 */
export const FEED_COLUMNS = `e.tx::text as tx, e.position, e.event_id as id, e.stream, e.type, e.at as "atMs",
  e.from_status as "from", so_far.status, e.sub_status as "subStatus",
  so_far.consignment_number as "consignmentNumber", e.detail, so_far.sequence, d.reference,
  d.store_id as "storeId", s.reference as "storeReference", d.delivery_mode as "deliveryMode", e.data`

export const FEED_JOINS = `
  left join deliveries as d on d.account_id = e.account_id and d.delivery_id = e.stream
  left join stores as s on s.account_id = d.account_id and s.store_id = d.store_id
  cross join lateral (
    select count(*)::int as sequence,
      (array_agg(p.to_status order by p.position desc) filter (where p.to_status is not null))[1] as status,
      (array_agg(p.consignment_number order by p.position desc)
        filter (where p.consignment_number is not null))[1] as consignment_number
    from events as p
    where p.account_id = e.account_id and p.stream = e.stream and p.position <= e.position and e.stream <> ''
  ) as so_far`

/** Only what no transaction still under way can come before: so a reader who goes on from an event misses none. */
export const SETTLED = 'e.tx < pg_snapshot_xmin(pg_current_snapshot())'

/** The place after everything that readers can see by now; null where nothing has happened yet. */
export async function findFeedEnd(db: Db, accountId: string): Promise<FeedPlace | null> {
  const { rows } = await db.query<FeedPlace>({
    name: 'find-feed-end',
    text: `select e.tx::text as tx, e.position from events as e where e.account_id = $1 and ${SETTLED}
      order by e.tx desc, e.position desc limit 1`,
    values: [accountId],
  })
  return rows[0] ?? null
}

/** Events after a place, oldest first; those of the given stores only, or all. */
export async function listFeed(
  db: Db,
  accountId: string,
  { after, storeIds, limit }: { after: FeedPlace | null; storeIds: readonly string[] | null; limit: number },
): Promise<FeedEvent[]> {
  const { rows } = await db.query<FeedEvent>({
    name: 'list-feed',
    text: `select ${FEED_COLUMNS} from events as e ${FEED_JOINS}
      where e.account_id = $1 and (e.tx, e.position) > ($2::xid8, $3::bigint) and ${SETTLED}
        and ($4::text[] is null or d.store_id = any($4))
      order by e.tx, e.position limit $5`,
    values: [accountId, after?.tx ?? '0', after?.position ?? 0, storeIds, limit],
  })
  return rows
}
