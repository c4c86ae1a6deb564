import { createHash } from 'node:crypto'
import { Refusal } from '../../domain/errors.ts'
import { listAssistantScopes } from '../../domain/people/assistant-access.ts'
import {
  type EndedGrant,
  endGrantOfCode,
  endGrantOfUsedToken,
  exchangeCode,
  findJustReplaced,
  type GrantUser,
  readGrant,
  rotateRefreshToken,
} from '../../store/people/assistant-grants.ts'
import type { Deps } from '../deps.ts'
import type { Caller } from '../directory/caller.ts'
import { requiresFactor } from '../people/second-factor.ts'
import { isSignedBy, sign } from '../secrets/sign.ts'
import { TOKEN_SECONDS } from '../tokens/access-token.ts'
import { hashCode } from './authorization.ts'

/** After this long without use, a person must connect the assistant again. */
const GRANT_LIFE_MS = 30 * 24 * 3_600_000

/** An assistant that sends several requests with an expired access token may renew it once for each. */
const OVERLAP_MS = 10_000

export const ASSISTANT_TOKEN_PREFIX = 'dra_'
const REFRESH_PREFIX = 'drf_'

export type AssistantTokens = {
  accessToken: string
  refreshToken: string
  expiresInSeconds: number
  grant: GrantUser
}

/** `ended`: the grant that this request ended, because its code or refresh token may have been stolen. */
export type TokenOutcome =
  | { kind: 'issued'; tokens: AssistantTokens }
  | { kind: 'invalid_grant'; ended: EndedGrant | null }

/** A code exchange (RFC 6749, 4.1.3; RFC 7636, 4.5). */
export type CodeExchange = {
  accountId: string
  assistantId: string
  redirectUrl: string
  code: string
  codeVerifier: string
}

/**
 * Exchanges an authorization code for the first tokens. A code that is used again, late, or with another assistant,
 * redirect URL or verifier may have been stolen, so the grant and all its tokens end.
 */
export async function exchangeAssistantCode(
  deps: TokenDeps,
  { accountId, assistantId, redirectUrl, code, codeVerifier }: CodeExchange,
): Promise<TokenOutcome> {
  const codeHash = hashCode(code)
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')
  const binding = { accountId, codeHash, assistantId, redirectUrl, codeChallenge }
  const grant = await exchangeCode(deps.db, binding, GRANT_LIFE_MS)
  if (grant) return issue(deps, { accountId, ...grant })
  return { kind: 'invalid_grant', ended: await endGrantOfCode(deps.db, accountId, codeHash) }
}

/**
 * Exchanges a refresh token for the next tokens. A refresh token that is used again later than `OVERLAP_MS` ends the
 * grant (RFC 9700, 4.14.2).
 */
export async function refreshAssistantTokens(
  deps: TokenDeps,
  { accountId, assistantId, refreshToken }: { accountId: string; assistantId: string; refreshToken: string },
): Promise<TokenOutcome> {
  const [ofAccount, grantId, refreshNumber] =
    openToken<RefreshClaims>(deps, 'assistant-refresh', REFRESH_PREFIX, refreshToken) ?? []
  if (ofAccount !== accountId || grantId === undefined || refreshNumber === undefined)
    return { kind: 'invalid_grant', ended: null }
  const key = { accountId, grantId, refreshNumber }
  const next = await rotateRefreshToken(deps.db, key, { assistantId, lifeMs: GRANT_LIFE_MS })
  const current =
    next ??
    (await findJustReplaced(deps.db, key, { assistantId, lifeMs: GRANT_LIFE_MS, overlapMs: OVERLAP_MS }))
  if (current) return issue(deps, { accountId, ...current })
  return { kind: 'invalid_grant', ended: await endGrantOfUsedToken(deps.db, key) }
}

/**
 * Authenticates an assistant. The grant is read from the database each time, so that its end takes effect in every process
 * at once. Refuses `unauthorized`.
 */
export async function getAssistantCaller(
  deps: TokenDeps,
  token: string,
): Promise<{ user: GrantUser; caller: Caller }> {
  const [accountId, grantId, expiresAtMs = 0] =
    openToken<AccessClaims>(deps, 'assistant-token', ASSISTANT_TOKEN_PREFIX, token) ?? []
  const isCurrent = accountId !== undefined && grantId !== undefined && expiresAtMs > Date.now()
  const user = isCurrent ? await findUsableGrant(deps, accountId, grantId) : null
  if (!user) {
    throw new Refusal('unauthorized', 'The access of this assistant has ended. Connect it again.', {
      details: { challenge: 'invalid_token' },
    })
  }
  const { userId, role, access, assistantId, storeReferences } = user
  const caller: Caller = {
    clientId: userId,
    scopes: new Set(listAssistantScopes(role, access)),
    storeReferences: storeReferences && new Set(storeReferences),
    assistant: { assistantId, grantId: user.grantId, access },
  }
  return { user, caller }
}

type TokenDeps = Pick<Deps, 'db' | 'secretKey' | 'accounts' | 'live'>

/** Null also if the account has required a second factor since, and the person has neither an app nor a passkey. */
async function findUsableGrant(
  deps: TokenDeps,
  accountId: string,
  grantId: string,
): Promise<GrantUser | null> {
  const user = await readGrant(deps.db, accountId, grantId)
  if (!user || user.hasFactor || user.passkeys > 0) return user
  return (await requiresFactor(deps, user)) ? null : user
}

async function issue(
  deps: TokenDeps,
  { accountId, grantId, refreshNumber }: { accountId: string; grantId: string; refreshNumber: number },
): Promise<TokenOutcome> {
  const grant = await findUsableGrant(deps, accountId, grantId)
  if (!grant) return { kind: 'invalid_grant', ended: null }
  const access: AccessClaims = [accountId, grantId, Date.now() + TOKEN_SECONDS * 1_000]
  const refresh: RefreshClaims = [accountId, grantId, refreshNumber]
  return {
    kind: 'issued',
    tokens: {
      accessToken: makeToken(deps, 'assistant-token', ASSISTANT_TOKEN_PREFIX, access),
      refreshToken: makeToken(deps, 'assistant-refresh', REFRESH_PREFIX, refresh),
      expiresInSeconds: TOKEN_SECONDS,
      grant,
    },
  }
}

/** Account, grant, and the time of expiry by the wall clock. */
type AccessClaims = [accountId: string, grantId: string, expiresAtMs: number]
/** Account, grant, and the token's number. */
type RefreshClaims = [accountId: string, grantId: string, refreshNumber: number]
type TokenPurpose = 'assistant-token' | 'assistant-refresh'
type KeyDeps = Pick<Deps, 'secretKey'>

/** Signed token: the prefix, the claims, a full stop and their signature. Nothing of it is stored. */
function makeToken({ secretKey }: KeyDeps, purpose: TokenPurpose, prefix: string, claims: unknown): string {
  const body = Buffer.from(JSON.stringify(claims)).toString('base64url')
  return `${prefix}${body}.${sign(secretKey, purpose, body)}`
}

/** The claims of a token that we signed; null for any other text. */
function openToken<C>(
  { secretKey }: KeyDeps,
  purpose: TokenPurpose,
  prefix: string,
  token: string,
): C | null {
  const dot = token.indexOf('.')
  if (dot < 0 || !token.startsWith(prefix)) return null
  const body = token.slice(prefix.length, dot)
  if (!isSignedBy(secretKey, purpose, body, token.slice(dot + 1))) return null
  return JSON.parse(Buffer.from(body, 'base64url').toString()) as C
}
