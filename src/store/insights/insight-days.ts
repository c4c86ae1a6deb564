import type { PoolClient } from 'pg'
import { type Db, instant } from '../db/db.ts'
import { COUNTED_ENDED, COUNTED_EXCLUSIONS } from './ended-rows.ts'

/**
 * Materialised aggregate: tallies of past days. Each has the insight counts of a store's deliveries that ended on one
 * local day. A trigger records later changes (`insight_changes`), and a tally with a recorded change is stale.
 */

export type StoreOfAccount = { accountId: string; storeId: string }
export type Span = { fromMs: number; toMs: number }

/** How often a worker checks a store whose past days are all tallied. */
const EVERY = '1 hour'
/**
 * How long after its end a day is tallied. The trigger records no change to deliveries that ended in the hour before
 * its transaction began, so only a transaction open for two hours could be missed. Ours end within a minute.
 */
const AFTER_DAY = '3 hours'

/** Claims up to `limit` stores that are due. They are due again in an hour. */
export async function claimStoresToTally(db: Db, limit: number): Promise<StoreOfAccount[]> {
  await db.query({
    name: 'begin-insight-progress',
    text: `insert into insight_progress (account_id, store_id)
      select account_id, store_id from stores as s
      where not exists (select from insight_progress as p where p.account_id = s.account_id and p.store_id = s.store_id)
      on conflict do nothing`,
  })
  const { rows } = await db.query<StoreOfAccount>({
    name: 'claim-stores-to-tally',
    // Compare-and-set: if another process claims the row first, PostgreSQL checks `look_at` again after the wait and skips it.
    text: `update insight_progress as p set look_at = now() + $1::interval
      from (select account_id, store_id from insight_progress where look_at <= now() order by look_at limit $2) as due
      where p.account_id = due.account_id and p.store_id = due.store_id and p.look_at <= now()
      returning p.account_id as "accountId", p.store_id as "storeId"`,
    values: [EVERY, limit],
  })
  return rows
}

/** Locks the store's tallies for this transaction: an older count must not replace a newer one. */
export async function lockProgress(db: PoolClient, { accountId, storeId }: StoreOfAccount): Promise<void> {
  await db.query({
    name: 'lock-insight-progress',
    text: 'select from insight_progress where account_id = $1 and store_id = $2 for update',
    values: [accountId, storeId],
  })
}

export type ToTally = { changedAtMs: number | null; endedAtMs: number | null; untilMs: number }

/**
 * Finds when the store's first changed delivery and its first untallied one ended. Days that end by `untilMs` may be
 * tallied: they are over by both the account's clock and the database's.
 */
export async function findToTally(
  db: PoolClient,
  { accountId, storeId }: StoreOfAccount,
  { zone, nowMs }: { zone: string; nowMs: number },
): Promise<ToTally> {
  const { rows } = await db.query<ToTally>({
    name: 'find-insights-to-tally',
    text: `select until as "untilMs",
        (select min(at) from insight_changes where account_id = $1 and store_id = $2 and at < until) as "changedAtMs",
        (select min(updated_at) from deliveries
          where account_id = $1 and store_id = $2 and status in ('delivered', 'returned')
            and updated_at >= case when zone = $3 then tallied_to else '-infinity' end and updated_at < until)
          as "endedAtMs"
      from insight_progress, (select least(now(), $4::timestamptz) - interval '${AFTER_DAY}' as until) as clocks
      where account_id = $1 and store_id = $2`,
    values: [accountId, storeId, zone, instant(nowMs)],
  })
  return rows[0] as ToTally
}

/**
 * Tallies one day of a store, and deletes the records of the changes that it counted. One statement, so it sees either
 * both a change and its record, or neither.
 */
export async function tallyDay(
  db: PoolClient,
  { accountId, storeId }: StoreOfAccount,
  { fromMs, toMs }: Span,
): Promise<void> {
  await db.query({
    name: 'tally-insight-day',
    text: `with spans as (
        select $2::text as store_id, $3::timestamptz as from_at, $4::timestamptz as to_at
      ), ${COUNTED_ENDED}, ${COUNTED_EXCLUSIONS}, counted as (
        select array_agg((provider, carrier, service, status, bin, deliveries, cost_cents)::ended_tally) as ended
        from counted_ended
      ), changes as (
        delete from insight_changes where account_id = $1 and store_id = $2 and at >= $3 and at < $4
      ), replaced as (
        delete from insight_days using counted
        where account_id = $1 and store_id = $2 and from_at > $3::timestamptz - interval '2 days' and from_at < $4
          and to_at > $3 and (from_at <> $3 or counted.ended is null)
      )
      insert into insight_days (account_id, store_id, from_at, to_at, ended, exclusions)
      select $1, $2, $3, $4, ended, coalesce((
        select array_agg((rule, provider, service, deliveries, priced, cheaper, extra_cost_cents)::exclusion_tally)
        from counted_exclusions), '{}')
      from counted where ended is not null
      on conflict (account_id, store_id, from_at)
      do update set to_at = excluded.to_at, ended = excluded.ended, exclusions = excluded.exclusions`,
    values: [accountId, storeId, instant(fromMs), instant(toMs)],
  })
}

/** Saves that all days before `toMs` are tallied in this zone (null: no change). The store is due again at once. */
export async function recordProgress(
  db: PoolClient,
  { accountId, storeId }: StoreOfAccount,
  { zone, toMs }: { zone: string; toMs: number | null },
): Promise<void> {
  await db.query({
    name: 'record-insight-progress',
    text: `update insight_progress set look_at = now(),
        zone = case when $4::timestamptz is null then zone else $3 end, tallied_to = coalesce($4, tallied_to)
      where account_id = $1 and store_id = $2`,
    values: [accountId, storeId, zone, toMs === null ? null : instant(toMs)],
  })
}
