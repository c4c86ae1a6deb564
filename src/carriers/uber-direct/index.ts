import type { CarrierAccess } from '../access.ts'
import type { Adapter } from '../adapter.ts'
import type { Carrier, CarrierEvent, Consignment } from '../carrier.ts'
import type { CarrierRequest } from '../send.ts'
import { withToken } from '../with-token.ts'
import { formatDelivery, formatQuote } from './format.ts'
import {
  parseBooking,
  parseCancel,
  parseCancelled,
  parseCheck,
  parseQuote,
  parseSearch,
  parseTwin,
} from './parse.ts'
import { parseNews, parseStanding } from './parse-news.ts'
import { isQuoteGone, refusalOf } from './refusals.ts'
import { DEFAULTS, SETTINGS, type Settings } from './settings.ts'
import { isSignedByUber } from './signature.ts'

const SIGN_IN = { scope: 'eats.deliveries', path: '/oauth/v2/token' }
/** Uber's own SDK names 60 minutes as what an idempotency key persists by default; less, to be sure. */
const KEY_LIVES_MS = 50 * 60_000
/** Webhooks may be lost: so often each delivery is asked for, and so many requests are a minute's. */
const STANDING = {
  batch: 20,
  everyMinutes: 10,
  budget: { name: 'uber-direct-standing', most: 6, perMs: 60_000 },
}
const PAGE = 100
/** Past these pages a search says nothing. */
const MOST_PAGES = 20

/** Couriers on demand; credentials `customer_id`, `client_id`, `client_secret` and `webhook_signing_key`. */
function uberDirect({ send, credentials, settings: given, environment, wallMs }: CarrierAccess): Carrier {
  const { customer_id = '', client_id = '', client_secret = '', webhook_signing_key = '' } = credentials
  const settings = SETTINGS.read(given) ?? DEFAULTS
  const call = withToken(send, { clientId: client_id, clientSecret: client_secret, ...SIGN_IN }, wallMs)
  const root = `/customers/${encodeURIComponent(customer_id)}`
  const get = (path: string) => call({ method: 'GET', path: `${root}${path}`, headers: {}, body: undefined })
  const post = (path: string, body: CarrierRequest['body']) =>
    call({ method: 'POST', path: `${root}${path}`, headers: {}, body })

  /** With the way back, where there is one. */
  async function standingOf(id: string): Promise<CarrierEvent[]> {
    const ask = async (one: string) =>
      parseStanding(await get(`/deliveries/${encodeURIComponent(one)}`), wallMs())
    const there = await ask(id)
    const back = there?.returnId ? await ask(there.returnId) : null
    return [there, back].flatMap((stands) => stands?.event ?? [])
  }

  return {
    nature: { kind: 'idempotency_key', livesMs: KEY_LIVES_MS },

    async check() {
      return parseCheck(await get('/deliveries?limit=1'))
    },

    async rates(ask) {
      const asked = formatQuote(ask, settings, wallMs())
      return parseQuote(await post('/delivery_quotes', asked), ask.carrierCodes)
    },

    async book(consignment) {
      const lacking = lackingOf(consignment, settings)
      if (lacking) return { kind: 'no', cure: 'another_carrier', said: lacking }
      const asked = formatDelivery(consignment, settings, environment === 'sandbox')
      const quoted = consignment.quoteId ? { ...asked, quote_id: consignment.quoteId } : asked
      let answer = await post('/deliveries', quoted)
      if (isQuoteGone(answer)) answer = await post('/deliveries', asked)
      const twin =
        answer.kind === 'answered' && answer.status === 409 ? refusalOf(answer.body).duplicateOf : null
      if (twin) return parseTwin(await get(`/deliveries/${encodeURIComponent(twin)}`), consignment)
      return parseBooking(answer, consignment)
    },

    async find(_key, consignment) {
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const answer = await get(`/deliveries?limit=${PAGE}&offset=${page * PAGE}`)
        const outcome = parseSearch(answer, consignment)
        if (outcome.kind !== 'yes') return outcome
        if (outcome.value.found || !outcome.value.more) return { kind: 'yes', value: outcome.value.found }
      }
      return { kind: 'unknown', said: `not among its newest ${MOST_PAGES * PAGE} deliveries` }
    },

    async cancel(deliveryId) {
      const path = `/deliveries/${encodeURIComponent(deliveryId)}`
      const outcome = parseCancel(await post(`${path}/cancel`, {}))
      return outcome === 'again' ? parseCancelled(await get(path)) : outcome
    },

    track: {
      ...STANDING,
      async poll(refs) {
        const events = await Promise.all(refs.map(standingOf))
        return { kind: 'yes', value: { events: events.flat(), unreadable: 0 } }
      },
    },

    readWebhook({ headers, body }) {
      return isSignedByUber(headers, body, webhook_signing_key) ? parseNews(body) : null
    },
  }
}

/** What a courier cannot do without, in a sentence; null when nothing is missing. */
function lackingOf({ from, to }: Consignment, { pickup_phone }: Settings): string | null {
  if (!from.phone && !pickup_phone) return 'it calls at no store without a phone number'
  if (!to.phone && !pickup_phone) return 'it delivers to nobody without a phone number'
  return null
}

const HOSTS = { api: 'https://api.uber.com/v1', login: 'https://auth.uber.com' }

export const UBER_DIRECT: Adapter = {
  make: uberDirect,
  live: {
    // Test credentials make test deliveries on the same hosts.
    urls: { sandbox: HOSTS, production: HOSTS },
    credentials: ['customer_id', 'client_id', 'client_secret'],
    settingsMistakes: SETTINGS.mistakes,
  },
}
