import type { Status } from '../../domain/delivery/status.ts'
import type { Db } from '../db/db.ts'

/** A published event as readers see it, with the delivery's state at that time. */
export type FeedEvent = {
  /** Its position in its account's feed: grows in the order in which events were committed. */
  feedPosition: number
  /** Its order among the events of its delivery. */
  position: number
  id: string
  /** The delivery it belongs to; '' for the account's own. */
  stream: string
  type: string
  atMs: number
  from: Status | null
  /** The delivery's status after the event. */
  status: Status | null
  subStatus: string | null
  consignmentNumber: string | null
  detail: string | null
  /** Its number among the events of its delivery, from 1 without gaps; 0 for the account's own events. */
  sequence: number
  /** As it was then; null for the account's own events. */
  reference: string | null
  storeId: string | null
  storeReference: string | null
  deliveryMode: string | null
  data: Record<string, unknown> | null
}

/**
 * The columns of FeedEvent from `events as e` and the tables of `feedJoins`. The delivery's state at that moment is
 * read from its own earlier events and, for fields that can be amended, stored with the event, so an event never
 * changes. Store and mode of a delivery never change.
 */
export const FEED_COLUMNS = `e.feed_position as "feedPosition", e.position, e.event_id as id, e.stream, e.type, e.at as "atMs",
  e.from_status as "from", so_far.status, e.sub_status as "subStatus",
  so_far.consignment_number as "consignmentNumber", e.detail, so_far.sequence, e.reference,
  d.store_id as "storeId", d.store_reference as "storeReference", d.delivery_mode as "deliveryMode", e.data`

/**
 * `account`: the parameter with the account of the events. It lets Citus see that all rows are in one shard. `limit 1`
 * makes PostgreSQL look each delivery up by its key. Without it, a generic plan reads all deliveries of the account,
 * because it expects an account of average size.
 *
 * A delivery that is requested or on hold has no consignment number. Events with these statuses may carry the number
 * that was released, as may notes written beside them, so a number counts only from a later status.
 */
export function feedJoins(account: string): string {
  return `
  left join lateral (
    select o.store_id, o.delivery_mode, s.reference as store_reference
    from deliveries as o left join stores as s on s.account_id = ${account} and s.store_id = o.store_id
    where o.account_id = ${account} and o.delivery_id = e.stream limit 1
  ) as d on true
  cross join lateral (
    select count(*)::int as sequence,
      (array_agg(p.to_status order by p.position desc) filter (where p.to_status is not null))[1] as status,
      nullif((array_agg(p.number order by p.position desc) filter (where p.number is not null))[1], '') as consignment_number
    from (
      select q.position, q.to_status, case when q.to_status in ('requested', 'on_hold') then ''
        when q.to_status is not null then q.consignment_number end as number
      from events as q
      where q.account_id = ${account} and q.stream = e.stream and q.position <= e.position and e.stream <> ''
    ) as p
  ) as so_far`
}

/**
 * SQL condition: the event is one of the account's own (`stream = ''`) and concerns only these stores. Either its
 * `store_id` is one of them, or it is an `allocation.completed` event that names no other store. The planner expects most
 * events to match, so it keeps reading in the feed's order.
 */
export function isOwnOf(stores: string): string {
  return `e.stream = '' and case
    when e.data->>'store_id' is not null then e.data->>'store_id' = any(${stores})
    when e.type = 'allocation.completed' then coalesce(
      (select bool_and(r->>'store_id' = any(${stores})) from json_array_elements(e.data->'store_allocation_ranks') as r),
      (select bool_and(id = any(${stores})) from json_array_elements_text(e.data->'store_ids') as id))
  end`
}

/** Events after a position in the feed, oldest first; those of only the given stores, or all. */
export async function listFeed(
  db: Db,
  accountId: string,
  { after, storeIds, limit }: { after: number; storeIds: readonly string[] | null; limit: number },
): Promise<FeedEvent[]> {
  const page = [accountId, after, limit]
  const { rows } = await db.query<FeedEvent>(
    storeIds === null
      ? { name: 'list-feed', text: FEED, values: page }
      : { name: 'list-feed-of-stores', text: FEED_OF_STORES, values: [...page, storeIds] },
  )
  return rows
}

const AFTER = 'e.account_id = $1 and e.feed_position > $2'

const FEED = `select ${FEED_COLUMNS}
  from (select e.* from events as e where ${AFTER} order by e.feed_position limit $3) as e ${feedJoins('$1')}
  order by e.feed_position`

/** The largest bigint: no feed position is higher. */
const LAST_FEED_POSITION = '9223372036854775807'

// Reads the events of the stores' deliveries first, then the account's own events, up to the last position of that page.
const FEED_OF_STORES = `
with of_deliveries as materialized (
  select e.* from events as e
  where ${AFTER} and (
    select d.store_id from deliveries as d where d.account_id = $1 and d.delivery_id = e.stream limit 1) = any($4)
  order by e.feed_position limit $3
), own as (
  select e.* from events as e
  where ${AFTER} and ${isOwnOf('$4')} and e.feed_position <= coalesce(
    (select max(feed_position) from of_deliveries having count(*) = $3), ${LAST_FEED_POSITION})
  order by e.feed_position limit $3
)
select ${FEED_COLUMNS}
from (select * from of_deliveries union all select * from own order by feed_position limit $3) as e ${feedJoins('$1')}
order by e.feed_position`
