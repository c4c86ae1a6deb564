import type { Pool, PoolClient } from 'pg'

export type Db = Pool | PoolClient

/** An instant as text for the database, independent of the session's time zone. */
export function instant(ms: number): string {
  return new Date(ms).toISOString()
}

/** PostgreSQL's 23505. Citus passes a worker's on as XX000 if the statement copied rows to it. */
export function isUniqueViolation(error: unknown): boolean {
  const { code, message = '' } = (error ?? {}) as { code?: string; message?: string }
  return code === '23505' || (code === 'XX000' && message.startsWith(DUPLICATE_KEY))
}

/** How the English message of a unique violation begins. Citus passes on nothing else that identifies it. */
const DUPLICATE_KEY = 'duplicate key value violates unique constraint'
