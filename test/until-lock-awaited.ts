import type { Pool } from 'pg'
import { until } from './wait-until.ts'

/** Waits until `count` connections of this database wait for a lock. */
export async function untilLockAwaited(pool: Pool, count = 1): Promise<void> {
  await until(async () => {
    const { rowCount } = await pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return (rowCount ?? 0) >= count
  }, `${count} wait for a lock`)
}
