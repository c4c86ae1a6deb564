import { createHash, randomBytes } from 'node:crypto'
import type { FailedLogins, User } from '../../domain/people/user.ts'
import type { Deps } from '../deps.ts'
import { sign } from '../secrets/sign.ts'

/** A token names its account, so that it is looked up under it; its secret has 256 bits. */
const TOKEN = /^(~|[a-z0-9][a-z0-9_-]{0,62})\.[A-Za-z0-9_-]{43}$/

/** A session token: random, and known to the browser only. */
export function newUserSessionToken(accountId: string): string {
  return `${accountId}.${randomBytes(32).toString('base64url')}`
}

/**
 * The token of an invitation or a password reset. It is derived from its id each time it is sent, so it is stored
 * nowhere.
 */
export function userLinkToken(secretKey: string, accountId: string, linkId: string): string {
  return `${accountId}.${sign(secretKey, 'user-link', `${accountId}\n${linkId}`)}`
}

/** Capability URL: the page that sets a password. The token is behind the #, so no server and no log sees it. */
export function userLinkAddress(
  { secretKey, publicUrl }: Pick<Deps, 'secretKey' | 'publicUrl'>,
  accountId: string,
  linkId: string,
): string {
  return `${publicUrl}/portal/welcome#${userLinkToken(secretKey, accountId, linkId)}`
}

/** The account that a token names; null if it is not a token. */
export function accountOfToken(token: string): string | null {
  return TOKEN.exec(token)?.[1] ?? null
}

/**
 * The logged-in user, whether they used a second factor, and the failed logins between this session's login and the
 * one before.
 */
export type Person = User & { bySecondFactor: boolean; sessionId: string; failedBefore: FailedLogins }

/** The stored hash of a token. Long random input needs no salt and no slow hash. */
export function userTokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
