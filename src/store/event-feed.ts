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

/**
 * Whether `events as e` is told of no delivery but of these stores, and of no other: it names its store, or has ranked
 * them. A condition that the planner takes for likely, so that it reads on in the feed's order.
 */
export function isOwnOf(stores: string): string {
  return `e.stream = '' and case
    when e.data->>'store_id' is not null then e.data->>'store_id' = any(${stores})
    when e.type = 'allocation.completed' then coalesce(
      (select bool_and(r->>'store_id' = any(${stores})) from json_array_elements(e.data->'store_allocation_ranks') as r),
      (select bool_and(id = any(${stores})) from json_array_elements_text(e.data->'store_ids') as id))
  end`
}

/** The end of every feed. */
const LAST_TX = '18446744073709551615'
const LAST_POSITION = '9223372036854775807'

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

/** Events after a place, oldest first; those of the given stores and of no other, or all. */
export async function listFeed(
  db: Db,
  accountId: string,
  { after, storeIds, limit }: { after: FeedPlace | null; storeIds: readonly string[] | null; limit: number },
): Promise<FeedEvent[]> {
  const page = [accountId, after?.tx ?? '0', after?.position ?? 0, limit]
  const { rows } = await db.query<FeedEvent>(
    storeIds === null
      ? { name: 'list-feed', text: FEED, values: page }
      : { name: 'list-feed-of-stores', text: FEED_OF_STORES, values: [...page, storeIds] },
  )
  return rows
}

const AFTER = `e.account_id = $1 and (e.tx, e.position) > ($2::xid8, $3::bigint) and ${SETTLED}`

const FEED = `select ${FEED_COLUMNS} from events as e ${FEED_JOINS}
  where ${AFTER} order by e.tx, e.position limit $4`

// Of deliveries by their stores, then what is told besides, no further than that page goes.
const FEED_OF_STORES = `
with of_deliveries as materialized (
  select e.* from events as e join deliveries as d on d.account_id = e.account_id and d.delivery_id = e.stream
  where ${AFTER} and d.store_id = any($5) order by e.tx, e.position limit $4
), own as (
  select e.* from (select) as page
  left join (select tx, position from of_deliveries order by tx, position offset $4 - 1) as last on true
  cross join lateral (
    select e.* from events as e
    where ${AFTER} and ${isOwnOf('$5')}
      and (e.tx, e.position) <= (coalesce(last.tx, '${LAST_TX}'::xid8), coalesce(last.position, ${LAST_POSITION}))
    order by e.tx, e.position limit $4) as e
)
select ${FEED_COLUMNS}
from (select * from of_deliveries union all select * from own order by tx, position limit $4) as e ${FEED_JOINS}
order by e.tx, e.position`
