import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

type Headers = Readonly<Record<string, string | undefined>>
type Credentials = Readonly<Record<string, string>>

const TOKEN_S = 3_600

/**
 * Whether a webhook is DoorDash's: by the header it was told to send (`webhook_authorization`), or by a token that
 * we gave it for `webhook_client_id` and `webhook_client_secret`.
 */
export function isDoorDash(
  { authorization = '' }: Headers,
  credentials: Credentials,
  wallMs: number,
): boolean {
  const { webhook_authorization = '', webhook_client_secret = '' } = credentials
  if (webhook_authorization !== '' && isSame(authorization, webhook_authorization)) return true
  const [, exp = '', mac = ''] = /^Bearer (\d{10})\.([\w-]{43})$/.exec(authorization) ?? []
  if (webhook_client_secret === '' || Number(exp) * 1_000 <= wallMs) return false
  return isSame(mac, macOf(webhook_client_secret, exp))
}

/** OAuth 2.0 client credentials, in Basic or in a form (RFC 6749 section 4.4); null for whom we do not know. */
export function grantToken(
  { authorization = '' }: Headers,
  body: Buffer,
  { webhook_client_id = '', webhook_client_secret = '' }: Credentials,
  wallMs: number,
): { access_token: string; expires_in: number } | null {
  const form = new URLSearchParams(body.toString('utf8'))
  const basic = /^Basic (\S+)$/i.exec(authorization)?.[1]
  const [id = '', secret = ''] = basic
    ? splitOnce(Buffer.from(basic, 'base64').toString('utf8'))
    : [form.get('client_id') ?? '', form.get('client_secret') ?? '']
  if (form.get('grant_type') !== 'client_credentials' || webhook_client_secret === '') return null
  if (!isSame(`${id}\n${secret}`, `${webhook_client_id}\n${webhook_client_secret}`)) return null
  const exp = `${Math.floor(wallMs / 1_000) + TOKEN_S}`
  return { access_token: `${exp}.${macOf(webhook_client_secret, exp)}`, expires_in: TOKEN_S }
}

function macOf(secret: string, exp: string): string {
  return createHmac('sha256', secret).update(`doordash webhook ${exp}`).digest('base64url')
}

function splitOnce(text: string): [string, string] {
  const at = text.indexOf(':')
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

/** In the same time for texts of any length. */
function isSame(given: string, expected: string): boolean {
  const [one, other] = [given, expected].map((text) => createHash('sha256').update(text).digest())
  return timingSafeEqual(one as Buffer, other as Buffer)
}
