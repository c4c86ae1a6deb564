import type { Pool, PoolClient } from 'pg'

/** How many rows of a table the database read for `work`, which is one transaction. */
export async function rowsRead(
  pool: Pool,
  table: string,
  work: (db: PoolClient) => Promise<unknown>,
): Promise<number> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const before = await readSoFar(client, table)
    await work(client)
    return (await readSoFar(client, table)) - before
  } finally {
    await client.query('commit')
    client.release()
  }
}

/** Rows read by sequential scans and by index scans. */
async function readSoFar(db: PoolClient, table: string): Promise<number> {
  const { rows } = await db.query<{ read: number }>(
    `select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_xact_user_tables where relname = $1`,
    [table],
  )
  return rows[0]?.read ?? 0
}
