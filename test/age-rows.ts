import type { Pool } from 'pg'

/** What is counted by the wall clock (tries, codes, links) ends a minute earlier. */
export async function aMinuteLater(db: Pool): Promise<void> {
  await db.query(`update login_attempts set ends_at = ends_at - interval '61 seconds'`)
}
