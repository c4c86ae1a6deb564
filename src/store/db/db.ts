import type { Pool, PoolClient } from 'pg'

export type Db = Pool | PoolClient

/** An instant as the database reads it, free of any session's zone. */
export function instant(ms: number): string {
  return new Date(ms).toISOString()
}

/** PostgreSQL's 23505. */
export function isUniqueViolation(error: unknown): boolean {
  return (error as { code?: string } | null)?.code === '23505'
}
