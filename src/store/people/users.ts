import type { PoolClient } from 'pg'
import type { Role, User } from '../../domain/people/user.ts'
import { type Db, instant } from '../db/db.ts'

/** A user with what the password is checked by. */
export type UserRow = User & { passwordHash: string | null }

/** The columns of UserRow from `users as u`. */
export const USER_COLUMNS = `u.account_id as "accountId", u.user_id as "userId", u.email, u.name, u.role,
  u.store_references as "storeReferences", u.password_hash as "passwordHash", u.created_at as "createdAtMs",
  u.last_login_at as "lastLoginAtMs",
  json_build_object('count', u.failed_logins, 'lastAtMs', floor(extract(epoch from u.last_failed_login_at) * 1000))
    as "failedLogins",
  exists (select from user_factors as f where f.account_id = u.account_id and f.user_id = u.user_id
    and f.confirmed_at is not null) as "hasFactor",
  (select count(*)::int from user_passkeys as p where p.account_id = u.account_id and p.user_id = u.user_id)
    as "passkeys",
  array(select i.issuer from user_identities as i where i.account_id = u.account_id and i.user_id = u.user_id)
    as "linkedIssuers",
  case when u.disabled_at is not null then 'disabled' when u.password_hash is null then 'invited'
    else 'active' end as status`

/** Oldest first. */
export async function listUsers(db: Db, accountId: string): Promise<UserRow[]> {
  const { rows } = await db.query<UserRow>({
    name: 'list-users',
    text: `select ${USER_COLUMNS} from users as u where u.account_id = $1 order by u.created_at, u.user_id`,
    values: [accountId],
  })
  return rows
}

export async function findUser(db: Db, accountId: string, userId: string): Promise<UserRow | null> {
  const { rows } = await db.query<UserRow>({
    name: 'find-user',
    text: `select ${USER_COLUMNS} from users as u where u.account_id = $1 and u.user_id = $2`,
    values: [accountId, userId],
  })
  return rows[0] ?? null
}

/** Until the transaction ends nobody else changes this user. */
export async function lockUser(db: PoolClient, accountId: string, userId: string): Promise<void> {
  await db.query({
    name: 'lock-user',
    text: 'select from users where account_id = $1 and user_id = $2 for update',
    values: [accountId, userId],
  })
}

/** Everybody of this address in the accounts given, by account. */
export async function listUsersByEmail(
  db: Db,
  accountIds: readonly string[],
  email: string,
): Promise<UserRow[]> {
  const { rows } = await db.query<UserRow>({
    name: 'list-users-by-email',
    text: `select ${USER_COLUMNS} from unnest($1::text[]) as a(account_id) join users as u using (account_id)
      where u.email = $2 order by u.account_id`,
    values: [accountIds, email],
  })
  return rows
}

/** False when the account has a user of this address. */
export async function insertUser(
  db: Db,
  user: Pick<
    UserRow,
    'accountId' | 'userId' | 'email' | 'name' | 'role' | 'storeReferences' | 'passwordHash'
  >,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'insert-user',
    text: `insert into users (account_id, user_id, email, name, role, store_references, password_hash)
      values ($1, $2, $3, $4, $5, $6, $7) on conflict (account_id, email) do nothing`,
    values: [
      user.accountId,
      user.userId,
      user.email,
      user.name,
      user.role,
      user.storeReferences,
      user.passwordHash,
    ],
  })
  return rowCount === 1
}

export type UserAccess = {
  name: string | null
  role: Role
  storeReferences: readonly string[] | null
  disabled: boolean
}

/** What may change of a user. Whoever is disabled is out at once: every request reads it here. */
export async function updateUser(
  db: Db,
  { accountId, userId }: Pick<User, 'accountId' | 'userId'>,
  { name, role, storeReferences, disabled }: UserAccess,
): Promise<void> {
  await db.query({
    name: 'update-user',
    text: `update users set name = $3, role = $4, store_references = $5,
        disabled_at = case when $6 then coalesce(disabled_at, $7::timestamptz) end
      where account_id = $1 and user_id = $2`,
    values: [accountId, userId, name, role, storeReferences, disabled, instant(Date.now())],
  })
  if (disabled) await endUserSessions(db, accountId, userId)
  await endGrantsOfOtherRole(db, { accountId, userId }, disabled)
}

/** Ends the grants that the person gave in a role that they no longer have, or all grants if they are disabled. */
async function endGrantsOfOtherRole(
  db: Db,
  { accountId, userId }: Pick<User, 'accountId' | 'userId'>,
  disabled: boolean,
): Promise<void> {
  await db.query({
    name: 'end-assistant-grants-of-other-role',
    text: `delete from assistant_grants as g using users as u
      where g.account_id = $1 and g.user_id = $2 and u.account_id = $1 and u.user_id = g.user_id
        and ($3 or g.role <> u.role)`,
    values: [accountId, userId, disabled],
  })
}

/** Sets a password, and ends all grants of the person and every session that an older password opened. */
export async function updatePassword(
  db: Db,
  { accountId, userId }: Pick<User, 'accountId' | 'userId'>,
  { passwordHash, name }: { passwordHash: string; name: string | null },
): Promise<void> {
  await db.query({
    name: 'update-user-password',
    text: `update users set password_hash = $3, name = coalesce($4, name) where account_id = $1 and user_id = $2`,
    values: [accountId, userId, passwordHash, name],
  })
  await endUserSessions(db, accountId, userId)
  await endGrantsOfUser(db, accountId, userId)
}

/** Sets the name; false if it is the same already. */
export async function updateName(
  db: Db,
  { accountId, userId }: Pick<User, 'accountId' | 'userId'>,
  name: string,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'update-user-name',
    text: `update users set name = $3 where account_id = $1 and user_id = $2 and name is distinct from $3`,
    values: [accountId, userId, name],
  })
  return rowCount === 1
}

/** Replaces the password that was compared; false if it has been replaced since, or the user disabled. */
export async function replacePassword(
  db: Db,
  { accountId, userId }: Pick<User, 'accountId' | 'userId'>,
  { from, to }: { from: string | null; to: string },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'replace-user-password',
    text: `update users set password_hash = $4
      where account_id = $1 and user_id = $2 and password_hash = $3 and disabled_at is null`,
    values: [accountId, userId, from, to],
  })
  return rowCount === 1
}

/** Ends all grants of the person. */
export async function endGrantsOfUser(db: Db, accountId: string, userId: string): Promise<void> {
  await db.query({
    name: 'end-assistant-grants-of-user',
    text: 'delete from assistant_grants where account_id = $1 and user_id = $2',
    values: [accountId, userId],
  })
}

export async function endUserSessions(db: Db, accountId: string, userId: string): Promise<void> {
  await db.query({
    name: 'end-sessions-of-user',
    text: 'delete from user_sessions where account_id = $1 and user_id = $2',
    values: [accountId, userId],
  })
}
