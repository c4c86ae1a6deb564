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
