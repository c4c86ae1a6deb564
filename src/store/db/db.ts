import type { Pool, PoolClient } from 'pg'

export type Db = Pool | PoolClient

/** An instant as text for the database, independent of the session's time zone. */
export function instant(ms: number): string {
  return new Date(ms).toISOString()
}

/** PostgreSQL's 23505. */
export function isUniqueViolation(error: unknown): boolean {
  return (error as { code?: string } | null)?.code === '23505'
}
