import { checkClientSecret } from '../accounts/api-clients.ts'
import type { Deps } from '../deps.ts'
import type { AccountEntry } from '../directory/account-directory.ts'
import { SCOPES, type Scope } from '../directory/caller.ts'
import { makeToken, TOKEN_SECONDS } from './access-token.ts'

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
