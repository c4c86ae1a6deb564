import type { Db } from '../db/db.ts'
import { purgeExpired } from '../db/purge-expired.ts'
import { USER_COLUMNS, type UserRow } from './users.ts'

/**
 * Opens a session, and notes that its user has logged in. False when the password that was compared has been replaced
 * since, or its user disabled: who did that has ended all sessions, and this one would outlive it.
 */
export async function insertSession(
  db: Db,
  { accountId, userId, passwordHash }: Pick<UserRow, 'accountId' | 'userId' | 'passwordHash'>,
  session: { tokenHash: Buffer; lifeMs: number; bySecondFactor: boolean },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'insert-user-session',
    text: `with seen as (
        update users set last_login_at = now()
        where account_id = $1 and user_id = $2 and password_hash = $5 and disabled_at is null
        returning account_id, user_id)
      insert into user_sessions (account_id, user_id, token_hash, expires_at, by_second_factor)
      select account_id, user_id, $3, now() + $4 * interval '1 millisecond', $6 from seen`,
    values: [accountId, userId, session.tokenHash, session.lifeMs, passwordHash, session.bySecondFactor],
  })
  return rowCount === 1
}

/** Whose session this is; null when it is over, by age, idleness, or because its user was disabled. Notes its use. */
export async function readSession(
  db: Db,
  session: { accountId: string; tokenHash: Buffer; idleMs: number },
): Promise<(UserRow & { bySecondFactor: boolean }) | null> {
  const { rows } = await db.query<UserRow & { bySecondFactor: boolean }>({
    name: 'use-user-session',
    text: `with held as (
        select user_id, used_at, by_second_factor from user_sessions
        where account_id = $1 and token_hash = $2 and expires_at > now()
          and used_at > now() - $3 * interval '1 millisecond'
      ), touched as (
        update user_sessions as s set used_at = now() from held
        where s.account_id = $1 and s.token_hash = $2 and held.used_at < now() - interval '1 minute'
      )
      select ${USER_COLUMNS}, held.by_second_factor as "bySecondFactor"
      from held join users as u on u.account_id = $1 and u.user_id = held.user_id
      where u.disabled_at is null`,
    values: [session.accountId, session.tokenHash, session.idleMs],
  })
  return rows[0] ?? null
}

export async function endSession(db: Db, accountId: string, tokenHash: Buffer): Promise<void> {
  await db.query({
    name: 'end-user-session',
    text: 'delete from user_sessions where account_id = $1 and token_hash = $2',
    values: [accountId, tokenHash],
  })
}

/** Ends every session of the user but this one; returns how many. */
export async function endOtherSessions(
  db: Db,
  { accountId, userId }: Pick<UserRow, 'accountId' | 'userId'>,
  tokenHash: Buffer,
): Promise<number> {
  const { rowCount } = await db.query({
    name: 'end-other-sessions-of-user',
    text: 'delete from user_sessions where account_id = $1 and user_id = $2 and token_hash <> $3',
    values: [accountId, userId, tokenHash],
  })
  return rowCount ?? 0
}

/** Forgets sessions, links and counts that are over, a batch at a time; answers how many. */
export async function forgetOldLogins(db: Db): Promise<number> {
  let forgotten = 0
  for (const table of ['user_sessions', 'user_links', 'login_tries'] as const) {
    forgotten += await purgeExpired(db, table, '0')
  }
  return forgotten
}
