import type { Pool } from 'pg'
import type { Finding } from '../cli/deps.ts'
import { good, wrong } from './finding.ts'

/** Events are told in the order of transaction numbers; after a restore from a dump the new cluster's are behind. */
export async function checkFeed(db: Pool): Promise<Finding> {
  const { rows } = await db.query<{ behind: string | null }>(
    `select (max(e.tx)::text::numeric - pg_snapshot_xmax(pg_current_snapshot())::text::numeric)::text as behind
     from accounts as a cross join lateral (
       select tx from events where account_id = a.account_id order by tx desc, position desc limit 1) as e`,
  )
  return Number(rows[0]?.behind ?? -1) < 0
    ? good('events', 'Whatever has happened can be told.')
    : wrong(
        'events',
        'Events are of a later transaction than any of this database, as after a restore from a dump: none is told.',
        'psql "$DATABASE_URL" -f docs/operations/after-restore.sql',
      )
}
