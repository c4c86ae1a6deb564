import { type Db, instant } from '../db/db.ts'
import { isOwnOf } from '../deliveries/event-feed.ts'
import { FEED_POSITION_OF_OLD_CURSOR } from '../deliveries/publish-events.ts'
import { STORE_OF_EVENT, selectWanted } from './webhook-queue.ts'

/** Finds the stream and position of events by id. Leaves out unknown ids and events of other stores. */
export async function locateEvents(
  db: Db,
  accountId: string,
  eventIds: readonly string[],
  storeIds: readonly string[] | null,
): Promise<{ id: string; stream: string; position: number }[]> {
  const { rows } = await db.query({
    name: 'locate-events',
    text: `select e.event_id as id, e.stream, e.position from events as e
      left join lateral (${STORE_OF_EVENT}) as d on true
      where e.account_id = $1 and e.event_id = any($2)
        and ($3::text[] is null or d.store_id = any($3) or ${isOwnOf('$3')})`,
    values: [accountId, eventIds, storeIds],
  })
  return rows
}

/** Locks the endpoint, so that it cannot be deleted before the transaction ends. False: it no longer exists. */
export async function holdWebhookEndpoint(
  db: Db,
  { accountId, endpointId }: { accountId: string; endpointId: string },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'hold-webhook-endpoint',
    text: 'select from webhook_endpoints where account_id = $1 and endpoint_id = $2 for key share',
    values: [accountId, endpointId],
  })
  return rowCount === 1
}

/** Queues a replay of the given events. */
export async function replayEvents(
  db: Db,
  { accountId, endpointId }: { accountId: string; endpointId: string },
  events: readonly { stream: string; position: number }[],
): Promise<void> {
  await db.query({
    name: 'replay-events',
    text: `insert into webhook_replays (account_id, endpoint_id, streams, positions) values ($1, $2, $3, $4)`,
    values: [accountId, endpointId, events.map((one) => one.stream), events.map((one) => one.position)],
  })
}

/** Queues a replay of all events from a time (account time), up to the endpoint's cursor. */
export async function replayFrom(
  db: Db,
  { accountId, endpointId }: { accountId: string; endpointId: string },
  fromMs: number,
): Promise<void> {
  await db.query({
    name: 'replay-from',
    text: `insert into webhook_replays (account_id, endpoint_id, from_at, until_feed_position)
      select $1, $2, $3, cursor_feed_position from webhook_endpoints
      where account_id = $1 and endpoint_id = $2`,
    values: [accountId, endpointId, instant(fromMs)],
  })
}

/** `isWhole`: false if the feed has more events than were read, so `count` is a lower bound. */
export type ReplayCount = { count: number; isWhole: boolean }

/** How many of the named events a replay would send. */
export async function countReplayEvents(
  db: Db,
  { accountId, endpointId }: { accountId: string; endpointId: string },
  events: readonly { stream: string; position: number }[],
): Promise<ReplayCount> {
  const { rows } = await db.query<{ count: number }>({
    name: 'count-replay-events',
    text: `with held as (${ENDPOINT}),
      named as (
        select e.* from unnest($3::text[], $4::bigint[]) as n(stream, position)
        join events as e on e.account_id = $1 and e.stream = n.stream and e.position = n.position),
      wanted as (${selectWanted('named')})
      select count(*)::int as count from wanted`,
    values: [accountId, endpointId, events.map((one) => one.stream), events.map((one) => one.position)],
  })
  return { count: rows[0]?.count ?? 0, isWhole: true }
}

/**
 * Counts the events that a replay from this time would send. Reads only the newest `maxRead + 1` events of the feed,
 * because the feed position of that time is unknown: an account's clock may be set.
 */
export async function countReplayFrom(
  db: Db,
  { accountId, endpointId }: { accountId: string; endpointId: string },
  fromMs: number,
  maxRead: number,
): Promise<ReplayCount> {
  const { rows } = await db.query<ReplayCount>({
    name: 'count-replay-from',
    text: `with held as (${ENDPOINT}),
      reached as materialized (
        select e.* from held cross join lateral (
          select * from events as e
          where e.account_id = $1 and e.feed_position <= held.cursor_feed_position
          order by e.feed_position desc limit $4::int + 1) as e),
      since as (select * from reached where at >= $3),
      wanted as (${selectWanted('since')})
      select count(*)::int as count, (select count(*) <= $4::int from reached) as "isWhole" from wanted`,
    values: [accountId, endpointId, instant(fromMs), maxRead],
  })
  return rows[0] ?? { count: 0, isWhole: true }
}

const ENDPOINT = `select w.event_types, w.store_ids,
    coalesce(w.cursor_feed_position, ${FEED_POSITION_OF_OLD_CURSOR('$1', 'w.cursor_tx', 'w.cursor_position')}) as cursor_feed_position
  from webhook_endpoints as w where w.account_id = $1 and w.endpoint_id = $2`
