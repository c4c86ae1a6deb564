import { goodSettings } from '../../kit/adapter-settings.ts'
import { signedIn } from '../../kit/answer.ts'
import { namedByKey } from '../../kit/hmac.ts'
import { pagedSearch } from '../../kit/paged-search.ts'
import { ratesOfEach } from '../../kit/rates.ts'
import type { Adapter, AdapterContext } from '../../port/adapter.ts'
import type { Carrier, Outcome } from '../../port/carrier.ts'
import { noAsUnknown, noSuchBooking, tryAnother, yes } from '../../port/outcome.ts'
import { httpVerbs } from '../../wire/http-verbs.ts'
import { withOAuthToken } from '../../wire/with-oauth-token.ts'
import { formatConsignment, formatQuote, lackingOf } from './format.ts'
import {
  labelsOf,
  parseBooking,
  parseBookingState,
  parseDeleted,
  parseLabels,
  parsePage,
  parseQuote,
  parseReasons,
  partsOf,
} from './parse.ts'
import { parseWebhook } from './parse-webhook.ts'
import { NOWHERE, Settings } from './settings.ts'
import { TRACK } from './tables.ts'

const SIGN_IN = { scope: 'ac-api-au', path: '/connect/token' }
const DAY_MS = 86_400_000
/**
 * Their client requests 10 entries a page, and they publish no default or limit; past 20,000 entries a search
 * proves nothing.
 */
const PAGE_SIZE = 100
const MAX_PAGES = 200
const REASONS = '/consignments/deleted-reasons'

/** Aramex Australia (Fastway), the myFastway API; credentials `client_id` and `client_secret`. */
function aramexAu(access: AdapterContext): Carrier {
  const { credentials, settings: rawSettings, wallMs } = access
  const settings = goodSettings(Settings, rawSettings, NOWHERE)
  const { client_id = '', client_secret = '' } = credentials
  const signedSend = withOAuthToken(access, { clientId: client_id, clientSecret: client_secret, ...SIGN_IN })
  const api = httpVerbs(signedSend, () => ({ 'api-version': '1.0' }))

  return {
    recovery: { kind: 'look_up', settleMs: settings.settle_ms },

    check: async () => signedIn(parseReasons(await api.get(REASONS))),

    rates: (ask) =>
      ratesOfEach(
        ask.carrierCodes.filter((code) => lackingOf(ask, code, settings) === null),
        async (code) =>
          parseQuote(await api.post('/consignments/quote', formatQuote(ask, code, settings)), code, wallMs()),
      ),

    async book(consignment) {
      const lacking = lackingOf(consignment, consignment.carrierCode, settings)
      if (lacking) return tryAnother(lacking)
      return parseBooking(
        await api.post('/consignments', formatConsignment(consignment, settings)),
        consignment,
      )
    },

    async find(key, consignment, sinceMs) {
      const days = daysOf(sinceMs, wallMs())
      const listed = await pagedSearch(MAX_PAGES, async ({ page }) =>
        parsePage(await api.get(`/consignments?${days}&pageNumber=${page}&pageSize=${PAGE_SIZE}`), key),
      )
      if (listed.kind !== 'yes' || listed.value === null) return listed as Outcome<null>
      return noAsUnknown(parseBooking(await api.get(`/consignments/${listed.value}`), consignment))
    },

    async cancel(ref) {
      const parts = partsOf(ref)
      if (!parts) return noSuchBooking
      const reasons = parseReasons(await api.get(REASONS))
      if (reasons.kind !== 'yes') return reasons
      const path = `/consignments/${parts.conId}`
      const deleted = parseDeleted(await api.drop(`${path}/reason/${reasons.value[0]}`))
      if (deleted.kind === 'yes' || (deleted.kind === 'no' && deleted.retry === 'later')) return deleted
      // It was deleted before, or can no longer be deleted.
      const state = parseBookingState(await api.get(path))
      if (state.kind !== 'yes') return noAsUnknown(state)
      if (!state.value) return yes(null)
      return deleted.kind === 'no' ? { ...deleted, retry: 'nobody' } : deleted
    },

    label: {
      formats: ['pdf'],
      fetch: async (ref) => {
        const parts = partsOf(ref)
        if (!parts) return noSuchBooking
        return parseLabels(
          await api.bytes(`/consignments/${parts.conId}/labels?pageSize=${settings.label_size}`),
        )
      },
    },

    track: {
      ...TRACK,
      budget: { name: namedByKey('aramex-au track', client_id), ...TRACK.budget },
      idsOf: (ref) => labelsOf(ref).length,
      async poll(refs) {
        const labels = refs.flatMap((ref) => labelsOf(ref).map((label) => ({ ref, label })))
        const requests = labels.map(async ({ ref, label }) => {
          return { ref, label, response: await api.get(`/track/label/${label}`) }
        })
        return parseWebhook(await Promise.all(requests), wallMs())
      },
    },
  }
}

/**
 * One extra day at each end, because their day starts at another hour than UTC's. Their wiki and their own
 * client name the two parameters differently, so both names are sent.
 */
function daysOf(sinceMs: number, wallMs: number): string {
  const from = dayOf(sinceMs - DAY_MS)
  const to = dayOf(Math.max(sinceMs, wallMs) + DAY_MS)
  return new URLSearchParams({ fromDate: from, toDate: to, from, to }).toString()
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

const HOSTS = { api: 'https://api.aramexconnect.com.au/api', login: 'https://identity.aramexconnect.com.au' }
/**
 * No sandbox is known, and Aramex collects what is booked at the hosts above, so `sandbox` only works with
 * `base_url`.
 */
const NO_SANDBOX = { api: 'https://no-sandbox-known.invalid/api', login: 'https://no-sandbox-known.invalid' }

export const ARAMEX_AU: Adapter = {
  make: aramexAu,
  settings: Settings,
  live: {
    urls: { sandbox: NO_SANDBOX, production: HOSTS },
    credentials: ['client_id', 'client_secret'],
    toArrange:
      'Drover does not book pickups. Arrange a regular pickup with Aramex, or book one in myFastway.',
  },
}
