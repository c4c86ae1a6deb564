import { randomBytes } from 'node:crypto'
import type { FakeAnswer, FakeDesk, FakeRequest } from '../fake.ts'
import { UNAUTHORIZED } from './errors.ts'

export type AramexClient = { clientId: string; clientSecret: string }

export const TOKEN_PATH = '/connect/token'
/** Of Australia; New Zealand has its own. */
const SCOPE = 'ac-api-au'
/** "A default lifetime of 60 mins." */
const LIFE_SECONDS = 3_600

/** OAuth 2.0 client credentials as its identity server issues them, and the check of each request's token. */
export function tokenOffice({ clock, ledger }: FakeDesk, client: AramexClient) {
  const endsMs = new Map<string, number>()

  function issue({ body }: FakeRequest): FakeAnswer {
    const form = new URLSearchParams(body.toString('utf8'))
    if (form.get('client_id') !== client.clientId || form.get('client_secret') !== client.clientSecret) {
      return { status: 400, body: { error: 'invalid_client' } }
    }
    if (form.get('grant_type') !== 'client_credentials') {
      return { status: 400, body: { error: 'unsupported_grant_type' } }
    }
    if (form.get('scope') !== SCOPE) return { status: 400, body: { error: 'invalid_scope' } }
    const token = randomBytes(32).toString('base64url')
    endsMs.set(token, clock.nowMs() + LIFE_SECONDS * 1_000)
    ledger.write('token_issued', { scope: SCOPE })
    return { status: 200, body: { access_token: token, expires_in: LIFE_SECONDS, token_type: 'Bearer' } }
  }

  /** Null: the request is authorised. */
  function admit({ path, headers }: FakeRequest): FakeAnswer | null {
    if (path === TOKEN_PATH) return null
    const token = /^bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
    return (endsMs.get(token) ?? 0) > clock.nowMs() ? null : UNAUTHORIZED
  }

  return { issue, admit }
}
