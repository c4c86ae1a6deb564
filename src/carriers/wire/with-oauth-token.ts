import { z } from 'zod'
import { excerpt } from '../kit/answer.ts'
import type { AdapterContext } from '../port/adapter.ts'
import type { CarrierResponse, Send } from '../port/send.ts'
import { type CachedToken, NO_TOKEN_CACHE } from '../port/token-cache.ts'

const Token = z.object({ access_token: z.string().min(1).max(10_000), expires_in: z.number().positive() })
/** A token in the last tenth of its life is refreshed while it is still valid. */
const EARLY = 0.1

/** OAuth 2.0 client credentials, requested at the carrier's address `login`. */
export type Client = { clientId: string; clientSecret: string; scope: string; path: string }

/** A request that waited longer for a sign-in isn't sent. Settle times are counted from before the sign-in. */
const MAX_SIGN_IN_MS = 10_000
/** Pause after the carrier's token endpoint answers 429. */
const TOO_MANY_MS = 30_000

type Deps = Pick<AdapterContext, 'send' | 'wallMs' | 'tokens'> & { monotonicMs?: () => number }
type NoSignIn = Extract<CarrierResponse, { kind: 'not_sent' }> & { tooMany: boolean }

/**
 * Single-flight: adds an OAuth token to each request. All calls, and all processes that share the cache
 * `tokens`, use one token; one refresh runs at a time, before the token expires. If a token is rejected
 * (401), it is replaced and the request is sent once more, since the carrier did nothing. Without a token no
 * request is sent.
 */
export function withOAuthToken(
  { send, wallMs, monotonicMs = () => performance.now(), tokens: cache = NO_TOKEN_CACHE }: Deps,
  client: Client,
): Send {
  let current: CachedToken | null = null
  let rejectedToken: string | null = null
  let tooMany: { untilMs: number; answer: NoSignIn } | null = null
  let asking: Promise<CachedToken | NoSignIn> | null = null

  async function signIn(): Promise<CachedToken | NoSignIn> {
    const cached = await cache.get()
    if (cached && cached.token !== rejectedToken && wallMs() < cached.renewFromMs) return cached
    if (tooMany && monotonicMs() < tooMany.untilMs) return tooMany.answer
    const answer = await askToken(send, client, wallMs())
    if ('token' in answer) await cache.put(answer)
    else if (answer.tooMany) tooMany = { untilMs: monotonicMs() + TOO_MANY_MS, answer }
    return answer
  }

  function renew(): Promise<CachedToken | NoSignIn> {
    asking ??= signIn()
      .then((answer) => {
        if ('token' in answer) current = answer
        return answer
      })
      .finally(() => {
        asking = null
      })
    return asking
  }

  async function tokenNow(): Promise<CachedToken | NoSignIn> {
    const nowMs = wallMs()
    if (!current || nowMs >= current.endsMs) return renew()
    if (nowMs >= current.renewFromMs) void renew()
    return current
  }

  return async (request) => {
    const startedMs = monotonicMs()
    for (let tries = 2; ; tries -= 1) {
      const token = await tokenNow()
      if (!('token' in token)) return token
      if (monotonicMs() - startedMs > MAX_SIGN_IN_MS) return noSignIn('it took too long')
      const headers = { ...request.headers, authorization: `Bearer ${token.token}` }
      const response = await send({ ...request, headers })
      const isRefused = response.kind === 'answered' && response.status === 401
      if (isRefused) rejectedToken = token.token
      if (isRefused && current === token) current = null
      if (!isRefused || tries === 1) return response
    }
  }
}

/** Requests a token. However this fails, the carrier request itself has not been sent. */
async function askToken(
  send: Send,
  { clientId, clientSecret, scope, path }: Client,
  nowMs: number,
): Promise<CachedToken | NoSignIn> {
  const body = new URLSearchParams({
    client_id: clientId,
    client_secret: clientSecret,
    grant_type: 'client_credentials',
    scope,
  })
  const response = await send({ method: 'POST', path, at: 'login', headers: {}, body })
  if (response.kind !== 'answered') return noSignIn(response.message)
  const parsed = Token.safeParse(response.body)
  if (response.status !== 200 || !parsed.success) {
    return noSignIn(`status ${response.status}: ${errorOf(response.body)}`, response.status === 429)
  }
  const livesMs = parsed.data.expires_in * 1_000
  return {
    token: parsed.data.access_token,
    renewFromMs: nowMs + livesMs * (1 - EARLY),
    endsMs: nowMs + livesMs,
  }
}

function noSignIn(message: string, tooMany = false): NoSignIn {
  return { kind: 'not_sent', message: `sign-in failed: ${message}`, tooMany }
}

/** Only the name of the error: a whole response could hold a token. */
function errorOf(body: unknown): string {
  const parsed = z.object({ error: z.string() }).safeParse(body)
  return parsed.success ? excerpt(parsed.data.error) : 'an answer we do not understand'
}
