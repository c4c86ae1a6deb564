import type { Pool } from 'pg'

/** Newest first. */
export async function listAccountVersionRows(
  db: Pool,
  accountId: string,
): Promise<{ version: number; appliedAtMs: number; appliedBy: string }[]> {
  const { rows } = await db.query<{ version: number; appliedAtMs: number; appliedBy: string }>(
    `select version, applied_at as "appliedAtMs", applied_by as "appliedBy"
     from account_versions where account_id = $1 order by version desc`,
    [accountId],
  )
  return rows
}

/** When the account was made a live one for the last time, by the database's clock; null: it is none. */
export async function findLiveSince(db: Pool, accountId: string): Promise<number | null> {
  const { rows } = await db.query<{ sinceMs: number | null }>({
    name: 'find-live-since',
    text: `select min(applied_at) as "sinceMs" from account_versions
      where account_id = $1 and version > coalesce((
        select version from account_versions where account_id = $1 and document->>'mode' <> 'live'
        order by version desc limit 1), 0)`,
    values: [accountId],
  })
  return rows[0]?.sinceMs ?? null
}
