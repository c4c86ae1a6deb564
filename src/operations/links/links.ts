import { Refusal } from '../../domain/errors.ts'
import type { Link } from '../../domain/links/link.ts'
import type { Db } from '../../store/db/db.ts'
import { withTransaction } from '../../store/db/pool.ts'
import {
  findLink,
  holdLink,
  listLinks as listRows,
  revokeLink as revokeRow,
} from '../../store/links/links.ts'
import { type LinkMessage, listLinkMessages } from '../../store/messages/messages.ts'
import { noAudit, type WriteAudit } from '../audit/audit.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { type Caller, visibleStoreIds } from '../directory/caller.ts'
import { readCursor, toCursor } from '../lists/cursor.ts'
import { requireLinks } from './create-link.ts'

/** A link with its messages to the customer. */
export type NotifiedLink = Link & { messages: readonly LinkMessage[] }

export type LinkListFilter = { reference: string | null; after: string | null; limit: number }

export const LINK_PLACE = /^lnk_[0-9a-z]{26}$/

/**
 * One page of the account's links, newest first. `next` is the cursor of the next page, null on the last one. Refuses
 * `capability_disabled`.
 */
export async function listLinks(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  { reference, after, limit }: LinkListFilter,
): Promise<{ links: NotifiedLink[]; next: string | null }> {
  requireLinks(entry)
  const rows = await listRows(deps.db, entry.account.id, entry.clockOffsetMs, {
    storeIds: visibleStoreIds(entry.account, caller),
    reference,
    beforeId: readCursor(after, LINK_PLACE),
    limit: limit + 1,
  })
  const links = await withMessages(deps.db, entry, rows.slice(0, limit))
  const last = links.at(-1)
  return { links, next: rows.length > limit && last ? toCursor(last.id) : null }
}

/** Refuses `capability_disabled` and `not_found`. */
export async function getLink(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  linkId: string,
): Promise<NotifiedLink> {
  requireLinks(entry)
  const [link] = await withMessages(deps.db, entry, [await getVisibleLink(deps, entry, caller, linkId)])
  return link as NotifiedLink
}

/** The same links with the latest message of each kind. */
export async function withMessages(
  db: Db,
  { account }: Pick<AccountEntry, 'account'>,
  links: readonly Link[],
): Promise<NotifiedLink[]> {
  const ids = links.map(({ id }) => id)
  const messages = ids.length === 0 ? [] : await listLinkMessages(db, account.id, ids)
  return links.map((link) => ({ ...link, messages: messages.filter((one) => one.link_id === link.id) }))
}

/** Refuses `not_found`. */
export async function getVisibleLink(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  linkId: string,
): Promise<Link> {
  const link = await findLink(deps.db, entry.account.id, linkId, entry.clockOffsetMs)
  const visible = visibleStoreIds(entry.account, caller)
  if (!link || (visible && !visible.includes(link.storeId))) {
    throw new Refusal('not_found', `There is no link ${linkId}.`)
  }
  return link
}

/**
 * Revokes a link: it can no longer be used; a delivery that it booked stays. Works even if links have been disabled
 * since. Refuses `not_found`.
 */
export async function revokeLink(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  linkId: string,
  record: WriteAudit = noAudit,
): Promise<void> {
  const link = await getVisibleLink(deps, entry, caller, linkId)
  await withTransaction(deps.db, async (db) => {
    // Locked first, so that messages queued concurrently are seen and cancelled too.
    await holdLink(db, link.accountId, link.id, entry.clockOffsetMs)
    const ended = await revokeRow(db, link.accountId, link.id, entry.nowMs())
    await record(db, ended ? { accountId: link.accountId, object: link.id } : null)
  })
}
