import { createHash, randomBytes } from 'node:crypto'
import type { OpenIdSecrets } from '../../outbound/openid-client.ts'
import type { Identity } from '../../store/people/user-identities.ts'
import type { Deps } from '../deps.ts'
import type { Sealed } from '../secrets/seal.ts'

/** How long a person may take at the provider, and then for the code of their second factor. */
export const OPENID_LIFE_MS = 10 * 60_000

/** A login that a browser has begun: encrypted in its cookie, so that another browser cannot finish it. */
export type OpenIdRequest = OpenIdSecrets & {
  accountId: string
  issuer: string
  clientId: string
  /** Links the identity to the user of this session; null: logs in. */
  linkTo: { userId: string; sessionId: string } | null
  returnTo: string
  expiresAtMs: number
}

/** A login whose identity is known, and which waits for the code of a second factor; likewise in a cookie. */
export type PendingOpenId = Identity & {
  /** Used up with the login, as a state is. */
  state: string
  accountId: string
  userId: string
  returnTo: string
  expiresAtMs: number
}

export function newOpenIdSecrets(): OpenIdSecrets {
  const random = () => randomBytes(32).toString('base64url')
  return { state: random(), nonce: random(), verifier: random() }
}

export function newOpenIdState(): string {
  return newOpenIdSecrets().state
}

export function openIdStateHash(state: string): Buffer {
  return createHash('sha256').update(state).digest()
}

const PLACES = { request: 'openid/request', pending: 'openid/pending' } as const
type Kinds = { request: OpenIdRequest; pending: PendingOpenId }

/** The value of a cookie that only this installation reads. */
export function sealOpenId<K extends keyof Kinds>(
  { sealer }: Pick<Deps, 'sealer'>,
  kind: K,
  content: Kinds[K],
): string {
  const { keyId, nonce, ciphertext } = sealer.seal(JSON.stringify(content), PLACES[kind])
  return [keyId, nonce.toString('base64url'), ciphertext.toString('base64url')].join('.')
}

/** Null: there is no such cookie, it is not ours, or its time is over. */
export function unsealOpenId<K extends keyof Kinds>(
  { sealer }: Pick<Deps, 'sealer'>,
  kind: K,
  cookie: string | null,
): Kinds[K] | null {
  const [, keyId = '', nonce = '', ciphertext = ''] = COOKIE.exec(cookie ?? '') ?? []
  const sealed: Sealed = {
    keyId,
    nonce: Buffer.from(nonce, 'base64url'),
    ciphertext: Buffer.from(ciphertext, 'base64url'),
  }
  if (!sealer.knows(sealed)) return null
  try {
    const content = JSON.parse(sealer.open(sealed, PLACES[kind])) as Kinds[K]
    return content.expiresAtMs > Date.now() ? content : null
  } catch {
    return null
  }
}

/** 12 bytes of nonce; at least the 16 bytes of the tag. */
const COOKIE = /^([0-9a-f]{12})\.([A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]{22,4000})$/
