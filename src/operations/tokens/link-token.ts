import { createHash } from 'node:crypto'
import type { Deps } from '../context/deps.ts'
import { sign } from '../secrets/sign.ts'

/** Four bytes of the account's name, so that a token is looked up under its account; twenty that are the secret. */
export const TAG_BYTES = 4
const SECRET_BYTES = 20
const TOKEN = /^[A-Za-z0-9_-]{32}$/

/**
 * The token of a link: 160 bits that nobody without our secret key can tell, made of the link's id anew whenever
 * it is needed. So it is stored nowhere, not even where a message waits or an answer is kept to be repeated.
 */
export function linkToken(secretKey: string, accountId: string, linkId: string): string {
  const secret = Buffer.from(sign(secretKey, 'link-token', `${accountId}\n${linkId}`), 'base64url')
  return Buffer.concat([accountTag(accountId), secret.subarray(0, SECRET_BYTES)]).toString('base64url')
}

/** Where the customer opens it. */
export function linkAddress(
  { secretKey, publicUrl }: Pick<Deps, 'secretKey' | 'publicUrl'>,
  accountId: string,
  linkId: string,
): string {
  return `${publicUrl}/l/${linkToken(secretKey, accountId, linkId)}`
}

/** What is stored of a token. Long random input needs no salt and no slow hash. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** Whether a token may be of this account; false too for what is no token at all. */
export function mayBeOf(token: string, accountId: string): boolean {
  return (
    TOKEN.test(token) && Buffer.from(token, 'base64url').subarray(0, TAG_BYTES).equals(accountTag(accountId))
  )
}

const tags = new Map<string, Buffer>()

/** What a token says of its account: enough to find it, nothing to know it by. */
export function accountTag(accountId: string): Buffer {
  const known = tags.get(accountId)
  if (known) return known
  const tag = createHash('sha256').update(accountId).digest().subarray(0, TAG_BYTES)
  tags.set(accountId, tag)
  return tag
}
