import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../domain/errors.ts'
import type { AccountEntry } from '../../operations/directory/account-directory.ts'
import { type Caller, type Scope, toCallerKey } from '../../operations/directory/caller.ts'
import type { ApiClient } from '../../operations/directory/load-api-clients.ts'
import { checkSignedPath, sameText } from '../../operations/secrets/sign.ts'
import { readToken, type TokenClaims } from '../../operations/tokens/access-token.ts'
import type { HttpDeps } from '../contract/deps.ts'
import { notFound } from '../contract/problem.ts'
import {
  allowanceHeaders,
  type Bucket,
  type Limit,
  makeBuckets,
  rateLimitKey,
  take,
  takeElsewhere,
  tooMany,
} from './rate-limit.ts'
import { usageGossip } from './usage-gossip.ts'
import { type MaybePromise, whenReady } from './when-ready.ts'

export type Authenticated = { entry: AccountEntry; caller: Caller; bucket: Bucket; limit: Limit }

/**
 * Authenticates and admits a request. Checks run in this order: 401, 404, 403, 429. A request rejected with 404 or 403
 * also counts against the rate limit, and gets 429 beyond it.
 */
export type Authenticator = {
  /** A bearer token of this account; the scope is checked if one is given. */
  admit(
    request: FastifyRequest,
    accountId: string,
    scope: Scope | null,
    cost?: number,
  ): MaybePromise<Authenticated>
  /** A signed URL (`exp` and `sig` in the query) for documents of this account. */
  admitSigned(
    request: FastifyRequest,
    accountId: string,
    query: { exp: string; sig: string },
  ): MaybePromise<AccountEntry>
  admitOperator(request: FastifyRequest, cost?: number): void
  /** A caller who is already authenticated, within the account's rate limit. */
  admitCaller(
    request: FastifyRequest,
    accountId: string,
    scope: Scope | null,
    caller: Caller,
    cost?: number,
  ): Promise<Authenticated>
  /** Any client, within the rate limit of its address. */
  admitAnybody(request: FastifyRequest, cost?: number): void
}

/** Generous, because nothing can be guessed here. It only stops one address from taking all of the CPU time. */
const PER_ADDRESS: Limit = { perSecond: 500, burst: 5_000 }
const MAX_TOKENS = 10_000
const MAX_BUCKETS = 50_000

export function makeAuthenticator(deps: HttpDeps): Authenticator {
  const verified = new Map<string, Verified>()
  const usedHere =
    deps.peers &&
    usageGossip(deps.peers, async (name, tokens) => {
      // While the database is unavailable, each process counts for itself.
      const entry = await Promise.resolve(deps.accounts.find(name.split(' ', 1)[0] as string)).catch(
        () => null,
      )
      if (!entry) return
      const [limit, nowMs] = [getLimit(entry), Date.now()]
      takeElsewhere(buckets(name, limit, nowMs), limit, nowMs, tokens)
    })
  const buckets = makeBuckets(MAX_BUCKETS, usedHere)
  const addresses = makeBuckets(MAX_BUCKETS)

  function admit(
    request: FastifyRequest,
    accountId: string,
    scope: Scope | null,
    cost = 1,
  ): MaybePromise<Authenticated> {
    const known = verify(request, cost)
    return whenReady(deps.accounts.find(known.claims.accountId), (entry) =>
      admitClient(request, { known, entry, accountId, scope, cost }),
    )
  }

  function admitClient(
    request: FastifyRequest,
    { known, entry, accountId, scope, cost }: BearerRequest,
  ): Authenticated {
    const { claims } = known
    const client = entry?.clients.get(claims.clientId)
    if (!entry || !client) throw refuseBearer(request, BAD_TOKEN, cost)
    if (known.client !== client) {
      known.client = client
      known.caller = toCaller(claims, client)
    }
    const caller = known.caller as Caller
    deps.clientUsed(claims.accountId, claims.clientId)
    const limit = getLimit(entry)
    known.bucket ??= buckets(`${claims.accountId} ${claims.clientId}`, limit, Date.now())
    const refusal = claims.accountId === accountId ? scopeRefusal(caller, scope) : notFound()
    return within(request, { entry, caller, bucket: known.bucket, limit }, refusal, cost)
  }

  /**
   * Enforces the rate limit, then throws the refusal if there is one. A rejected request still gets the rate-limit
   * headers, and the log names its account.
   */
  function within(
    request: FastifyRequest,
    admitted: Authenticated,
    refusal: Refusal | null,
    cost: number,
  ): Authenticated {
    const { entry, bucket, limit } = admitted
    request.meter = admitted
    const wait = take(bucket, limit, Date.now(), refusal ? 1 : cost)
    request.entry = entry
    request.allowance = allowanceHeaders(bucket, limit)
    if (wait > 0) throw tooMany(wait, 'requests')
    if (refusal) throw refusal
    return admitted
  }

  function verify(request: FastifyRequest, cost: number): Verified {
    const token = findBearer(request)
    if (token === null) throw refuseBearer(request, NO_TOKEN, cost)
    const known = verified.get(token) ?? remember(token)
    if (!known || known.claims.expiresAtMs <= Date.now()) throw refuseBearer(request, BAD_TOKEN, cost)
    return known
  }

  function remember(token: string): Verified | null {
    const claims = readToken(deps.secretKey, token)
    if (!claims) return null
    if (verified.size >= MAX_TOKENS) verified.delete(verified.keys().next().value as string)
    const verifiedToken: Verified = { claims, client: null, caller: null, bucket: null }
    verified.set(token, verifiedToken)
    return verifiedToken
  }

  function refuseBearer(request: FastifyRequest, refusal: () => Refusal, cost: number): Refusal {
    countAddress(request, cost)
    return refusal()
  }

  function countAddress(request: FastifyRequest, cost = 1): void {
    const nowMs = Date.now()
    const bucket = addresses(rateLimitKey(request.ip), PER_ADDRESS, nowMs)
    request.meter = { bucket, limit: PER_ADDRESS }
    const wait = take(bucket, PER_ADDRESS, nowMs, cost)
    if (wait === 0) return
    request.allowance = allowanceHeaders(bucket, PER_ADDRESS)
    throw tooMany(wait, 'requests from this address')
  }

  return {
    admit,
    admitSigned(request, accountId, query) {
      countAddress(request)
      const path = request.url.split('?', 1)[0] as string
      const state = checkSignedPath(deps.secretKey, path, query, Date.now())
      if (state === 'invalid')
        throw new Refusal('invalid_signature', `This link was changed. ${WITH_A_TOKEN}`)
      if (state === 'expired') throw new Refusal('link_expired', `This link has expired. ${WITH_A_TOKEN}`)
      return whenReady(deps.accounts.find(accountId), (entry) => {
        if (!entry) throw notFound()
        return entry
      })
    },
    admitOperator(request, cost = 1) {
      const token = findBearer(request)
      if (token !== null && sameText(token, deps.operatorToken)) return
      throw refuseBearer(request, token === null ? NO_TOKEN : BAD_TOKEN, cost)
    },
    async admitCaller(request, accountId, scope, caller, cost = 1) {
      const entry = await deps.accounts.find(accountId)
      if (!entry) throw notFound()
      const limit = getLimit(entry)
      const bucket = buckets(`${accountId} ${toCallerKey(caller)}`, limit, Date.now())
      return within(request, { entry, caller, bucket, limit }, scopeRefusal(caller, scope), cost)
    },
    admitAnybody: countAddress,
  }
}

/** Account-wide resources show and change all stores, so a caller limited to some stores has no access to them. */
export function scopeRefusal({ scopes, storeReferences }: Caller, scope: Scope | null): Refusal | null {
  if (scope !== null && !scopes.has(scope)) {
    return new Refusal('insufficient_scope', `This needs the scope ${scope}.`, {
      details: { challenge: 'insufficient_scope', scope },
    })
  }
  if (scope !== 'account' || storeReferences === null) return null
  return new Refusal('insufficient_scope', 'This is for callers who see every store of the account.', {
    details: { challenge: 'insufficient_scope' },
  })
}

type BearerRequest = {
  known: Verified
  entry: AccountEntry | null
  accountId: string
  scope: Scope | null
  cost: number
}

type Verified = {
  claims: TokenClaims
  client: ApiClient | null
  caller: Caller | null
  bucket: Bucket | null
}

/** The token's scopes that the client still has; the stores are the client's current ones. */
function toCaller({ scopes }: TokenClaims, client: ApiClient): Caller {
  return {
    clientId: client.clientId,
    scopes: new Set(scopes.filter((scope) => client.scopes.has(scope))),
    storeReferences: client.storeReferences,
  }
}

function getLimit({ account }: AccountEntry): Limit {
  return { perSecond: account.limits.requestsPerSecond, burst: account.limits.burst }
}

export function findBearer(request: FastifyRequest): string | null {
  const header = request.headers.authorization
  if (header === undefined || header.slice(0, 7).toLowerCase() !== 'bearer ') return null
  return header.slice(7).trim() || null
}

/** Reading the delivery again does not help: its `label_url` stays the same string, expired or not. */
const WITH_A_TOKEN = 'Remove exp and sig from the address, then request the document with a bearer token.'

const NO_TOKEN = () => new Refusal('unauthorized', 'A bearer token is needed in the Authorization header.')
const BAD_TOKEN = () =>
  new Refusal('unauthorized', 'The bearer token is not valid: unknown, expired or revoked.', {
    details: { challenge: 'invalid_token' },
  })
