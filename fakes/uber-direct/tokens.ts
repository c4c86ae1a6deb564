import { randomBytes } from 'node:crypto'
import type { FakeAnswer, FakeRequest, FakeServer } from '../fake.ts'
import { refuse, UNAUTHORIZED } from './errors.ts'

export type UberClient = { clientId: string; clientSecret: string; customerId: string }

export const TOKEN_PATH = '/oauth/v2/token'

/** 30 days, in the response's own unit. */
const LIFE_SECONDS = 2_592_000
const HOUR_MS = 3_600_000
/** Rate limit of client credentials; one more request gets 429. */
const TOKENS_AN_HOUR = 100
const SCOPES = ['eats.deliveries', 'direct.organizations']

/** OAuth 2.0 client credentials, and the check of each request's token. */
export function tokenOffice({ clock, ledger }: FakeServer, client: UberClient) {
  const tokens = new Map<string, { expiresMs: number; scopes: readonly string[] }>()
  let issuedMs: number[] = []
  return { issue, admit }

  async function issue(request: FakeRequest): Promise<FakeAnswer> {
    const form = await formOf(request)
    const fields = ['client_id', 'client_secret', 'grant_type', 'scope'].map((name) => form?.get(name))
    const [id, secret, grant, scope] = fields
    if (!fields.every((field) => typeof field === 'string' && field !== '')) {
      return oauthError(400, 'invalid_request', 'Required parameters were not provided.')
    }
    if (id !== client.clientId || secret !== client.clientSecret) {
      return oauthError(401, 'invalid_client', 'The client ID or secret provided is invalid.')
    }
    if (grant !== 'client_credentials') {
      return oauthError(400, 'unsupported_grant_type', 'The grant type is not client_credentials.')
    }
    const scopes = String(scope).split(' ')
    if (!scopes.every((one) => SCOPES.includes(one))) {
      return oauthError(400, 'invalid_scope', 'The scope is not a valid subset of scopes.')
    }
    issuedMs = issuedMs.filter((atMs) => atMs > clock.nowMs() - HOUR_MS)
    if (issuedMs.length >= TOKENS_AN_HOUR) {
      return oauthError(429, 'too_many_requests', 'The rate limit of this endpoint is exceeded.')
    }
    issuedMs.push(clock.nowMs())
    const token = `KA.${randomBytes(48).toString('base64url')}`
    tokens.set(token, { expiresMs: clock.nowMs() + LIFE_SECONDS * 1_000, scopes })
    ledger.write('token_issued', { scope })
    return {
      status: 200,
      body: { access_token: token, expires_in: LIFE_SECONDS, token_type: 'Bearer', scope },
    }
  }

  /** Null: the request is authorised. */
  function admit({ path, headers }: FakeRequest): FakeAnswer | null {
    const [, version, customers, customerId] = path.split('/')
    if (version !== 'v1' || customers !== 'customers') return null
    const token = tokens.get(/^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? '')
    if (!token || token.expiresMs <= clock.nowMs() || !token.scopes.includes('eats.deliveries')) {
      return UNAUTHORIZED
    }
    return customerId === client.customerId ? null : refuse('customer_not_found')
  }
}

/** Both content types that the guide names; null for any other. */
async function formOf({ body, headers }: FakeRequest): Promise<FormData | null> {
  const type = headers['content-type'] ?? ''
  const response = new Response(new Uint8Array(body), { headers: { 'content-type': type } })
  return response.formData().catch(() => null)
}

function oauthError(status: number, error: string, description: string): FakeAnswer {
  return { status, body: { error, error_description: description } }
}
