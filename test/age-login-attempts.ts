import type { Pool } from 'pg'

/** Moves the rows that the wall clock limits (attempts, codes, links) one minute into the past. */
export async function ageLoginAttempts(db: Pool): Promise<void> {
  await db.query(`update login_attempts set ends_at = ends_at - interval '61 seconds'`)
}
