import { randomUUID } from 'node:crypto'
import type { CarrierAccess } from '../access.ts'
import type { Adapter } from '../adapter.ts'
import type { Carrier, Consignment } from '../carrier.ts'
import type { CarrierRequest } from '../send.ts'
import { formatDelivery, formatQuote } from './format.ts'
import { jwtSigner } from './jwt.ts'
import { parseBooking, parseCancel, parseCancelled, parseCheck, parseFound, parseQuote } from './parse.ts'
import { parseNews, parseStanding } from './parse-news.ts'
import { DEFAULTS, SETTINGS } from './settings.ts'
import { grantToken, isDoorDash } from './webhook-auth.ts'

/**
 * Dashers on demand; credentials `developer_id`, `key_id`, `signing_secret`, and for webhooks
 * `webhook_authorization` (the whole header that DoorDash was told to send) or `webhook_client_id` and
 * `webhook_client_secret` (OAuth).
 */
function doordash({ send, credentials, settings: given, wallMs }: CarrierAccess): Carrier {
  const { developer_id = '', key_id = '', signing_secret = '' } = credentials
  const settings = SETTINGS.read(given) ?? DEFAULTS
  const sign = jwtSigner({ developerId: developer_id, keyId: key_id, signingSecret: signing_secret }, wallMs)
  const call = (method: CarrierRequest['method'], path: string, body?: unknown) =>
    send({ method, path, headers: { authorization: sign() }, body })
  const pathOf = (id: string) => `/deliveries/${encodeURIComponent(id)}`
  const get = async (id: string, asked: Consignment) => parseFound(await call('GET', pathOf(id)), asked)

  return {
    // By contract one `external_delivery_id` is one delivery, for good.
    nature: { kind: 'idempotency_key' },

    async check() {
      return parseCheck(await call('GET', pathOf(`check-${randomUUID()}`)))
    },

    async rates(ask) {
      const askedAtMs = wallMs()
      const asked = formatQuote(ask, `quote-${randomUUID()}`, settings, askedAtMs)
      return parseQuote(await call('POST', '/quotes', asked), ask.carrierCodes, askedAtMs)
    },

    async book(consignment) {
      const outcome = parseBooking(
        await call('POST', '/deliveries', formatDelivery(consignment, settings)),
        consignment,
      )
      if (outcome !== 'taken') return outcome
      const found = await get(consignment.key, consignment)
      if (found.kind === 'yes' && found.value) return { kind: 'yes', value: found.value }
      return { kind: 'unknown', said: 'it says that it has it, and does not find it' }
    },

    find: get,

    async cancel(id) {
      const outcome = parseCancel(await call('PUT', `${pathOf(id)}/cancel`, {}))
      return outcome === 'again' ? parseCancelled(await call('GET', pathOf(id))) : outcome
    },

    track: {
      ...STANDING,
      async poll(refs) {
        const answers = await Promise.all(refs.map((ref) => call('GET', pathOf(ref))))
        const events = answers.flatMap((answer) => parseStanding(answer, wallMs()))
        return { kind: 'yes', value: { events, unreadable: 0 } }
      },
    },

    readWebhook({ headers, body }) {
      return isDoorDash(headers, credentials, wallMs()) ? parseNews(body, wallMs()) : null
    },

    grantToken({ headers, body }) {
      return grantToken(headers, body, credentials, wallMs())
    },
  }
}

/** Webhooks come three times at most: so often each delivery is asked for, well below 300 requests a minute. */
const STANDING = {
  batch: 20,
  everyMinutes: 10,
  budget: { name: 'doordash-standing', most: 6, perMs: 60_000 },
}

const API = { api: 'https://openapi.doordash.com/drive/v2' }

export const DOORDASH: Adapter = {
  make: doordash,
  live: {
    // Sandbox keys make sandbox deliveries on the same host.
    urls: { sandbox: API, production: API },
    credentials: ['developer_id', 'key_id', 'signing_secret'],
    settingsMistakes: SETTINGS.mistakes,
  },
}
