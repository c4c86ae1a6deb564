import type { Pool } from 'pg'

/**
 * Takes one of `most` requests in each `perMs` of wall time, for all processes together: a bucket that fills
 * evenly, kept as the moment when it will be full again. Answers 0 when it was taken, else how many milliseconds
 * to wait.
 */
export async function takeFromBudget(
  db: Pool,
  accountId: string,
  name: string,
  { most, perMs }: { most: number; perMs: number },
): Promise<number> {
  const eachMs = perMs / most
  const { rows } = await db.query<{ waitMs: number }>({
    name: 'take-from-budget',
    text: `insert into carrier_budgets as budget (account_id, name, full_at)
      values ($1, $2, clock_timestamp() + $3 * interval '1 millisecond')
      on conflict (account_id, name) do update
      set full_at = greatest(budget.full_at, clock_timestamp()) + $3 * interval '1 millisecond'
      where greatest(budget.full_at, clock_timestamp()) + $3 * interval '1 millisecond'
        <= clock_timestamp() + $4 * interval '1 millisecond'
      returning 0 as "waitMs"`,
    values: [accountId, name, eachMs, perMs],
  })
  return rows.length > 0 ? 0 : waitFor(db, accountId, name, eachMs, perMs)
}

async function waitFor(
  db: Pool,
  accountId: string,
  name: string,
  eachMs: number,
  perMs: number,
): Promise<number> {
  const { rows } = await db.query<{ waitMs: number }>({
    name: 'wait-for-budget',
    text: `select greatest(1, ceil(extract(epoch from full_at - clock_timestamp()) * 1000 + $3 - $4))::int as "waitMs"
      from carrier_budgets where account_id = $1 and name = $2`,
    values: [accountId, name, eachMs, perMs],
  })
  return rows[0]?.waitMs ?? 1
}
