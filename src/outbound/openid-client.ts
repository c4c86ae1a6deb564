import { createHash } from 'node:crypto'
import type { Configuration, CustomFetchOptions } from 'openid-client'
import type { FetchPublic } from './public-fetch.ts'

/** The provider of an account. `clientSecret` null: a public client. */
export type OpenIdProvider = { issuer: string; clientId: string; clientSecret: string | null }

/** The secrets of one login: the provider's answer has to match each. */
export type OpenIdSecrets = { state: string; nonce: string; verifier: string }

/** `reason` is for our log: a code of the library or of ours, never a part of an answer. */
export type OpenIdFailure = { kind: 'failed'; reason: string }

export type OpenIdClient = {
  /** Whether a provider answers for this issuer, with all that a login needs. Never from the cache. */
  check(issuer: string): Promise<{ kind: 'works' } | OpenIdFailure>
  /** The provider's page on which the person logs in. */
  start(
    provider: OpenIdProvider,
    request: OpenIdSecrets & { redirectUrl: string },
  ): Promise<{ kind: 'started'; url: string } | OpenIdFailure>
  /**
   * Exchanges the code of the provider's answer (`answer`: the URL that it opened) for an ID token, and checks the
   * token. `methods`: how the person logged in (RFC 8176); empty if the provider does not say.
   */
  finish(
    provider: OpenIdProvider,
    answer: URL,
    secrets: OpenIdSecrets,
  ): Promise<
    { kind: 'known'; subject: string; methods: readonly string[] } | { kind: 'cancelled' } | OpenIdFailure
  >
}

const CACHED_MS = 3_600_000
/** So that a provider that is down costs one request and not one for each person. */
const FAILURE_CACHED_MS = 10_000
const MAX_CACHED = 500
const TIMEOUT_S = 5
/** OpenID Connect Core, 2: at most 255 ASCII characters. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/

type Library = typeof import('openid-client')
type Cached = { configuration: Promise<Configuration>; untilMs: number }

/**
 * OpenID Connect by the authorization code flow with PKCE. The library checks issuer, audience, nonce, times, and the
 * issuer in the answer (RFC 9207) if the provider sends it; it also checks the signature of the ID token, although the
 * token comes from the provider itself over TLS. Discovery is cached for an hour.
 */
export function openIdClient(call: FetchPublic): OpenIdClient {
  const cached = new Map<string, Cached>()

  function configure(library: Library, provider: OpenIdProvider): Promise<Configuration> {
    const key = toCacheKey(provider)
    const nowMs = Date.now()
    const known = cached.get(key)
    if (known && known.untilMs > nowMs) return known.configuration
    const entry: Cached = { configuration: discover(library, provider, call), untilMs: nowMs + CACHED_MS }
    entry.configuration.catch(() => {
      entry.untilMs = Date.now() + FAILURE_CACHED_MS
    })
    cached.delete(key)
    cached.set(key, entry)
    const [oldest] = cached.keys()
    if (cached.size > MAX_CACHED && oldest !== undefined) cached.delete(oldest)
    return entry.configuration
  }

  return {
    async check(issuer) {
      try {
        const library = await import('openid-client')
        const provider = { issuer, clientId: 'check', clientSecret: null }
        const metadata = (await discover(library, provider, call)).serverMetadata()
        const isComplete = metadata.authorization_endpoint && metadata.token_endpoint && metadata.jwks_uri
        return isComplete ? { kind: 'works' } : { kind: 'failed', reason: 'incomplete' }
      } catch (error) {
        return { kind: 'failed', reason: toReason(error) }
      }
    },
    async start(provider, { redirectUrl, state, nonce, verifier }) {
      try {
        const library = await import('openid-client')
        const configuration = await configure(library, provider)
        const url = library.buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUrl,
          // No `email` and no `profile`: people are known by issuer and subject, and we store nothing more.
          scope: 'openid',
          state,
          nonce,
          code_challenge: await library.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        })
        return { kind: 'started', url: url.href }
      } catch (error) {
        return { kind: 'failed', reason: toReason(error) }
      }
    },
    async finish(provider, answer, { state, nonce, verifier }) {
      const library = await import('openid-client')
      try {
        const configuration = await configure(library, provider)
        const tokens = await library.authorizationCodeGrant(configuration, answer, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (!claims) return { kind: 'failed', reason: 'no_id_token' }
        if (!SUBJECT.test(claims.sub)) return { kind: 'failed', reason: 'invalid_subject' }
        return { kind: 'known', subject: claims.sub, methods: toMethods(claims.amr) }
      } catch (error) {
        const isCancelled =
          error instanceof library.AuthorizationResponseError && error.error === 'access_denied'
        return isCancelled ? { kind: 'cancelled' } : { kind: 'failed', reason: toReason(error) }
      }
    },
  }
}

async function discover(
  library: Library,
  { issuer, clientId, clientSecret }: OpenIdProvider,
  call: FetchPublic,
): Promise<Configuration> {
  const authenticate: import('openid-client').ClientAuth = (server, client, body, headers) => {
    if (clientSecret === null) return library.None()(server, client, body, headers)
    const methods = server.token_endpoint_auth_methods_supported
    // OpenID Connect Discovery, 3: a server that names no method accepts HTTP Basic.
    const isBasic = methods === undefined || methods.includes('client_secret_basic')
    const method = isBasic ? library.ClientSecretBasic : library.ClientSecretPost
    return method(clientSecret)(server, client, body, headers)
  }
  return library.discovery(new URL(issuer), clientId, {}, authenticate, {
    [library.customFetch]: (url: string, { method, headers, body }: CustomFetchOptions) =>
      call(url, { method, headers, body: body as string | URLSearchParams | null }),
    timeout: TIMEOUT_S,
    execute: [
      library.enableNonRepudiationChecks,
      // The document and `publicFetch` allow plain HTTP to this machine only, for tests.
      ...(issuer.startsWith('http:') ? [library.allowInsecureRequests] : []),
    ],
  })
}

function toCacheKey({ issuer, clientId, clientSecret }: OpenIdProvider): string {
  const secret = createHash('sha256')
    .update(clientSecret ?? '')
    .digest('base64url')
  return [issuer, clientId, clientSecret === null, secret].join('\n')
}

/** RFC 8176: a list of names; some providers send one as a text. */
function toMethods(claim: unknown): string[] {
  return [claim ?? []].flat().filter((one): one is string => typeof one === 'string')
}

/** The library's codes are constants; its messages may quote the provider's answer. */
function toReason(error: unknown): string {
  const { code, reason, cause } = (error ?? {}) as { code?: unknown; reason?: unknown; cause?: unknown }
  const own = typeof reason === 'string' ? reason : typeof code === 'string' ? code : null
  if (own !== null && own !== 'OAUTH_INVALID_REQUEST') return own
  return cause === undefined ? (own ?? 'unknown') : toReason(cause)
}
