import type pg from 'pg'
import { until } from './until.ts'

/**
 * Until all that has happened is to be read in the feed. An event stands there once no older transaction is under way
 * on its server, and the databases of other test files are on the same one.
 */
export async function settledFeed(db: pg.Pool): Promise<void> {
  await until('every event is in the feed', async () => {
    const { rows } = await db.query(
      'select 1 from events where tx >= pg_snapshot_xmin(pg_current_snapshot()) limit 1',
    )
    return rows.length === 0
  })
}
