import { z } from 'zod'
import { excerpt } from './answer.ts'
import type { CarrierResponse, Send } from './send.ts'

const Token = z.object({ access_token: z.string().min(1).max(10_000), expires_in: z.number().positive() })
/** A token in the last tenth of its life is replaced while it still serves. */
const EARLY = 0.1

/** OAuth 2.0 client credentials, asked for at the carrier's address `login`. */
export type Client = { clientId: string; clientSecret: string; scope: string; path: string }

type Held = { token: string; renewFromMs: number; endsMs: number }

/**
 * The same wire, signed in: one token for all calls, one refresh at a time, replaced before it ends. A token that
 * is refused is replaced and the request sent once more, since a 401 did nothing. Without a token nothing is sent.
 */
export function withToken(send: Send, client: Client, wallMs: () => number): Send {
  let held: Held | null = null
  let asking: Promise<Held | CarrierResponse> | null = null

  function renew(): Promise<Held | CarrierResponse> {
    asking ??= askToken(send, client, wallMs())
      .then((answer) => {
        if ('token' in answer) held = answer
        return answer
      })
      .finally(() => {
        asking = null
      })
    return asking
  }

  async function tokenNow(): Promise<Held | CarrierResponse> {
    const nowMs = wallMs()
    if (!held || nowMs >= held.endsMs) return renew()
    if (nowMs >= held.renewFromMs) void renew()
    return held
  }

  return async (request) => {
    for (let tries = 2; ; tries -= 1) {
      const signIn = await tokenNow()
      if (!('token' in signIn)) return signIn
      const headers = { ...request.headers, authorization: `Bearer ${signIn.token}` }
      const response = await send({ ...request, headers })
      const refused = response.kind === 'answered' && response.status === 401
      if (!refused || tries === 1) return response
      if (held === signIn) held = null
    }
  }
}

/** A sign-in that failed in whatever way: the request itself has not been sent. */
async function askToken(
  send: Send,
  { clientId, clientSecret, scope, path }: Client,
  nowMs: number,
): Promise<Held | CarrierResponse> {
  const body = new URLSearchParams({
    client_id: clientId,
    client_secret: clientSecret,
    grant_type: 'client_credentials',
    scope,
  })
  const response = await send({ method: 'POST', path, at: 'login', headers: {}, body })
  if (response.kind !== 'answered') return { kind: 'not_sent', said: `no sign-in: ${response.said}` }
  const parsed = Token.safeParse(response.body)
  if (response.status !== 200 || !parsed.success) {
    return { kind: 'not_sent', said: `no sign-in: status ${response.status}: ${errorOf(response.body)}` }
  }
  const livesMs = parsed.data.expires_in * 1_000
  return {
    token: parsed.data.access_token,
    renewFromMs: nowMs + livesMs * (1 - EARLY),
    endsMs: nowMs + livesMs,
  }
}

/** The name of the error alone: a whole answer could hold a token. */
function errorOf(body: unknown): string {
  const parsed = z.object({ error: z.string() }).safeParse(body)
  return parsed.success ? excerpt(parsed.data.error) : 'an answer we do not understand'
}
