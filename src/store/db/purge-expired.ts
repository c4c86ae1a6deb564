import { INSTALLATION } from '../../domain/people/user.ts'
import type { Db } from './db.ts'
import { engineOf } from './engine.ts'

/**
 * The column that gives a row's age. Each has an index together with the account, except in `user_links`, which has at
 * most two rows per user.
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
  assistant_grants: 'expires_at',
  mcp_commits: 'created_at',
  sms_days: 'day',
} as const

/**
 * Deletes up to `batch` rows older than `keptFor` (an interval) and returns their number. Searches account by account,
 * because the indexes start with the account. Otherwise PostgreSQL before 18 reads a whole index or table, even if it
 * finds no rows.
 */
export async function purgeExpired(
  db: Db,
  table: keyof typeof AGE_OF,
  keptFor: string,
  batch = 5_000,
): Promise<number> {
  if (engineOf(db) === 'citus') return purgeByAccount(db, { table, age: AGE_OF[table], keptFor, batch })
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

/** Limit of accounts per call, on Citus. */
const MAX_ACCOUNTS = 100

/** On Citus, deletes the old rows of some accounts. Each statement deletes on one server. */
export async function purgeByAccount(
  db: Db,
  { table, age, keptFor, batch }: { table: string; age: string; keptFor: string; batch: number },
): Promise<number> {
  const old = `${age} < now() - $1::interval`
  const { rows } = await db.query<{ account_id: string }>({
    name: `find-old-${table}`,
    text: `select distinct account_id from ${table} where ${old} limit ${MAX_ACCOUNTS}`,
    values: [keptFor],
  })
  let deleted = 0
  for (const { account_id } of rows) {
    if (deleted >= batch) break
    const { rowCount } = await db.query({
      name: `forget-old-${table}-of-account`,
      text: `delete from ${table} where account_id = $2 and ctid = any (array(
        select ctid from ${table} where account_id = $2 and ${old} limit $3))`,
      values: [keptFor, account_id, batch - deleted],
    })
    deleted += rowCount ?? 0
  }
  return deleted
}
