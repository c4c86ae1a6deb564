import { Refusal } from '../../domain/errors.ts'
import { getLinkStatus, type Link, MAX_FAILED_ATTEMPTS } from '../../domain/links/link.ts'
import { countFailedReference, findLink, findLinkByToken } from '../../store/links/links.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { isSignedBy, sign } from '../secrets/sign.ts'
import { findTokenAccounts } from '../tokens/account-tag.ts'
import { isLinkToken, tokenHash } from '../tokens/link-token.ts'
import { requireLinks } from './create-link.ts'

/**
 * Capability URL: a link as the holder of its URL sees it. Nothing of its order may be shown before they are verified.
 */
export type OpenLink = { entry: AccountEntry; link: Link }

/** How long a verified customer's session lasts; wall time. */
export const SESSION_SECONDS = 30 * 60

/**
 * The link of a token, if it is open or was used. Refuses `not_found`, and `link_revoked`, `link_expired`,
 * `link_locked` and `capability_disabled` without any detail of the order.
 */
export async function openLink(deps: Deps, token: string): Promise<OpenLink> {
  return refuseClosed(await findOpenLink(deps, token))
}

/** The link of a token, in any status. Refuses `not_found`. */
export async function findOpenLink(deps: Deps, token: string): Promise<OpenLink> {
  const hash = tokenHash(token)
  for (const accountId of isLinkToken(token) ? findTokenAccounts(deps.accounts.list(), token) : []) {
    const offsetMs = deps.accounts.head(accountId)?.clockOffsetMs ?? 0
    const link = await findLinkByToken(deps.db, accountId, hash, offsetMs)
    const entry = link && (await deps.accounts.find(accountId))
    if (entry) return { entry, link }
  }
  throw new Refusal('not_found', 'There is no such link. Check that the address is complete.')
}

/** Reads a link again that was open when it was last read. */
export async function readAgain(deps: Deps, { entry, link }: OpenLink): Promise<OpenLink> {
  const now = await findLink(deps.db, link.accountId, link.id, entry.clockOffsetMs)
  if (!now) throw new Error(`Link ${link.id} is gone.`)
  return refuseClosed({ entry, link: now })
}

/**
 * Returns a session to a customer who knows the order number. Refuses `reference_mismatch`, and `link_locked` from the
 * fifth wrong one on.
 */
export async function verifyLink(deps: Deps, { entry, link }: OpenLink, reference: string): Promise<string> {
  const tried = await countFailedReference(deps.db, link, reference.trim(), entry.nowMs())
  if (tried?.matches) return makeSession(deps, link)
  const left = MAX_FAILED_ATTEMPTS - (tried?.failedAttempts ?? MAX_FAILED_ATTEMPTS)
  if (left <= 0) throw locked()
  throw new Refusal(
    'reference_mismatch',
    `That is not the number of this order. ${left === 1 ? 'One more try' : `${left} more tries`}.`,
    { details: { attempts_left: left } },
  )
}

/** Refuses `link_not_verified` unless the session is ours, of this link, and not expired. */
export function requireSession(deps: Deps, { link }: OpenLink, session: string | null): void {
  const [exp = '', signature = ''] = (session ?? '').split('.')
  const isOver = !/^\d{1,12}$/.test(exp) || Number(exp) * 1000 <= Date.now()
  if (!isOver && isSignedBy(deps.secretKey, 'link-session', toClaimText(link, exp), signature)) return
  throw new Refusal('link_not_verified', 'Send the order number first: POST /l/{token}/verify.')
}

function makeSession(deps: Deps, link: Link): string {
  const exp = String(Math.floor(Date.now() / 1000) + SESSION_SECONDS)
  return `${exp}.${sign(deps.secretKey, 'link-session', toClaimText(link, exp))}`
}

function toClaimText({ accountId, id }: Link, exp: string): string {
  return `${accountId}\n${id}\n${exp}`
}

/** Returns the link if it is open or was used. Refuses as `openLink` does. */
export function refuseClosed(open: OpenLink): OpenLink {
  requireLinks(open.entry)
  const status = getLinkStatus(open.link)
  if (status === 'revoked') throw new Refusal('link_revoked', 'The store has withdrawn this link.')
  if (status === 'expired')
    throw new Refusal('link_expired', 'This link has expired. Ask the store for a new one.')
  if (status === 'locked') throw locked()
  return open
}

function locked(): Refusal {
  return new Refusal('link_locked', 'Too many wrong order numbers were tried. Ask the store for a new link.')
}
