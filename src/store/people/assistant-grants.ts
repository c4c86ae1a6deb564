import type { AssistantAccess } from '../../domain/people/assistant-access.ts'
import type { User } from '../../domain/people/user.ts'
import type { Db } from '../db/db.ts'
import { USER_COLUMNS, type UserRow } from './users.ts'

type Owner = Pick<User, 'accountId' | 'userId'>

/** What an authorization code is bound to. */
export type CodeBinding = {
  accountId: string
  codeHash: Buffer
  assistantId: string
  redirectUrl: string
  codeChallenge: string
}

export type NewGrant = CodeBinding &
  Pick<User, 'userId' | 'role'> & { grantId: string; access: AssistantAccess; codeLifeMs: number }

/** A grant as its person sees it. */
export type OwnGrant = {
  grantId: string
  assistantName: string
  access: AssistantAccess
  createdAtMs: number
  /** To the minute. */
  usedAtMs: number
}

export async function insertGrant(db: Db, grant: NewGrant): Promise<void> {
  await db.query({
    name: 'insert-assistant-grant',
    text: `insert into assistant_grants (account_id, grant_id, assistant_id, user_id, role, access, code_hash,
        code_challenge, redirect_url, expires_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now() + $10 * interval '1 millisecond')`,
    values: [
      grant.accountId,
      grant.grantId,
      grant.assistantId,
      grant.userId,
      grant.role,
      grant.access,
      grant.codeHash,
      grant.codeChallenge,
      grant.redirectUrl,
      grant.codeLifeMs,
    ],
  })
}

type Renewed = { grantId: string; refreshNumber: number }
export type EndedGrant = {
  grantId: string
  userId: string
  /** `mismatch`: the code came from another client, or with another redirect URL or verifier. */
  why: 'used_twice' | 'expired' | 'mismatch'
}

/** Exchanges a code, once. Null if it is unknown, used, expired, or bound to something else. */
export async function exchangeCode(
  db: Db,
  { accountId, codeHash, assistantId, redirectUrl, codeChallenge }: CodeBinding,
  lifeMs: number,
): Promise<Renewed | null> {
  const { rows } = await db.query<Renewed>({
    name: 'exchange-assistant-code',
    text: `update assistant_grants
      set exchanged_at = now(), refresh_number = 1, used_at = now(),
        expires_at = now() + $6 * interval '1 millisecond'
      where account_id = $1 and code_hash = $2 and exchanged_at is null and expires_at > now()
        and assistant_id = $3 and redirect_url = $4 and code_challenge = $5
      returning grant_id as "grantId", refresh_number as "refreshNumber"`,
    values: [accountId, codeHash, assistantId, redirectUrl, codeChallenge, lifeMs],
  })
  return rows[0] ?? null
}

/** Ends the grant of a code, with the tokens that the code gave. */
export async function endGrantOfCode(
  db: Db,
  accountId: string,
  codeHash: Buffer,
): Promise<EndedGrant | null> {
  const { rows } = await db.query<EndedGrant>({
    name: 'end-assistant-grant-of-code',
    // Citus refuses `now()` in `returning`.
    text: `with ended as (
        delete from assistant_grants where account_id = $1 and code_hash = $2
        returning grant_id, user_id, exchanged_at, expires_at)
      select grant_id as "grantId", user_id as "userId",
        case when exchanged_at is not null then 'used_twice' when expires_at <= now() then 'expired'
          else 'mismatch' end as why
      from ended`,
    values: [accountId, codeHash],
  })
  return rows[0] ?? null
}

export type RefreshKey = { accountId: string; grantId: string; refreshNumber: number }

/** Replaces the refresh token that has this number with the next one. Null if it is not the current one. */
export async function rotateRefreshToken(
  db: Db,
  { accountId, grantId, refreshNumber }: RefreshKey,
  { assistantId, lifeMs }: { assistantId: string; lifeMs: number },
): Promise<Renewed | null> {
  const { rows } = await db.query<Renewed>({
    name: 'rotate-assistant-refresh-token',
    text: `update assistant_grants
      set refresh_number = refresh_number + 1, used_at = now(), expires_at = now() + $5 * interval '1 millisecond'
      where account_id = $1 and grant_id = $2 and refresh_number = $3 and assistant_id = $4 and expires_at > now()
      returning grant_id as "grantId", refresh_number as "refreshNumber"`,
    values: [accountId, grantId, refreshNumber, assistantId, lifeMs],
  })
  return rows[0] ?? null
}

/** The grant with its current number, if that replaced this refresh token less than `overlapMs` ago. */
export async function findJustReplaced(
  db: Db,
  { accountId, grantId, refreshNumber }: RefreshKey,
  { assistantId, lifeMs, overlapMs }: { assistantId: string; lifeMs: number; overlapMs: number },
): Promise<Renewed | null> {
  const { rows } = await db.query<Renewed>({
    name: 'find-just-replaced-refresh-token',
    // The replacement gave the grant its whole life again, so `expires_at` tells when it was.
    text: `select grant_id as "grantId", refresh_number as "refreshNumber" from assistant_grants
      where account_id = $1 and grant_id = $2 and refresh_number = $3 + 1 and assistant_id = $4
        and expires_at > now() + $5 * interval '1 millisecond'`,
    values: [accountId, grantId, refreshNumber, assistantId, lifeMs - overlapMs],
  })
  return rows[0] ?? null
}

/** Ends a grant whose refresh token has been used before. Null if it has not been. */
export async function endGrantOfUsedToken(
  db: Db,
  { accountId, grantId, refreshNumber }: RefreshKey,
): Promise<EndedGrant | null> {
  const { rows } = await db.query<EndedGrant>({
    name: 'end-assistant-grant-of-used-token',
    text: `delete from assistant_grants where account_id = $1 and grant_id = $2 and refresh_number > $3
      returning grant_id as "grantId", user_id as "userId", 'used_twice' as why`,
    values: [accountId, grantId, refreshNumber],
  })
  return rows[0] ?? null
}

export type GrantUser = UserRow & { grantId: string; assistantId: string; access: AssistantAccess }

/**
 * The person and access of a grant. Null if it has expired or ended, or if the person is disabled or has another role.
 * Records the use, at most once a minute.
 */
export async function readGrant(db: Db, accountId: string, grantId: string): Promise<GrantUser | null> {
  const { rows } = await db.query<GrantUser>({
    name: 'use-assistant-grant',
    text: `with held as (
        select grant_id, assistant_id, user_id, role, access, used_at from assistant_grants
        where account_id = $1 and grant_id = $2 and exchanged_at is not null and expires_at > now()
      ), touched as (
        update assistant_grants as g set used_at = now() from held
        where g.account_id = $1 and g.grant_id = $2 and held.used_at < now() - interval '1 minute'
      )
      select ${USER_COLUMNS}, held.grant_id as "grantId", held.assistant_id as "assistantId", held.access
      from held join users as u on u.account_id = $1 and u.user_id = held.user_id
      where u.disabled_at is null and u.role = held.role`,
    values: [accountId, grantId],
  })
  return rows[0] ?? null
}

/** The person's grants, most recently used first. */
export async function listGrants(db: Db, { accountId, userId }: Owner): Promise<OwnGrant[]> {
  const { rows } = await db.query<OwnGrant>({
    name: 'list-assistant-grants',
    text: `select g.grant_id as "grantId", a.name as "assistantName", g.access, g.created_at as "createdAtMs",
        g.used_at as "usedAtMs"
      from assistant_grants as g
      join assistants as a on a.account_id = $1 and a.assistant_id = g.assistant_id
      where g.account_id = $1 and g.user_id = $2 and g.exchanged_at is not null and g.expires_at > now()
      order by g.used_at desc, g.grant_id desc limit 200`,
    values: [accountId, userId],
  })
  return rows
}

/** Ends one grant of the person; false when they have no such grant. */
export async function endGrant(db: Db, { accountId, userId }: Owner, grantId: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'end-assistant-grant',
    text: 'delete from assistant_grants where account_id = $1 and user_id = $2 and grant_id = $3',
    values: [accountId, userId, grantId],
  })
  return rowCount === 1
}
