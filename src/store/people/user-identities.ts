import type { FailedLogins } from '../../domain/people/user.ts'
import type { Db } from '../db/db.ts'
import type { NewSession } from './user-sessions.ts'
import { USER_COLUMNS, type UserRow } from './users.ts'

/** Who a person is at an OpenID Connect provider: `subject` is unique and never reassigned within its issuer. */
export type Identity = { issuer: string; subject: string }

type Owner = Pick<UserRow, 'accountId' | 'userId'>

/** The user to whom an identity is linked; null: nobody. */
export async function findUserByIdentity(
  db: Db,
  accountId: string,
  { issuer, subject }: Identity,
): Promise<UserRow | null> {
  const { rows } = await db.query<UserRow>({
    name: 'find-user-by-identity',
    text: `select ${USER_COLUMNS} from user_identities as i join users as u using (account_id, user_id)
      where i.account_id = $1 and i.issuer = $2 and i.subject = $3`,
    values: [accountId, issuer, subject],
  })
  return rows[0] ?? null
}

/** Links an identity to a user, in place of their earlier one at this issuer. False: it is another user's; roll back. */
export async function linkIdentity(
  db: Db,
  { accountId, userId }: Owner,
  { issuer, subject }: Identity,
): Promise<boolean> {
  await db.query({
    name: 'unlink-earlier-identity',
    text: `delete from user_identities
      where account_id = $1 and user_id = $2 and issuer = $3 and subject <> $4`,
    values: [accountId, userId, issuer, subject],
  })
  const { rowCount } = await db.query({
    name: 'link-identity',
    text: `insert into user_identities as i (account_id, user_id, issuer, subject) values ($1, $2, $3, $4)
      on conflict (account_id, issuer, subject) do update set linked_at = i.linked_at where i.user_id = $2`,
    values: [accountId, userId, issuer, subject],
  })
  return rowCount === 1
}

/** Unlinks every identity of the user. False: there was none. */
export async function unlinkIdentities(db: Db, { accountId, userId }: Owner): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'unlink-identities',
    text: 'delete from user_identities where account_id = $1 and user_id = $2',
    values: [accountId, userId],
  })
  return (rowCount ?? 0) > 0
}

/**
 * Opens a session for an identity, as `insertSession` does for a password. Null when the identity has been unlinked
 * since it was checked, or its user disabled. The user's row is locked first, as an unlinking locks it: of two at the same
 * time, either the unlinking comes first and there is no session, or it waits and ends this one.
 */
export async function insertSessionOfIdentity(
  db: Db,
  { accountId, userId }: Owner,
  { issuer, subject }: Identity,
  session: NewSession,
): Promise<FailedLogins | null> {
  const { rows } = await db.query<FailedLogins>({
    name: 'insert-session-of-identity',
    text: `with before as (
        select account_id, user_id, failed_logins, last_failed_login_at from users
        where account_id = $1 and user_id = $2 and password_hash is not null and disabled_at is null for update
      ), identity as (
        update user_identities as i set last_used_at = now()
        from before where i.account_id = before.account_id and i.user_id = before.user_id
          and i.issuer = $9 and i.subject = $10
        returning before.account_id, before.user_id, before.failed_logins, before.last_failed_login_at
      ), seen as (
        update users as u set last_login_at = now(), failed_logins = 0, last_failed_login_at = null
        from identity where u.account_id = identity.account_id and u.user_id = identity.user_id)
      insert into user_sessions (account_id, user_id, token_hash, expires_at, by_second_factor, session_id, browser, ip,
        failed_before, last_failed_before)
      select account_id, user_id, $3, now() + $4 * interval '1 millisecond', $5, $6, $7, $8,
        failed_logins, last_failed_login_at from identity
      returning failed_before as count, last_failed_before as "lastAtMs"`,
    values: [
      accountId,
      userId,
      session.tokenHash,
      session.lifeMs,
      session.bySecondFactor,
      session.sessionId,
      session.browser,
      session.ip,
      issuer,
      subject,
    ],
  })
  return rows[0] ?? null
}

/** Uses up a state: of many requests with it one gets true. */
export async function useOpenIdState(
  db: Db,
  accountId: string,
  { stateHash, lifeMs }: { stateHash: Buffer; lifeMs: number },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'use-openid-state',
    text: `insert into used_openid_states (account_id, state_hash, expires_at)
      values ($1, $2, now() + $3 * interval '1 millisecond') on conflict do nothing`,
    values: [accountId, stateHash, lifeMs],
  })
  return rowCount === 1
}
