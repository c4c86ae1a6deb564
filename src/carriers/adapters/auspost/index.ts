import { goodSettings } from '../../kit/adapter-settings.ts'
import { namedByKey } from '../../kit/hmac.ts'
import { type LabelSlice, labelPoller } from '../../kit/label-poller.ts'
import { ratesOfEach } from '../../kit/rates.ts'
import { isRef, partsOf, shipmentIdsOf } from '../../kit/split-shipment-refs.ts'
import type { Adapter, AdapterContext } from '../../port/adapter.ts'
import type { Carrier, Lodged, ManifestOrder, Outcome, Stop } from '../../port/carrier.ts'
import { allYes, noAsUnknown, noSuchBooking, tryAnother, yes } from '../../port/outcome.ts'
import { httpVerbs } from '../../wire/http-verbs.ts'
import { formatLabels, formatPrice, formatRefs, formatShipments } from './format.ts'
import {
  parseAccount,
  parseCreated,
  parseDeleted,
  parseLabels,
  parseListed,
  parseOrder,
  parseOrderOf,
  parseOwnOrder,
  parsePrice,
  parseSlices,
  parseSummary,
  parseTracking,
} from './parse.ts'
import { IN_AN_ORDER, reader } from './refusals.ts'
import { Suburbs } from './schemas.ts'
import { NO_ACCOUNT, Settings } from './settings.ts'
import { LIVE, MAX_IN_ORDER, MAX_LISTED, TOO_LONG, TOO_MANY, TRACK } from './tables.ts'

/** Australia Post or StarTrack, by the account number; credentials `api_key` and `password`. */
function auspost({ send, credentials, settings: rawSettings, wallMs }: AdapterContext): Carrier {
  const settings = goodSettings(Settings, rawSettings, NO_ACCOUNT)
  const { api_key = '', password = '' } = credentials
  const headers = {
    authorization: `Basic ${Buffer.from(`${api_key}:${password}`).toString('base64')}`,
    'account-number': settings.account_number,
    accept: 'application/json',
  }
  const api = httpVerbs(send, () => headers)
  const account = `/accounts/${settings.account_number}`
  const pathOf = (id: string) => `/shipments/${encodeURIComponent(id)}`

  return {
    recovery: { kind: 'look_up', settleMs: settings.settle_ms },

    check: () => api.get(account).then(parseAccount),

    rates: (ask) =>
      ratesOfEach(ask.carrierCodes, async (code) => {
        const body = formatPrice(ask, code, settings)
        if (body.shipments.length > TRACK.ids) return tryAnother(TOO_MANY)
        return parsePrice(await api.post('/prices/shipments', body), code, wallMs())
      }),

    async book(consignment) {
      const body = formatShipments(consignment, settings)
      if (!body) return tryAnother(TOO_LONG)
      if (body.shipments.length > TRACK.ids) return tryAnother(TOO_MANY)
      const response = await api.post('/shipments', body)
      const outcome = parseCreated(response, consignment, body.shipments.length)
      const wrong = reader.refusedBy(response).find(({ message }) => /suburb/i.test(message))
      if (outcome.kind !== 'no' || !wrong) return outcome
      const stop = wrong.field?.includes('from') ? consignment.from : consignment.to
      return { ...outcome, message: `${outcome.message}${await suburbsOf(stop)}` }
    },

    async find(key, consignment) {
      const query = `offset=0&number_of_shipments=${MAX_LISTED}&sender_reference=${encodeURIComponent(key)}`
      const shipmentCount = formatShipments(consignment, settings)?.shipments.length ?? 0
      return parseListed(await api.get(`/shipments?${query}`), consignment, shipmentCount)
    },

    cancel: async (ref) =>
      isRef(ref)
        ? allYes(shipmentIdsOf(ref), (id) => api.drop(pathOf(id)).then(parseDeleted))
        : noSuchBooking,

    label: {
      formats: ['pdf', 'zpl'],
      fetch: labelPoller<LabelSlice>({
        acceptsRef: isRef,
        whole: (ref) => formatRefs([ref]).shipments,
        slices: (ref) =>
          api.get(`/shipments?shipment_ids=${shipmentIdsOf(ref).map(encodeURIComponent)}`).then(parseSlices),
        request: (...args) => api.post('/labels', formatLabels(settings, ...args)).then(parseLabels),
        look: (id) => api.get(`/labels/${encodeURIComponent(id)}`).then(parseLabels),
        // Labels are on another server, at a secret URL: our credentials must not be sent there.
        download: httpVerbs(send).bytes,
      }),
    },

    declares: true,

    track: {
      batch: TRACK.ids,
      everyMinutes: 30,
      budget: { name: namedByKey('auspost track', api_key), ...TRACK.budget },
      idsOf: (ref) => partsOf(ref).length,
      async poll(refs) {
        const ids = refs.flatMap(partsOf).map(({ consignmentId }) => encodeURIComponent(consignmentId))
        return parseTracking(await api.get(`/track?tracking_ids=${ids.join(',')}`), refs)
      },
    },

    manifest: {
      maxUnits: MAX_IN_ORDER,
      acceptsRef: isRef,
      async submit(order) {
        const body = { order_reference: order.key, payment_method: 'CHARGE_TO_ACCOUNT' }
        const response = await api.put('/orders', { ...body, ...formatRefs(order.refs) })
        if (!reader.isRefused(response, IN_AN_ORDER)) return parseOrder(response)
        // Shipments in an order are already charged: either it is our order and counts as the answer, or the
        // refusal is final.
        const ownOrderOutcome = await ownOrder(order)
        if (ownOrderOutcome.kind !== 'yes') return noAsUnknown(ownOrderOutcome)
        return ownOrderOutcome.value ? yes(ownOrderOutcome.value) : parseOrder(response)
      },
      find: (_key, order) => ownOrder(order),
      summary: (id) => api.bytes(`${account}/orders/${encodeURIComponent(id)}/summary`).then(parseSummary),
    },
  }

  /** The order that contains our shipments, if it was made under our key. */
  async function ownOrder({ key, refs }: ManifestOrder): Promise<Outcome<Lodged | null>> {
    const [first = ''] = refs.flatMap(shipmentIdsOf)
    const found = parseOrderOf(await api.get(`/shipments?shipment_ids=${encodeURIComponent(first)}`))
    if (found.kind !== 'yes' || found.value === null) return found as Outcome<null>
    return parseOwnOrder(await api.get(`/orders/${encodeURIComponent(found.value)}`), key)
  }

  /** If the suburb doesn't match its postcode, the message lists the suburbs that do. */
  async function suburbsOf({ city, state, postCode }: Stop): Promise<string> {
    const query = new URLSearchParams({ suburb: city, state, postcode: postCode })
    const suburbs = reader.read(await api.get(`/address?${query}`), Suburbs, (suburbs) => suburbs)
    if (suburbs.kind !== 'yes' || suburbs.value.found || suburbs.value.results.length === 0) return ''
    return ` ${postCode} ${state} has ${suburbs.value.results.slice(0, 10).join(', ')}.`
  }
}

export const AUSPOST: Adapter = {
  make: auspost,
  live: LIVE,
  settings: Settings,
}
