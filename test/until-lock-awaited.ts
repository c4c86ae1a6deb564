import type { Pool } from 'pg'
import { engineOf } from '../src/store/db/engine.ts'
import { until } from './wait-until.ts'

/** Waits until `count` connections of this database wait for a lock. On Citus they wait on the nodes. */
export async function untilLockAwaited(pool: Pool, count = 1): Promise<void> {
  const activity = engineOf(pool) === 'citus' ? 'citus_stat_activity' : 'pg_stat_activity'
  await until(async () => {
    const { rowCount } = await pool.query(
      `select from ${activity} where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return (rowCount ?? 0) >= count
  }, `${count} wait for a lock`)
}
