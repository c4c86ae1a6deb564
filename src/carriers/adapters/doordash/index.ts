import { randomUUID } from 'node:crypto'
import { readSettings } from '../../kit/adapter-settings.ts'
import { signedIn, statusOf } from '../../kit/answer.ts'
import { fetchProofImages } from '../../kit/fetch-proof-images.ts'
import { requirePhone } from '../../kit/require-phone.ts'
import { statusSnapshotPoll, treatAsCancelled } from '../../kit/status-polling.ts'
import { webhookSignIn } from '../../kit/webhook-sign-in.ts'
import type { Adapter, AdapterContext } from '../../port/adapter.ts'
import type { Carrier } from '../../port/carrier.ts'
import { yes } from '../../port/outcome.ts'
import { httpVerbs } from '../../wire/http-verbs.ts'
import { formatDelivery, formatQuote } from './format.ts'
import { jwtSigner } from './jwt.ts'
import { parseBooking, parseCancel, parseFound, parseProofs, parseQuote, parseStatus } from './parse.ts'
import { parseBookingState, parseWebhook } from './parse-webhook.ts'
import { DUPLICATE_ID, IN_PROGRESS, reader } from './refusals.ts'
import { DEFAULTS, Settings } from './settings.ts'

/**
 * DoorDash Drive, on-demand couriers; credentials `developer_id`, `key_id`, `signing_secret`, and for
 * webhooks `webhook_authorization` (the whole header that DoorDash is configured to send) or
 * `webhook_client_id` and `webhook_client_secret` (OAuth).
 */
function doordash({ send, credentials, settings: rawSettings, wallMs }: AdapterContext): Carrier {
  const { developer_id = '', key_id = '', signing_secret = '' } = credentials
  const settings = readSettings(Settings, rawSettings) ?? DEFAULTS
  const sign = jwtSigner({ developerId: developer_id, keyId: key_id, signingSecret: signing_secret }, wallMs)
  const api = httpVerbs(send, () => ({ authorization: sign() }))
  const webhooks = webhookSignIn('doordash', credentials, wallMs)
  const pathOf = (id: string) => `/deliveries/${encodeURIComponent(id)}`

  return {
    // By contract one `external_delivery_id` is one delivery, permanently.
    recovery: { kind: 'idempotency_key' },

    /** Wrong credentials are refused before the missing delivery is reported. */
    check: async () => signedIn(parseStatus(await api.get(pathOf(`check-${randomUUID()}`)))),

    async rates(ask) {
      const askedAtMs = wallMs()
      const body = formatQuote(ask, `quote-${randomUUID()}`, settings, askedAtMs)
      return parseQuote(await api.post('/quotes', body), ask.carrierCodes, askedAtMs)
    },

    async book(consignment) {
      const lacking = requirePhone(consignment, ['to'], settings.pickup_phone)
      if (lacking) return lacking
      const answer = await api.post('/deliveries', formatDelivery(consignment, settings))
      const isTaken = statusOf(answer) === 409 || reader.isRefused(answer, DUPLICATE_ID, ...IN_PROGRESS)
      if (!isTaken) return parseBooking(answer, consignment)
      // The id is in use, perhaps by our own earlier request.
      const found = parseFound(await api.get(pathOf(consignment.key)), consignment)
      if (found.kind === 'yes' && found.value) return yes(found.value)
      return { kind: 'unknown', message: 'it rejects the delivery as a duplicate, but does not find it' }
    },

    find: async (key, consignment) => parseFound(await api.get(pathOf(key)), consignment),

    async cancel(id) {
      const answer = await api.put(`${pathOf(id)}/cancel`, {})
      const cancelled = parseCancel(answer)
      // A request still in progress there is unknown, and so is retried.
      if (cancelled.kind !== 'no' || statusOf(answer) !== 409) return cancelled
      return treatAsCancelled(parseStatus(await api.get(pathOf(id))), 'cancelled')
    },

    // Pictures are on another server: our credentials must not be sent there.
    proofs: async (id) => fetchProofImages(parseProofs(await api.get(pathOf(id))), httpVerbs(send).bytes),

    track: statusSnapshotPoll('doordash', async (id) =>
      parseBookingState(await api.get(pathOf(id)), wallMs()),
    ),

    readWebhook: ({ headers, body }) => (webhooks.isTheirs(headers) ? parseWebhook(body, wallMs()) : null),

    grantToken: webhooks.grantToken,
  }
}

const API = { api: 'https://openapi.doordash.com/drive/v2' }

export const DOORDASH: Adapter = {
  make: doordash,
  settings: Settings,
  live: {
    // Sandbox keys make sandbox deliveries on the same host.
    urls: { sandbox: API, production: API },
    credentials: ['developer_id', 'key_id', 'signing_secret'],
  },
}
