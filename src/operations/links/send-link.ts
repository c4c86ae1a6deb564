import { Refusal, type RefusalCode } from '../../domain/errors.ts'
import { getLinkStatus, type Link, type LinkStatus } from '../../domain/links/link.ts'
import type { Db } from '../../store/db/db.ts'
import { withTransaction } from '../../store/db/pool.ts'
import { findLinkByToken, holdLink } from '../../store/links/links.ts'
import { queueMessages } from '../../store/messages/messages.ts'
import type { AuditEntry } from '../audit/audit.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import type { Caller } from '../directory/caller.ts'
import { maxLinksAnHour, refuseLinkTooSoon } from '../messages/sms-limits.ts'
import { linkAddress, linkToken, tokenHash } from '../tokens/link-token.ts'
import { refuseTaken, requireLinks } from './create-link.ts'
import { linkMessages } from './link-messages.ts'
import { getVisibleLink, type NotifiedLink, withMessages } from './links.ts'

/**
 * Queues the messages of an open link again with the same URL, so that one that the customer kept still works. Messages
 * that wait to be sent are not queued twice. Refuses `capability_disabled`, `not_found`, `duplicate_reference`,
 * `link_url_unrecoverable`, `rate_limited` (three an hour for a customer, one a minute for a link), and the code for the
 * link's status if it is not open.
 */
export async function sendLink<T>(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  linkId: string,
  /** `trace`: null if all messages wait to be sent already. */
  alongside: (db: Db, link: NotifiedLink, trace: AuditEntry | null) => Promise<T>,
): Promise<T> {
  const seen = await openOne(deps, entry, caller, linkId)
  await refuseTaken(deps, entry, seen.storeId, seen.reference)
  await requireAddress(deps, entry, seen)
  const answer = await withTransaction(deps.db, async (db) => {
    const held = await holdLink(db, seen.accountId, seen.id, entry.clockOffsetMs)
    const link = requireOpen(held ?? seen)
    const [before] = await withMessages(db, entry, [link])
    const waiting = before?.messages.filter(({ status }) => status === 'queued').map(({ kind }) => kind) ?? []
    const messages = toMessages(deps, entry, link).filter(({ kind }) => !waiting.includes(kind))
    if (messages.length > 0) {
      const { accountId, id: linkId, request } = link
      const max = maxLinksAnHour(deps, entry)
      await refuseLinkTooSoon(db, { accountId, linkId, phone: request.customer.phone, max })
      await queueMessages(db, messages)
    }
    const [notified] = await withMessages(db, entry, [link])
    const trace = messages.length > 0 ? { accountId: link.accountId, object: link.id } : null
    return alongside(db, notified as NotifiedLink, trace)
  })
  deps.wake()
  return answer
}

/** The URL of an open link, unchanged since its creation, for staff to pass on. Refuses as `sendLink` does. */
export async function readLinkAddress(
  deps: Deps,
  entry: AccountEntry,
  caller: Caller,
  linkId: string,
): Promise<{ id: string; link: string }> {
  const link = await openOne(deps, entry, caller, linkId)
  await requireAddress(deps, entry, link)
  return { id: link.id, link: linkAddress(deps, link.accountId, link.id) }
}

async function openOne(deps: Deps, entry: AccountEntry, caller: Caller, linkId: string): Promise<Link> {
  requireLinks(entry)
  return requireOpen(await getVisibleLink(deps, entry, caller, linkId))
}

/** Worded for the staff who would pass the link on. */
const CLOSED: Readonly<{ [S in Exclude<LinkStatus, 'open'>]: readonly [RefusalCode, string] }> = {
  booked: ['link_used', 'This order’s delivery is already booked.'],
  expired: ['link_expired', 'This link has expired. Create a new one.'],
  revoked: ['link_revoked', 'This link was revoked. Create a new one.'],
  locked: ['link_locked', 'Five wrong order numbers were entered for this link. Create a new one.'],
}

function requireOpen(link: Link): Link {
  const status = getLinkStatus(link)
  if (status === 'open') return link
  throw new Refusal(...CLOSED[status])
}

/** A link's URL is derived from our key: under another key than at its creation, it would open nothing. */
async function requireAddress(deps: Deps, { clockOffsetMs }: AccountEntry, link: Link): Promise<void> {
  const { accountId, id } = link
  const hash = tokenHash(linkToken(deps.secretKey, accountId, id))
  if (await findLinkByToken(deps.db, accountId, hash, clockOffsetMs)) return
  throw new Refusal(
    'link_url_unrecoverable',
    'This link was created with another secret key. The customer’s link still works, but Drover cannot send it again.',
  )
}

function toMessages(deps: Deps, entry: AccountEntry, link: Link) {
  const store = entry.account.storeById.get(link.storeId)
  // A store that was removed from the account ends its links.
  if (!store) throw new Refusal(...CLOSED.revoked)
  const ulid = deps.newId('lnk').slice('lnk_'.length)
  return linkMessages(
    { accountId: link.accountId, linkId: link.id, ulid, expiresAtMs: link.expiresAtMs },
    { customer: link.request.customer, store, nowMs: entry.nowMs() },
  )
}
