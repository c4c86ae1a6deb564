import type { Db } from '../db/db.ts'
import { engineOf } from '../db/engine.ts'

export type Published = {
  count: number
  /** Every event after `from` that was committed before the call has its place. */
  isDone: boolean
  /** No event that was written before the call has a higher position. */
  highest: number
  /** Only on Citus: the accounts that are not done. */
  remaining?: string[]
}

/** Events of one account that one statement publishes. */
const MAX_PUBLISHED = 1_000

/**
 * Transactional outbox: gives the committed events of these accounts that have no place yet the next places of their
 * account, in the order of their positions. Only then do readers and webhooks see them. On Citus, that is the order in
 * which they were written only within a delivery.
 *
 * One publisher at a time for each account: it holds the account's row of `event_sequences` for this one statement, so
 * that a process which stops keeps nobody waiting. A second publisher passes over an account that is held.
 */
export async function publishEvents(
  db: Db,
  accountIds: readonly string[],
  /** Only events that were written after this position; 0: all. */
  from = 0,
): Promise<Published> {
  if (engineOf(db) === 'citus') return publishByAccount(db, accountIds, from)
  const { rows } = await db.query<Published>({
    name: 'publish-events',
    text: PUBLISH,
    values: [accountIds, MAX_PUBLISHED, from],
  })
  return rows[0] as Published
}

/**
 * `held` has only accounts whose row is unchanged since this statement's snapshot: if another publisher was quicker,
 * its events look unpublished in the snapshot. Events of one delivery are written under the delivery's row lock, so the
 * first of two has the lower position and is visible wherever the second is. If only events after $3 are read, events
 * of a delivery with an earlier unpublished one are left for the full pass.
 */
const PUBLISH = `
with waiting as materialized (
  select a.account_id, s.last_feed_position
  from unnest($1::text[]) as a(account_id) left join event_sequences as s using (account_id)
  where exists (
    select from events as e where e.account_id = a.account_id and e.feed_position is null and e.position > $3::bigint)
), begun as (
  -- The release before this makes accounts without.
  insert into event_sequences (account_id) select account_id from waiting where last_feed_position is null
  on conflict do nothing
), held as materialized (
  select s.account_id, s.last_feed_position from event_sequences as s
  join waiting as w on w.account_id = s.account_id and w.last_feed_position = s.last_feed_position
  order by s.account_id for no key update of s skip locked
), fresh as materialized (
  select h.account_id, e.stream, e.position, e.ctid, e.tableoid,
    h.last_feed_position + row_number() over (partition by h.account_id order by e.position) as feed_position
  from held as h cross join lateral (
    select e.ctid, e.tableoid, e.stream, e.position from events as e
    where e.account_id = h.account_id and e.feed_position is null and e.position > $3
      and ($3 = 0 or e.stream = '' or not exists (
        select from events as p where p.account_id = e.account_id and p.stream = e.stream
          and p.position <= $3 and p.feed_position is null))
    order by e.position limit $2) as e
), published as (
  -- The release before this writes no reference.
  update events as e set feed_position = f.feed_position, reference = case
      when e.reference is not null or e.stream = '' then e.reference
      else (select d.reference from deliveries as d where d.account_id = e.account_id and d.delivery_id = e.stream) end
  from fresh as f
  where e.ctid = f.ctid and e.tableoid = f.tableoid
), counted as (
  update event_sequences as s set last_feed_position = n.last_feed_position
  from (select account_id, max(feed_position) as last_feed_position from fresh group by account_id) as n
  where s.account_id = n.account_id
)
select (select count(*)::int from fresh) as count, (select last_value from events_position_seq) as highest, not exists (
  select from waiting as w
  where $2 <= (select count(*) from fresh as f where f.account_id = w.account_id)
    or not exists (select from fresh as f where f.account_id = w.account_id)) as "isDone"`

/** The same on Citus, one statement an account. No release before it wrote events there. */
async function publishByAccount(db: Db, accountIds: readonly string[], from: number): Promise<Published> {
  const remaining: string[] = []
  const highest = await findHighestPosition(db)
  let count = 0
  for (const accountId of accountIds) {
    const { rows } = await db.query<{ count: number; isDone: boolean }>({
      name: 'publish-events-of-account',
      text: PUBLISH_OF_ACCOUNT,
      values: [accountId, MAX_PUBLISHED, from],
    })
    count += rows[0]?.count ?? 0
    if (!rows[0]?.isDone) remaining.push(accountId)
  }
  return { count, isDone: remaining.length === 0, highest, remaining }
}

async function findHighestPosition(db: Db): Promise<number> {
  const { rows } = await db.query<{ last_value: number }>({
    name: 'find-highest-position',
    text: 'select last_value from events_position_seq',
  })
  return rows[0]?.last_value ?? 0
}

const PUBLISH_OF_ACCOUNT = `
with waiting as materialized (
  select last_feed_position from event_sequences where account_id = $1
), held as materialized (
  select s.last_feed_position from event_sequences as s join waiting as w using (last_feed_position)
  where s.account_id = $1 for no key update of s skip locked
), fresh as materialized (
  select e.stream, e.position, h.last_feed_position + row_number() over (order by e.position) as feed_position
  from (
    select e.stream, e.position from events as e
    where e.account_id = $1 and e.feed_position is null and e.position > $3::bigint
      and ($3 = 0 or e.stream = '' or not exists (
        select from events as p where p.account_id = $1 and p.stream = e.stream
          and p.position <= $3 and p.feed_position is null))
    order by e.position limit $2) as e cross join held as h
), published as (
  update events as e set feed_position = f.feed_position from fresh as f
  where e.account_id = $1 and e.stream = f.stream and e.position = f.position
), counted as (
  update event_sequences as s set last_feed_position = n.last_feed_position
  from (select max(feed_position) as last_feed_position from fresh) as n
  where s.account_id = $1 and n.last_feed_position is not null
)
select (select count(*)::int from fresh) as count,
  (select count(*) from held) > 0 and (select count(*) from fresh) < $2 as "isDone"`

/** The accounts that have committed events without a place: a skip scan, one index descent an account. */
export async function findUnpublishedAccounts(db: Db): Promise<string[]> {
  const { rows } = await db.query<{ account_id: string }>({
    name: 'find-unpublished-accounts',
    text:
      engineOf(db) === 'citus'
        ? 'select distinct account_id from events where feed_position is null'
        : `with recursive unpublished as (
      (select account_id from events where feed_position is null order by account_id, position limit 1)
      union all
      select n.account_id from unpublished as u cross join lateral (
        select e.account_id from events as e where e.feed_position is null and e.account_id > u.account_id
        order by e.account_id, e.position limit 1) as n)
    select account_id from unpublished`,
  })
  return rows.map(({ account_id }) => account_id)
}

/** The place of the newest event that readers see; 0 if there is no event yet. */
export async function findLastFeedPosition(db: Db, accountId: string): Promise<number> {
  const { rows } = await db.query<{ last_feed_position: number }>({
    name: 'find-last-place',
    text: 'select last_feed_position from event_sequences where account_id = $1',
    values: [accountId],
  })
  return rows[0]?.last_feed_position ?? 0
}

/**
 * The place of the last event up to (tx, position), as in cursors of the previous release: among the events that were
 * published then, whose places are in that order, so a reader that continues from it misses no event.
 */
export const FEED_POSITION_OF_OLD_CURSOR = (
  account: string,
  tx: string,
  position: string,
): string => `coalesce((
  select e.feed_position from event_sequences as s join events as e using (account_id)
  where s.account_id = ${account} and e.feed_position <= s.backfilled_to and (e.tx, e.position) <= (${tx}, ${position})
  order by e.feed_position desc limit 1), 0)`

/** Where a reader with a cursor of the previous release continues. */
export async function findFeedPosition(
  db: Db,
  accountId: string,
  { tx, position }: { tx: string; position: number },
): Promise<number> {
  const { rows } = await db.query<{ feedPosition: number }>({
    name: 'find-place-of-old-cursor',
    text: `select ${FEED_POSITION_OF_OLD_CURSOR('$1', '$2::xid8', '$3::bigint')} as "feedPosition"`,
    values: [accountId, tx, position],
  })
  return rows[0]?.feedPosition ?? 0
}
