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
