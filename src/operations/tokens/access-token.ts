import { checkClientSecret } from '../accounts/api-clients.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { SCOPES, type Scope } from '../directory/caller.ts'
import { isSignedBy, sign } from '../secrets/sign.ts'

/** The claims in a token, so that checking a token needs no database query. */
export type TokenClaims = {
  accountId: string
  clientId: string
  scopes: readonly Scope[]
  expiresAtMs: number
}

export const TOKEN_SECONDS = 3_600
const PREFIX = 'drt_'

/** A bearer token that expires by the wall clock: `drt_<claims>.<signature>`, both base64url. */
export function makeToken(secretKey: string, claims: TokenClaims): string {
  const body = Buffer.from(
    JSON.stringify({
      a: claims.accountId,
      c: claims.clientId,
      s: claims.scopes,
      e: claims.expiresAtMs,
    }),
  ).toString('base64url')
  return `${PREFIX}${body}.${sign(secretKey, 'access-token', body)}`
}

/** The claims of a token that we signed, expired or not; null for any other text. */
export function readToken(secretKey: string, token: string): TokenClaims | null {
  if (!token.startsWith(PREFIX)) return null
  const dot = token.indexOf('.')
  const body = token.slice(PREFIX.length, dot)
  if (dot < 0 || !isSignedBy(secretKey, 'access-token', body, token.slice(dot + 1))) return null
  const { a, c, s, e } = JSON.parse(Buffer.from(body, 'base64url').toString()) as TokenBody
  return { accountId: a, clientId: c, scopes: SCOPES.filter((scope) => s.includes(scope)), expiresAtMs: e }
}

type TokenBody = { a: string; c: string; s: string[]; e: number }

/**
 * RFC 6749 section 4.4: a client's id and secret, and the scopes that it requests (all of its own if it names none).
 */
export type TokenRequest = { clientId: string; clientSecret: string; scope: string | null }

export type TokenAnswer =
  | { kind: 'issued'; token: string; expiresInSeconds: number; scopes: readonly Scope[] }
  | { kind: 'invalid_client' }
  | { kind: 'invalid_scope'; scope: string }

/** A bearer token that is valid for one hour of the wall clock, or RFC 6749's error code. */
export function issueToken(
  deps: Pick<Deps, 'secretKey' | 'live' | 'clientUsed'>,
  entry: AccountEntry | null,
  { clientId, clientSecret, scope }: TokenRequest,
): TokenAnswer {
  const client = entry && checkClientSecret(deps, entry, clientId, clientSecret)
  if (!client) return { kind: 'invalid_client' }

  const wanted =
    scope === null ? SCOPES.filter((one) => client.scopes.has(one)) : scope.split(' ').filter(Boolean)
  const odd = wanted.find((one) => !client.scopes.has(one as Scope))
  if (odd !== undefined || wanted.length === 0) return { kind: 'invalid_scope', scope: odd ?? '' }

  const scopes = [...new Set(wanted as Scope[])]
  const expiresAtMs = Date.now() + TOKEN_SECONDS * 1000
  const token = makeToken(deps.secretKey, { accountId: entry.account.id, clientId, scopes, expiresAtMs })
  deps.clientUsed(entry.account.id, clientId)
  return { kind: 'issued', token, expiresInSeconds: TOKEN_SECONDS, scopes }
}
