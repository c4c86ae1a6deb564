import type { Pool, PoolClient } from 'pg'
import { LAST_MS } from '../../domain/calendar/timestamp.ts'

export type Db = Pool | PoolClient

/**
 * An instant as text for the database, independent of the session's time zone. The day 9999-12-31 can end in the year
 * 10000 UTC, which JavaScript writes as `+010000-…`. PostgreSQL cannot read that: such an instant becomes `LAST_MS`.
 */
export function instant(ms: number): string {
  return new Date(Math.min(ms, LAST_MS)).toISOString()
}

/** PostgreSQL's 23505. Citus passes a worker's on as XX000 if the statement copied rows to it. */
export function isUniqueViolation(error: unknown): boolean {
  const { code, message = '' } = (error ?? {}) as { code?: string; message?: string }
  return code === '23505' || (code === 'XX000' && message.startsWith(DUPLICATE_KEY))
}

/** How the English message of a unique violation begins. Citus passes on nothing else that identifies it. */
const DUPLICATE_KEY = 'duplicate key value violates unique constraint'
