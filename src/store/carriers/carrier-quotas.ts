import type { Db } from '../db/db.ts'

/** At most `most` requests in any `perMs` of wall time. */
export type QuotaLimit = { name: string; most: number; perMs: number }

/** A request of the limit that may be made now (`taken`: what it is given up by), or when the next one is free. */
export type QuotaTurn = { taken: string; waitMs: 0 } | { taken: null; waitMs: number }

/** Takes one request of a carrier's limit, for all processes together. */
export async function takeFromQuota(
  db: Db,
  accountId: string,
  { name, most, perMs }: QuotaLimit,
): Promise<QuotaTurn> {
  const took = await db.query<{ taken: string }>({
    name: 'take-from-budget',
    text: `insert into carrier_budgets as budget (account_id, name, taken)
      values ($1, $2, array[clock_timestamp()])
      on conflict (account_id, name) do update
      set taken = array(${RECENT}) || clock_timestamp()
      where (select count(*) from (${RECENT}) as recent) < $4
      returning taken[cardinality(taken)]::text as taken`,
    values: [accountId, name, perMs, most],
  })
  const [turn] = took.rows
  if (turn) return { taken: turn.taken, waitMs: 0 }
  const { rows } = await db.query<{ waitMs: number }>({
    name: 'wait-for-budget',
    text: `select greatest(1, ceil(extract(epoch from
          (select min(at) from (${RECENT}) as recent) - clock_timestamp()) * 1000 + $3))::int as "waitMs"
      from carrier_budgets as budget where account_id = $1 and name = $2`,
    values: [accountId, name, perMs],
  })
  return { taken: null, waitMs: rows[0]?.waitMs ?? 1 }
}

/**
 * The request is over. It counts from now on: a carrier counts what reaches it, and that was at the latest now, however
 * long it was on its way.
 */
export async function endQuotaTurn(db: Db, accountId: string, name: string, taken: string): Promise<void> {
  await db.query({
    name: 'end-budget-turn',
    text: `update carrier_budgets set taken = array_replace(taken, $3::timestamptz, clock_timestamp())
      where account_id = $1 and name = $2`,
    values: [accountId, name, taken],
  })
}

const RECENT = `select at from unnest(budget.taken) as at where at > clock_timestamp() - $3 * interval '1 millisecond'`
