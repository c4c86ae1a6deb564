import { createHash } from 'node:crypto'
import type { Deps } from '../deps.ts'
import { sign } from '../secrets/sign.ts'
import { accountTag } from './account-tag.ts'

/** Beside the account's tag: 160 bits. */
const SECRET_BYTES = 20
const TOKEN = /^[A-Za-z0-9_-]{32}$/

/**
 * Capability URL: the token of a booking link. Its 160 bits cannot be guessed without our secret key. It is derived
 * from the link's id whenever it is needed, so it is stored nowhere, not even in a queued message or a stored
 * idempotency response.
 */
export function linkToken(secretKey: string, accountId: string, linkId: string): string {
  const secret = Buffer.from(sign(secretKey, 'link-token', `${accountId}\n${linkId}`), 'base64url')
  return Buffer.concat([accountTag(accountId), secret.subarray(0, SECRET_BYTES)]).toString('base64url')
}

/** The URL that the customer opens. */
export function linkAddress(
  { secretKey, publicUrl }: Pick<Deps, 'secretKey' | 'publicUrl'>,
  accountId: string,
  linkId: string,
): string {
  return `${publicUrl}/l/${linkToken(secretKey, accountId, linkId)}`
}

/** The stored hash of a token. Long random input needs no salt and no slow hash. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

export function isLinkToken(text: string): boolean {
  return TOKEN.test(text)
}
