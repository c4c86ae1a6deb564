import { INSTALLATION } from '../../domain/people/user.ts'
import type { Db } from './db.ts'

/**
 * The column that determines a row's age. Each is indexed with the account, except in `user_links`, which has at most
 * two rows per user.
 */
const AGE_OF = {
  idempotency_keys: 'created_at',
  allocation_jobs: 'created_at',
  driver_codes: 'expires_at',
  driver_sessions: 'expires_at',
  user_sessions: 'expires_at',
  user_links: 'expires_at',
  login_attempts: 'ends_at',
  used_passkey_challenges: 'expires_at',
  used_openid_states: 'expires_at',
  sms_days: 'day',
} as const

/**
 * Deletes up to `batch` rows older than `keptFor` (an interval); returns their number. Searches account by account, as
 * the indexes are built: before PostgreSQL 18 it would otherwise read a whole index or table to find no rows.
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
