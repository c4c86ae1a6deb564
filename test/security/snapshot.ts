import { createHash } from 'node:crypto'
import type pg from 'pg'

/** Columns that any request changes, even a rejected one. */
const OF_PRESENCE = "array['last_seen_at', 'used_at', 'last_used_at']"
const TRIES = 'login_attempts'

export type Snapshots = { take(): Promise<string> }

/** A digest of all tables: equal for equal rows. */
export async function snapshots(db: pg.Pool): Promise<Snapshots> {
  const { rows } = await db.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename <> $1 order by 1`,
    [TRIES],
  )
  const each = rows.map(
    ({ name }) =>
      `select '${name}' as name, count(*)::int as rows, coalesce(sum(hashtextextended((to_jsonb(one) - ${OF_PRESENCE})::text, 0)), 0)::text as sum from ${name} one`,
  )
  const query = { name: 'snapshot', text: each.join(' union all ') }
  return {
    async take() {
      const { rows: tables } = await db.query(query)
      return createHash('sha256').update(JSON.stringify(tables)).digest('hex')
    },
  }
}
