import { type Db, instant } from '../db/db.ts'
import { FEED_COLUMNS, type FeedEvent, feedJoins, isOwnOf } from '../deliveries/event-feed.ts'
import type { DueWebhookEndpoint } from './due-webhooks.ts'

/** An event that is due to be sent to an endpoint. */
export type ReadySend = FeedEvent & {
  lane: string
  attempts: number
  firstAtMs: number | null
  traceparent: string | null
}

type Claim = Pick<DueWebhookEndpoint, 'accountId' | 'endpointId' | 'fence'>

/**
 * Reads the next page of the feed and queues the events that the endpoint subscribes to. Returns the endpoint's new
 * cursor and the number of events that it read. The cursor moves to the end of the feed even if the page is empty because
 * its events were deleted. Null: this process has lost the lease, or the endpoint is paused.
 *
 * The statement reads the end of the feed before the page. On Citus each part has its own snapshot: an end that was read
 * after the page could lie beyond events that the page has not seen, and the endpoint would never get them.
 */
export async function queueFromFeed(
  db: Db,
  { accountId, endpointId, fence, cursorFeedPosition }: DueWebhookEndpoint,
  { nowMs, leaseMs, limit }: { nowMs: number; leaseMs: number; limit: number },
): Promise<{ cursorFeedPosition: number; read: number } | null> {
  const { rows } = await db.query<{ cursorFeedPosition: number; read: number }>({
    name: 'queue-from-feed',
    text: `with held as (${HELD}),
      feed as (
        select last_feed_position from event_sequences
        where account_id = $1 and exists (select from held)),
      page as (
        select e.feed_position, e.position, e.stream, e.event_id, e.type, e.data from events as e
        where e.account_id = $1 and e.feed_position > $6 and exists (select from feed)
        order by e.feed_position limit $7),
      wanted as (${selectWanted('page')}),
      queued as (${QUEUE}),
      moved as (
        update webhook_endpoints as w set lease_until = now() + $5 * interval '1 millisecond',
          backlog = backlog + (select count(*) from queued where fresh),
          -- A page that is not full ends at the end of the feed, even if its last events have been deleted.
          cursor_feed_position = coalesce(
            case when (select count(*) from page) < $7
              then greatest((select last_feed_position from feed), (select max(feed_position) from page)) end,
            (select max(feed_position) from page), w.cursor_feed_position)
        from held where w.account_id = $1 and w.endpoint_id = $2
        returning w.cursor_feed_position)
      select cursor_feed_position as "cursorFeedPosition", (select count(*)::int from page) as read from moved`,
    values: [accountId, endpointId, fence, instant(nowMs), leaseMs, cursorFeedPosition, limit],
  })
  return rows[0] ?? null
}

/** The most events of the feed that one batch of a replay reads: millions may precede the replay's start time. */
const MAX_READ = 20_000

/**
 * Queues one batch of a replay. It reads at most `maxRead` events of the feed, because the feed position of the start
 * time is unknown: an account's clock may be set. False: no replay is left, this process has lost the lease, or the
 * endpoint is paused.
 *
 * One `with` query reads the page and its end. On Citus each part has its own snapshot: if events were deleted between
 * two reads, the end could lie beyond events that the page has not seen, and the replay would skip them.
 */
export async function queueReplay(
  db: Db,
  { accountId, endpointId, fence }: Claim,
  {
    nowMs,
    leaseMs,
    limit,
    maxRead = MAX_READ,
  }: { nowMs: number; leaseMs: number; limit: number; maxRead?: number },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'queue-replay',
    text: `with held as (${HELD}),
      asked as (
        select r.replay, r.streams, r.positions, r.from_at, r.after_feed_position,
          coalesce(r.until_feed_position, held.cursor_feed_position) as until_feed_position
        from webhook_replays as r cross join held
        where r.account_id = $1 and r.endpoint_id = $2 order by r.replay limit 1),
      named as (
        select e.feed_position, e.position, e.stream, e.event_id, e.type, e.data
        from asked cross join unnest(asked.streams, asked.positions) as n(stream, position)
        join events as e on e.account_id = $1 and e.stream = n.stream and e.position = n.position),
      reached as (
        select e.feed_position, e.position, e.stream, e.event_id, e.type, e.data,
          e.at >= asked.from_at as is_since, e.n = $7 as is_last
        from asked cross join lateral (
          select * from (
            select e.*, row_number() over (order by e.feed_position) as n from events as e
            where ${REPLAYED} order by e.feed_position limit $7) as e
          where e.at >= asked.from_at or e.n = $7 order by e.feed_position limit $6) as e
        where asked.from_at is not null),
      page as (
        select * from named union all
        select feed_position, position, stream, event_id, type, data from reached where is_since),
      wanted as (${selectWanted('page')}),
      queued as (${QUEUE}),
      -- The replay continues after the last event read if the page is full, or if it read the most events allowed.
      next as (
        select max(feed_position) as feed_position from reached having count(*) = $6 or bool_or(is_last)),
      ended as (
        delete from webhook_replays as r using asked
        where r.account_id = $1 and r.endpoint_id = $2 and r.replay = asked.replay
          and not exists (select from next)),
      going as (
        update webhook_replays as r set after_feed_position = next.feed_position from asked, next
        where r.account_id = $1 and r.endpoint_id = $2 and r.replay = asked.replay),
      counted as (
        update webhook_endpoints as w set lease_until = now() + $5 * interval '1 millisecond',
          backlog = backlog + (select count(*) from queued where fresh)
        from asked where w.account_id = $1 and w.endpoint_id = $2)
      select from asked`,
    values: [accountId, endpointId, fence, instant(nowMs), leaseMs, limit, maxRead],
  })
  return rowCount === 1
}

/** The events that the replay in `asked` has still to read. */
const REPLAYED =
  'e.account_id = $1 and e.feed_position > asked.after_feed_position and e.feed_position <= asked.until_feed_position'

/**
 * The next events to send, the longest due first, without those in flight. An event may have been erased after it was
 * queued: its send is deleted, or the endpoint would be due for ever.
 */
export async function listReadySends(
  db: Db,
  claim: Claim,
  page: { nowMs: number; limit: number; without: readonly string[] },
): Promise<ReadySend[]> {
  for (;;) {
    const found = await listDueSends(db, claim, page)
    const ready = found.filter((send) => send.id !== null) as ReadySend[]
    const hasErased = found.length > ready.length
    const isDone = !hasErased || !(await deleteErasedSends(db, claim, found))
    if (isDone || ready.length > 0) return ready
  }
}

type DueSend = (ReadySend | { id: null }) & { lane: string }

async function listDueSends(
  db: Db,
  { accountId, endpointId }: Claim,
  { nowMs, limit, without }: { nowMs: number; limit: number; without: readonly string[] },
): Promise<DueSend[]> {
  const { rows } = await db.query<DueSend>({
    name: 'list-ready-sends',
    text: `select ${FEED_COLUMNS}, w.lane, w.attempts, w.first_at as "firstAtMs", e.traceparent
      from (
        select * from webhook_sends
        where account_id = $1 and endpoint_id = $2 and due_at <= $3 and event_id <> all($5)
        order by due_at, position limit $4) as w
      left join lateral (
        select * from events where account_id = $1 and stream = w.stream and position = w.position limit 1) as e on true
      ${feedJoins('$1')}
      order by w.due_at, w.position`,
    values: [accountId, endpointId, instant(nowMs), limit, without],
  })
  return rows
}

/**
 * Deletes the sends whose events were erased, with later sends of the same delivery: an erasure removes all its events.
 * False: this process has lost the lease.
 */
async function deleteErasedSends(
  db: Db,
  { accountId, endpointId, fence }: Claim,
  found: readonly DueSend[],
): Promise<boolean> {
  const lanes = found.filter(({ id }) => id === null).map(({ lane }) => lane)
  const { rowCount } = await db.query({
    name: 'delete-erased-sends',
    text: `with held as (${HELD}),
      gone as (
        delete from webhook_sends as s using held
        where s.account_id = $1 and s.endpoint_id = $2 and s.lane = any($4)
        returning s.position)
      update webhook_endpoints as w set backlog = greatest(0, backlog - (select count(*) from gone))
      from held where w.account_id = $1 and w.endpoint_id = $2`,
    values: [accountId, endpointId, fence, lanes],
  })
  return rowCount === 1
}

/** The endpoint, if this process holds its lease and it is not paused. Its row stays locked until the statement ends. */
const HELD = `select event_types, store_ids, cursor_feed_position from webhook_endpoints
  where account_id = $1 and endpoint_id = $2 and fence = $3 and paused_at is null for update`

/** `limit 1` makes PostgreSQL look each delivery up by its key, in accounts of any size: see `feedJoins`. */
export const STORE_OF_EVENT = `
  select store_id from deliveries where account_id = $1 and delivery_id = e.stream limit 1`

/** The events of a page that the endpoint subscribes to. Each of the account's own events has its own lane. */
export function selectWanted(page: string): string {
  return `select e.*, case when e.stream = '' then e.event_id else e.stream end as lane
    from ${page} as e cross join held
    left join lateral (${STORE_OF_EVENT}) as d on true
    where (held.event_types is null or e.type = any(held.event_types))
      and (held.store_ids is null or d.store_id = any(held.store_ids) or ${isOwnOf('held.store_ids')})`
}

/**
 * If a lane has no queued events, its first event is due now. All other events wait for their turn. An event that is
 * already queued starts again with zero attempts; if it has a due time, it is due now.
 */
const QUEUE = `insert into webhook_sends as s (account_id, endpoint_id, lane, position, stream, event_id, due_at)
  select $1, $2, lane, position, stream, event_id,
    case when row_number() over (partition by lane order by position) = 1
      and not exists (select from webhook_sends as b
        where b.account_id = $1 and b.endpoint_id = $2 and b.lane = wanted.lane)
    then $4::timestamptz end
  from wanted
  on conflict (account_id, endpoint_id, lane, position) do update
    set due_at = case when s.due_at is not null then $4::timestamptz end, attempts = 0, first_at = null
  returning xmax = 0 as fresh`
