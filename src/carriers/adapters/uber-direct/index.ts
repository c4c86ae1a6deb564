import { readSettings } from '../../kit/adapter-settings.ts'
import { fetchProofImages } from '../../kit/fetch-proof-images.ts'
import { isHmac } from '../../kit/hmac.ts'
import { pagedSearch } from '../../kit/paged-search.ts'
import { requirePhone } from '../../kit/require-phone.ts'
import { statusSnapshotPoll, treatAsCancelled } from '../../kit/status-polling.ts'
import type { Adapter, AdapterContext } from '../../port/adapter.ts'
import type { Carrier, CarrierEvent, Outcome } from '../../port/carrier.ts'
import { noAsUnknown } from '../../port/outcome.ts'
import { httpVerbs } from '../../wire/http-verbs.ts'
import { withOAuthToken } from '../../wire/with-oauth-token.ts'
import { formatDelivery, formatQuote } from './format.ts'
import {
  parseBooking,
  parseCancel,
  parseCheck,
  parseProofs,
  parseQuote,
  parseSearch,
  parseStatus,
  parseTwin,
} from './parse.ts'
import { parseBookingState, parseWebhook } from './parse-webhook.ts'
import { NOT_CANCELLABLE, QUOTE_INVALID, reader, Twin } from './refusals.ts'
import { DEFAULTS, Settings } from './settings.ts'

const SIGN_IN = { scope: 'eats.deliveries', path: '/oauth/v2/token' }
/** Uber's own SDK gives 60 minutes as the default lifetime of an idempotency key; less, to be safe. */
const KEY_LIVES_MS = 50 * 60_000
const PAGE = 100
/** Past these pages a search proves nothing: 10,000 deliveries that are newer than the booking. */
const MAX_PAGES = 100
/** Allowed difference between Uber's clock and ours. */
const APART_MS = 3_600_000

/**
 * Uber Direct, on-demand couriers; credentials `customer_id`, `client_id`, `client_secret` and
 * `webhook_signing_key`.
 */
function uberDirect(access: AdapterContext): Carrier {
  const { send, credentials, settings: rawSettings, environment, wallMs } = access
  const { customer_id = '', client_id = '', client_secret = '', webhook_signing_key = '' } = credentials
  const settings = readSettings(Settings, rawSettings) ?? DEFAULTS
  const call = withOAuthToken(access, { clientId: client_id, clientSecret: client_secret, ...SIGN_IN })
  const root = `/customers/${encodeURIComponent(customer_id)}`
  const api = httpVerbs(call)
  const get = (path: string) => api.get(`${root}${path}`)
  const post = (path: string, body: unknown) => api.post(`${root}${path}`, body)
  const pathOf = (id: string) => `/deliveries/${encodeURIComponent(id)}`

  /**
   * Searches for the delivery under our key: its id, or null. The newest come first: a delivery made during
   * the search repeats others but hides none, and our delivery can't be on a page after one that is older
   * than our request.
   */
  const search = (key: string, filter: string, sinceMs: number) =>
    pagedSearch(MAX_PAGES, async ({ seen, next }) => {
      const answer = await get(`/deliveries?${next ?? `${filter}limit=${PAGE}&offset=${seen}`}`)
      return parseSearch(answer, { key, sinceMs: sinceMs - APART_MS, pageSize: PAGE })
    })

  /** Events of a delivery and of its return leg, if it has one. */
  async function eventsOf(id: string): Promise<CarrierEvent[]> {
    const ask = async (one: string) => parseBookingState(await get(pathOf(one)), wallMs())
    const there = await ask(id)
    const back = there?.returnId ? await ask(there.returnId) : null
    return [there, back].flatMap((state) => state?.event ?? [])
  }

  return {
    recovery: { kind: 'idempotency_key', livesMs: KEY_LIVES_MS },

    check: async () => parseCheck(await get('/deliveries?limit=1')),

    async rates(ask) {
      const body = formatQuote(ask, settings, wallMs())
      return parseQuote(await post('/delivery_quotes', body), ask.carrierCodes)
    },

    async book(consignment) {
      const lacking = requirePhone(consignment, ['from', 'to'], settings.pickup_phone)
      if (lacking) return lacking
      const body = formatDelivery(consignment, settings, environment === 'sandbox')
      const quoted = consignment.quoteId ? { ...body, quote_id: consignment.quoteId } : body
      let answer = await post('/deliveries', quoted)
      if (reader.isRefused(answer, ...QUOTE_INVALID)) answer = await post('/deliveries', body)
      const twin =
        answer.kind === 'answered' && answer.status === 409 ? Twin.safeParse(answer.body).data : null
      return twin ? parseTwin(await get(pathOf(twin)), consignment) : parseBooking(answer, consignment)
    },

    async find(key, consignment, sinceMs) {
      // The list of ongoing deliveries is short and most likely holds it; only a miss in the full list proves
      // that there is no booking.
      const underWay = await search(key, 'filter=ongoing&', sinceMs)
      const listed = underWay.kind === 'yes' && underWay.value ? underWay : await search(key, '', sinceMs)
      if (listed.kind !== 'yes' || listed.value === null) return listed as Outcome<null>
      return noAsUnknown(parseBooking(await get(pathOf(listed.value)), consignment))
    },

    async cancel(id) {
      const answer = await post(`${pathOf(id)}/cancel`, {})
      if (!reader.isRefused(answer, NOT_CANCELLABLE)) return parseCancel(answer)
      return treatAsCancelled(parseStatus(await get(pathOf(id))), 'canceled')
    },

    // Pictures are on another server: our token must not be sent there.
    proofs: async (id) => fetchProofImages(parseProofs(await get(pathOf(id))), httpVerbs(send).bytes),

    track: statusSnapshotPoll('uber-direct', eventsOf),

    /**
     * Hex HMAC-SHA256 of the body. Uber still sends the older header name. It signs no time; the event id
     * reveals a replay.
     */
    readWebhook({ headers, body }) {
      const signature = headers['x-uber-signature'] ?? headers['x-postmates-signature'] ?? ''
      return isHmac(signature, webhook_signing_key, body) ? parseWebhook(body) : null
    },
  }
}

const HOSTS = { api: 'https://api.uber.com/v1', login: 'https://auth.uber.com' }

export const UBER_DIRECT: Adapter = {
  make: uberDirect,
  settings: Settings,
  live: {
    // Test credentials make test deliveries on the same hosts.
    urls: { sandbox: HOSTS, production: HOSTS },
    credentials: ['customer_id', 'client_id', 'client_secret'],
  },
}
