import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { FakeAnswer, FakeRequest } from '../fake.ts'
import { failure, unauthenticated } from './errors.ts'

export type DoorDashKey = {
  developerId: string
  keyId: string
  /** Base64url, as the portal shows it. */
  signingSecret: string
}

const LONGEST_SECONDS = 1_800
/** Allowed difference between two clocks. */
const SKEW_SECONDS = 60
const MINUTE_MS = 60_000

const Header = z.object({ alg: z.literal('HS256'), 'dd-ver': z.literal('DD-JWT-V1') })
const Claims = z.object({
  aud: z.string(),
  iss: z.string(),
  kid: z.string(),
  exp: z.number(),
  iat: z.number(),
})

/**
 * Accepts requests with a JWT that is signed with the key, 300 times a minute. Callers create tokens by the
 * machine's clock, so they are checked against `wallMs` and not the fake's clock.
 */
export function guard(
  key: DoorDashKey,
  wallMs: () => number,
  requestsAMinute: number | null,
): (request: FakeRequest) => FakeAnswer | null {
  const secret = Buffer.from(key.signingSecret, 'base64url')
  let recentMs: number[] = []
  return ({ headers, path }) => {
    if (path.startsWith('/pictures/')) return null
    const wrong = mistakeOf(/^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1])
    if (wrong !== null) return unauthenticated(wrong)
    recentMs = recentMs.filter((atMs) => atMs > wallMs() - MINUTE_MS)
    if (requestsAMinute !== null && recentMs.length >= requestsAMinute) return failure(429)
    recentMs.push(wallMs())
    return null
  }

  /** The message for an invalid token; only the one for [exp] is DoorDash's own. Null: the token is valid. */
  function mistakeOf(token: string | undefined): string | null {
    const [head, body, signature, ...more] = (token ?? '').split('.')
    if (!head || !body || !signature || more.length > 0) return 'The JWT is missing or malformed'
    if (!Header.safeParse(part(head)).success) return 'The [dd-ver] or [alg] header is not supported'
    const claims = Claims.safeParse(part(body)).data
    if (!claims) return 'A required claim is missing: [aud], [iss], [kid], [exp] and [iat]'
    const expected = createHmac('sha256', secret).update(`${head}.${body}`).digest()
    const given = Buffer.from(signature, 'base64url')
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      return 'The JWT signature is invalid'
    }
    const nowSeconds = wallMs() / 1_000
    const rules: readonly [boolean, string][] = [
      [claims.aud === 'doordash', 'The [aud] must be doordash'],
      [claims.iss === key.developerId, 'The [iss] is not a known developer'],
      [claims.kid === key.keyId, 'The [kid] is not a known key'],
      [claims.exp > nowSeconds, 'The [exp] is in the past; the JWT is expired'],
      [claims.iat <= nowSeconds + SKEW_SECONDS, 'The [iat] is in the future'],
      [claims.exp - claims.iat <= LONGEST_SECONDS, 'The [exp] is more than 30 minutes after the [iat]'],
    ]
    return rules.find(([holds]) => !holds)?.[1] ?? null
  }
}

function part(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    return null
  }
}
