import { INSTALLATION } from '../../domain/people/user.ts'
import type { Db } from './db.ts'

/** By what a row is old. Each is indexed with the account, but for `user_links`, which has two rows of a user at most. */
const AGE_OF = {
  idempotency_keys: 'created_at',
  allocation_jobs: 'created_at',
  driver_codes: 'expires_at',
  driver_sessions: 'expires_at',
  user_sessions: 'expires_at',
  user_links: 'expires_at',
  login_tries: 'ends_at',
  sms_days: 'day',
} as const

/**
 * Forgets up to `batch` rows older than `keptFor` (an interval); answers how many. The old ones are looked for account
 * by account, as the indexes go: before PostgreSQL 18 a whole index or table would be read to find none.
 */
export async function purgeExpired(
  db: Db,
  table: keyof typeof AGE_OF,
  keptFor: string,
  batch = 5_000,
): Promise<number> {
  const { rowCount } = await db.query({
    name: `forget-old-${table}`,
    text: `delete from ${table} where ctid = any (array(
        select old.at from (select account_id from accounts union all select $3) as a
        cross join lateral (
          select ctid as at from ${table}
          where account_id = a.account_id and ${AGE_OF[table]} < now() - $1::interval
          order by ${AGE_OF[table]} limit $2) as old
        limit $2))`,
    values: [keptFor, batch, INSTALLATION],
  })
  return rowCount ?? 0
}
