import type { FailedLogins } from '../../domain/people/user.ts'
import type { Db } from '../db/db.ts'
import { purgeExpired } from '../db/purge-expired.ts'
import { USER_COLUMNS, type UserRow } from './users.ts'

export type NewSession = {
  sessionId: string
  tokenHash: Buffer
  lifeMs: number
  bySecondFactor: boolean
  /** The browser's family and system, and the client's IP address; null if unknown. */
  browser: string | null
  ip: string | null
}

/** A session as its own user sees it. */
export type OwnSession = {
  sessionId: string
  createdAtMs: number
  /** To the minute. */
  usedAtMs: number
  browser: string | null
  ip: string | null
}

/**
 * Opens a session, and notes that its user has logged in. Returns the failed logins since the login before. Null when
 * the password that was compared has been replaced since, or its user disabled: that ended all sessions, and this one
 * would outlive it.
 */
export async function insertSession(
  db: Db,
  { accountId, userId, passwordHash }: Pick<UserRow, 'accountId' | 'userId' | 'passwordHash'>,
  session: NewSession,
): Promise<FailedLogins | null> {
  const { rows } = await db.query<FailedLogins>({
    name: 'insert-user-session',
    text: `with before as (
        select account_id, user_id, failed_logins, last_failed_login_at from users
        where account_id = $1 and user_id = $2 and password_hash = $5 and disabled_at is null for update
      ), seen as (
        update users as u set last_login_at = now(), failed_logins = 0, last_failed_login_at = null
        from before where u.account_id = before.account_id and u.user_id = before.user_id)
      insert into user_sessions (account_id, user_id, token_hash, expires_at, by_second_factor, session_id, browser, ip,
        failed_before, last_failed_before)
      select account_id, user_id, $3, now() + $4 * interval '1 millisecond', $6, $7, $8, $9,
        failed_logins, last_failed_login_at from before
      returning failed_before as count, last_failed_before as "lastAtMs"`,
    values: [
      accountId,
      userId,
      session.tokenHash,
      session.lifeMs,
      passwordHash,
      session.bySecondFactor,
      session.sessionId,
      session.browser,
      session.ip,
    ],
  })
  return rows[0] ?? null
}

type SessionUser = UserRow & { bySecondFactor: boolean; sessionId: string; failedBefore: FailedLogins }

/** Whose session this is; null when it is over, by age, idleness, or because its user was disabled. Notes its use. */
export async function readSession(
  db: Db,
  session: { accountId: string; tokenHash: Buffer; idleMs: number },
): Promise<SessionUser | null> {
  const { rows } = await db.query<SessionUser>({
    name: 'use-user-session',
    text: `with held as (
        select user_id, used_at, by_second_factor, session_id, failed_before, last_failed_before from user_sessions
        where account_id = $1 and token_hash = $2 and expires_at > now()
          and used_at > now() - $3 * interval '1 millisecond'
      ), touched as (
        update user_sessions as s set used_at = now() from held
        where s.account_id = $1 and s.token_hash = $2 and held.used_at < now() - interval '1 minute'
      )
      select ${USER_COLUMNS}, held.by_second_factor as "bySecondFactor", held.session_id as "sessionId",
        json_build_object('count', held.failed_before,
          'lastAtMs', floor(extract(epoch from held.last_failed_before) * 1000)) as "failedBefore"
      from held join users as u on u.account_id = $1 and u.user_id = held.user_id
      where u.disabled_at is null`,
    values: [session.accountId, session.tokenHash, session.idleMs],
  })
  return rows[0] ?? null
}

/** The user's sessions that are not over; the one used last comes first. */
export async function listSessions(
  db: Db,
  { accountId, userId }: Pick<UserRow, 'accountId' | 'userId'>,
  idleMs: number,
): Promise<OwnSession[]> {
  const { rows } = await db.query<OwnSession>({
    name: 'list-sessions-of-user',
    text: `select session_id as "sessionId", created_at as "createdAtMs", used_at as "usedAtMs", browser, ip
      from user_sessions
      where account_id = $1 and user_id = $2 and expires_at > now()
        and used_at > now() - $3 * interval '1 millisecond'
      order by used_at desc, session_id desc limit 200`,
    values: [accountId, userId, idleMs],
  })
  return rows
}

/** Whether the user has this session still. */
export async function holdsSession(
  db: Db,
  { accountId, userId }: Pick<UserRow, 'accountId' | 'userId'>,
  sessionId: string,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'holds-session',
    text: 'select from user_sessions where account_id = $1 and user_id = $2 and session_id = $3',
    values: [accountId, userId, sessionId],
  })
  return rowCount === 1
}

/** Ends one session of the user; false when they have no such session. */
export async function endSessionById(
  db: Db,
  { accountId, userId }: Pick<UserRow, 'accountId' | 'userId'>,
  sessionId: string,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'end-session-of-user',
    text: 'delete from user_sessions where account_id = $1 and user_id = $2 and session_id = $3',
    values: [accountId, userId, sessionId],
  })
  return rowCount === 1
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

/** From now on the session counts as one by a second factor, which its user has just shown. */
export async function markSecondFactor(
  db: Db,
  { accountId, userId }: Pick<UserRow, 'accountId' | 'userId'>,
  tokenHash: Buffer,
): Promise<void> {
  await db.query({
    name: 'mark-second-factor',
    text: `update user_sessions set by_second_factor = true
      where account_id = $1 and user_id = $2 and token_hash = $3`,
    values: [accountId, userId, tokenHash],
  })
}

/** Deletes expired sessions, links, counts, challenges and grants, a batch at a time; returns how many. */
export async function purgeOldLogins(db: Db): Promise<number> {
  let forgotten = 0
  const tables = [
    'user_sessions',
    'user_links',
    'login_attempts',
    'used_passkey_challenges',
    'used_openid_states',
    'assistant_grants',
  ] as const
  for (const table of tables) {
    forgotten += await purgeExpired(db, table, '0')
  }
  return forgotten
}
