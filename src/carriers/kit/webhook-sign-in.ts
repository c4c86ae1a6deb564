import { createHmac } from 'node:crypto'
import { isSame } from './hmac.ts'

type Headers = Readonly<Record<string, string | undefined>>

const TOKEN_S = 3_600

/**
 * Webhooks of a carrier that authenticates with a token instead of a signature: by the header that it is
 * configured to send (`webhook_authorization`), or by a token that we issued for `webhook_client_id` and
 * `webhook_client_secret`. `name`: the carrier's, so that its tokens don't work for another carrier.
 */
export function webhookSignIn(
  name: string,
  credentials: Readonly<Record<string, string>>,
  wallMs: () => number,
) {
  const { webhook_authorization = '', webhook_client_id = '', webhook_client_secret = '' } = credentials
  const macOf = (exp: string) =>
    createHmac('sha256', webhook_client_secret).update(`${name} webhook ${exp}`).digest('base64url')

  return {
    /** Whether the carrier sent the request. */
    isTheirs({ authorization = '' }: Headers): boolean {
      if (webhook_authorization !== '' && isSame(authorization, webhook_authorization)) return true
      const [, exp = '', mac = ''] = /^Bearer (\d{10})\.([\w-]{43})$/.exec(authorization) ?? []
      if (webhook_client_secret === '' || Number(exp) * 1_000 <= wallMs()) return false
      return isSame(mac, macOf(exp))
    },

    /** OAuth 2.0 client credentials, in Basic or in a form (RFC 6749 section 4.4); null: unknown client. */
    grantToken({ headers: { authorization = '' }, body }: { headers: Headers; body: Buffer }) {
      const form = new URLSearchParams(body.toString('utf8'))
      const basic = /^Basic (\S+)$/i.exec(authorization)?.[1]
      const [id = '', secret = ''] = basic
        ? splitOnce(Buffer.from(basic, 'base64').toString('utf8'))
        : [form.get('client_id') ?? '', form.get('client_secret') ?? '']
      if (form.get('grant_type') !== 'client_credentials' || webhook_client_secret === '') return null
      if (!isSame(`${id}\n${secret}`, `${webhook_client_id}\n${webhook_client_secret}`)) return null
      const exp = `${Math.floor(wallMs() / 1_000) + TOKEN_S}`
      return { access_token: `${exp}.${macOf(exp)}`, expires_in: TOKEN_S }
    },
  }
}

function splitOnce(text: string): [string, string] {
  const at = text.indexOf(':')
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}
