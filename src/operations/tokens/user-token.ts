import { createHash, randomBytes } from 'node:crypto'
import type { User } from '../../domain/people/user.ts'
import type { Deps } from '../context/deps.ts'
import { sign } from '../secrets/sign.ts'

/** A token names its account, so that it is looked up under it; 256 bits are the secret. */
const TOKEN = /^(~|[a-z0-9][a-z0-9_-]{0,62})\.[A-Za-z0-9_-]{43}$/

/** Of a session: random, and known to the browser alone. */
export function newUserSessionToken(accountId: string): string {
  return `${accountId}.${randomBytes(32).toString('base64url')}`
}

/** Of an invitation or a reset: made of its message anew whenever that is sent, so that it is stored nowhere. */
export function userLinkToken(secretKey: string, accountId: string, linkId: string): string {
  return `${accountId}.${sign(secretKey, 'user-link', `${accountId}\n${linkId}`)}`
}

/** Where a password is set. The token stands behind the #, which no server and no log gets to see. */
export function userLinkAddress(
  { secretKey, publicUrl }: Pick<Deps, 'secretKey' | 'publicUrl'>,
  accountId: string,
  linkId: string,
): string {
  return `${publicUrl}/portal/welcome#${userLinkToken(secretKey, accountId, linkId)}`
}

/** The account that a token says it is of; null when it is no token. */
export function accountOfToken(token: string): string | null {
  return TOKEN.exec(token)?.[1] ?? null
}

/** Who is logged in, and whether with a second factor. */
export type Person = User & { bySecondFactor: boolean }

/** What is stored of a token. Long random input needs no salt and no slow hash. */
export function userTokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
