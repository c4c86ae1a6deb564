import type { LinkPurpose } from '../../domain/people/user-link-message.ts'
import type { Db } from '../db/db.ts'

export type UserLink = { accountId: string; userId: string; purpose: LinkPurpose }

/** Makes the one link of its user and purpose: what was sent before opens nothing any more. */
export async function replaceUserLink(
  db: Db,
  link: UserLink & { linkId: string; tokenHash: Buffer; lifeMs: number },
): Promise<void> {
  await db.query({
    name: 'replace-user-link',
    text: `insert into user_links (account_id, link_id, user_id, purpose, token_hash, created_at, expires_at)
      values ($1, $2, $3, $4, $5, now(), now() + $6 * interval '1 millisecond')
      on conflict (account_id, user_id, purpose) do update
      set link_id = excluded.link_id, token_hash = excluded.token_hash, created_at = excluded.created_at,
        expires_at = excluded.expires_at`,
    values: [link.accountId, link.linkId, link.userId, link.purpose, link.tokenHash, link.lifeMs],
  })
}

/** Whose link it is while it is good; null when it is used, replaced, too old or none. */
export async function findUserLink(
  db: Db,
  accountId: string,
  tokenHash: Buffer,
): Promise<Omit<UserLink, 'accountId'> | null> {
  const { rows } = await db.query<Omit<UserLink, 'accountId'>>({
    name: 'find-user-link',
    text: `select l.user_id as "userId", l.purpose from user_links as l join users as u using (account_id, user_id)
      where l.account_id = $1 and l.token_hash = $2 and l.expires_at > now() and u.disabled_at is null`,
    values: [accountId, tokenHash],
  })
  return rows[0] ?? null
}

/** Takes the link: of many who try at once one gets true. All links of its user are over with it. */
export async function takeUserLink(
  db: Db,
  { accountId, userId }: UserLink,
  tokenHash: Buffer,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'take-user-link',
    text: `delete from user_links where account_id = $1 and token_hash = $2 and expires_at > now()`,
    values: [accountId, tokenHash],
  })
  if (rowCount !== 1) return false
  await endUserLinks(db, { accountId, userId })
  return true
}

/** No link of the user opens anything any more. */
export async function endUserLinks(
  db: Db,
  { accountId, userId }: Pick<UserLink, 'accountId' | 'userId'>,
): Promise<void> {
  await db.query({
    name: 'end-user-links',
    text: 'delete from user_links where account_id = $1 and user_id = $2',
    values: [accountId, userId],
  })
}
