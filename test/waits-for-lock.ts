import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'

/** Until somebody in this database waits for a lock. */
export async function someoneWaits(pool: Pool): Promise<void> {
  const endMs = performance.now() + 60_000
  for (;;) {
    const { rowCount } = await pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if (rowCount) return
    if (performance.now() > endMs) throw new Error('Nobody waits for a lock.')
    await sleep(10)
  }
}
