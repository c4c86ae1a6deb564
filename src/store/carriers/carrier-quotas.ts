import type { Db } from '../db/db.ts'
import { engineOf } from '../db/engine.ts'

/** At most `max` requests in any `perMs` of wall time. */
export type QuotaLimit = { name: string; max: number; perMs: number }

/** A request that may start now (`endQuotaTurn` finds it by `startedAt`), or the wait until one may. */
export type QuotaTurn = { startedAt: string; waitMs: 0 } | { startedAt: null; waitMs: number }

/** Takes one request of a carrier's limit, for all processes together. */
export async function takeFromQuota(
  db: Db,
  accountId: string,
  { name, max, perMs }: QuotaLimit,
): Promise<QuotaTurn> {
  const onCitus = engineOf(db) === 'citus'
  // Citus takes no subquery in an insert: the row is made first, and then changed.
  if (onCitus)
    await db.query({
      name: 'begin-quota',
      text: `insert into carrier_quotas (account_id, name, request_times) values ($1, $2, '{}') on conflict do nothing`,
      values: [accountId, name],
    })
  const took = await db.query<{ startedAt: string }>({
    name: onCitus ? 'take-from-quota-row' : 'take-from-quota',
    text: onCitus
      ? TAKE_FROM_ROW
      : `insert into carrier_quotas as quota (account_id, name, request_times)
      values ($1, $2, array[clock_timestamp()])
      on conflict (account_id, name) do update
      set request_times = array(${RECENT}) || clock_timestamp()
      where (select count(*) from (${RECENT}) as recent) < $4
      returning request_times[cardinality(request_times)]::text as "startedAt"`,
    values: [accountId, name, perMs, max],
    ...(onCitus && { types: AS_TEXT }),
  })
  const [turn] = took.rows
  if (turn) return { startedAt: turn.startedAt, waitMs: 0 }
  const { rows } = await db.query<{ waitMs: number }>({
    name: 'wait-for-quota',
    text: `select greatest(1, ceil(extract(epoch from
          (select min(at) from (${RECENT}) as recent) - clock_timestamp()) * 1000 + $3))::int as "waitMs"
      from carrier_quotas as quota where account_id = $1 and name = $2`,
    values: [accountId, name, perMs],
  })
  return { startedAt: null, waitMs: rows[0]?.waitMs ?? 1 }
}

/**
 * The request is over. It counts from now on: a carrier counts what reaches it, and that was at the latest now, however
 * long it was on its way.
 */
export async function endQuotaTurn(
  db: Db,
  accountId: string,
  name: string,
  startedAt: string,
): Promise<void> {
  await db.query({
    name: 'end-quota-turn',
    text: `update carrier_quotas set request_times = array_replace(request_times, $3::timestamptz, statement_timestamp())
      where account_id = $1 and name = $2`,
    values: [accountId, name, startedAt],
  })
}

/** Citus allows no cast to text in `returning`, and our timestamp parser would drop the microseconds. */
const AS_TEXT = { getTypeParser: () => (text: string) => text }

const TAKE_FROM_ROW = `update carrier_quotas as quota set request_times = (
    select coalesce(array_agg(at), '{}') from unnest(quota.request_times) as at
    where at > statement_timestamp() - $3 * interval '1 millisecond') || statement_timestamp()
  where account_id = $1 and name = $2 and (
    select count(*) from unnest(quota.request_times) as at
    where at > statement_timestamp() - $3 * interval '1 millisecond') < $4
  returning request_times[cardinality(request_times)] as "startedAt"`

const RECENT = `select at from unnest(quota.request_times) as at where at > clock_timestamp() - $3 * interval '1 millisecond'`
