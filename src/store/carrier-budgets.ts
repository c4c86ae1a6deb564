import type { Db } from './deliveries.ts'

/** At most `most` requests in any `perMs` of wall time. */
export type BudgetLimit = { name: string; most: number; perMs: number }

/**
 * Takes one request of a carrier's limit, for all processes together. Answers 0 when it was taken, else after how
 * many milliseconds the next one is free.
 */
export async function takeFromBudget(
  db: Db,
  accountId: string,
  { name, most, perMs }: BudgetLimit,
): Promise<number> {
  const { rowCount } = await db.query({
    name: 'take-from-budget',
    text: `insert into carrier_budgets as budget (account_id, name, taken)
      values ($1, $2, array[clock_timestamp()])
      on conflict (account_id, name) do update
      set taken = array(${RECENT}) || clock_timestamp()
      where (select count(*) from (${RECENT}) as recent) < $4`,
    values: [accountId, name, perMs, most],
  })
  if (rowCount === 1) return 0
  const { rows } = await db.query<{ waitMs: number }>({
    name: 'wait-for-budget',
    text: `select greatest(1, ceil(extract(epoch from
          (select min(at) from (${RECENT}) as recent) - clock_timestamp()) * 1000 + $3))::int as "waitMs"
      from carrier_budgets as budget where account_id = $1 and name = $2`,
    values: [accountId, name, perMs],
  })
  return rows[0]?.waitMs ?? 1
}

const RECENT = `select at from unnest(budget.taken) as at where at > clock_timestamp() - $3 * interval '1 millisecond'`
