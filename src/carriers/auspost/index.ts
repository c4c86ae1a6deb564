import { createHash } from 'node:crypto'
import type { CarrierAccess } from '../access.ts'
import type { Adapter } from '../adapter.ts'
import type { Booking, Carrier, Consignment, News, Outcome, Stop } from '../carrier.ts'
import type { CarrierRequest, CarrierResponse } from '../send.ts'
import { formatPrice, formatShipments } from './format.ts'
import { labelDesk } from './labels.ts'
import { orderDesk } from './orders.ts'
import { parseAccount, parseSuburbs } from './parse-account.ts'
import { parsePrice } from './parse-prices.ts'
import { parseCreated, parseListed } from './parse-shipments.ts'
import { newsOf, parseTracking } from './parse-tracking.ts'
import { isRef, partsOf, shipmentIdsOf } from './ref.ts'
import { readReply, refusalsOf, SHIPMENT_GONE } from './refusals.ts'
import { readSettings, settingsMistakes } from './settings.ts'

/** Ten requests a minute with a key; a second of margin, for their minute and ours are not the same. */
const TRACK_LIMIT = { most: 10, perMs: 61_000 }
const TRACK_IDS = 10
const TOO_MANY = `it would be more than ${TRACK_IDS} shipments, which no one question can follow`
/** Ten and the doubles that a lost answer may have left. */
const MOST_LISTED = 50

/** Australia Post or StarTrack, by the account number; credentials `api_key` and `password`. */
function auspost({ send, credentials, settings: given, wallMs }: CarrierAccess): Carrier {
  const settings = readSettings(given)
  const { api_key = '', password = '' } = credentials
  const headers = {
    authorization: `Basic ${Buffer.from(`${api_key}:${password}`).toString('base64')}`,
    'account-number': settings.account_number,
    accept: 'application/json',
  }
  const ask = (method: CarrierRequest['method'], path: string, body?: unknown) =>
    send({ method, path, headers, body })
  const account = `/accounts/${settings.account_number}`
  const fetchLabel = labelDesk(
    ask,
    (path) => send({ method: 'GET', path, headers: {}, body: undefined, accept: 'bytes' }),
    settings,
  )

  return {
    nature: { kind: 'look_up', settleMs: settings.settle_ms },

    async check() {
      return parseAccount(await ask('GET', account))
    },

    async rates(asked) {
      const prices = await Promise.all(
        asked.carrierCodes.map(async (code) =>
          parsePrice(
            await ask('POST', '/prices/shipments', formatPrice(asked, code, settings)),
            code,
            wallMs(),
          ),
        ),
      )
      const known = prices.flatMap((price) => (price.kind === 'yes' ? [price.value] : []))
      const silent = prices.find(
        (price) => price.kind === 'unknown' || (price.kind === 'no' && price.cure === 'later'),
      )
      return known.length === 0 && silent && silent.kind !== 'yes' ? silent : { kind: 'yes', value: known }
    },

    async book(consignment) {
      const asked = formatShipments(consignment, settings)
      if (!asked) return { kind: 'no', cure: 'nobody', said: 'the street does not fit on its labels' }
      if (asked.shipments.length > TRACK_IDS) return { kind: 'no', cure: 'another_carrier', said: TOO_MANY }
      const response = await ask('POST', '/shipments', asked)
      const outcome = parseCreated(response, consignment, asked.shipments.length)
      return outcome.kind === 'no' ? withSuburbs(outcome, response, consignment) : outcome
    },

    async find(key, consignment) {
      const query = `offset=0&number_of_shipments=${MOST_LISTED}&sender_reference=${encodeURIComponent(key)}`
      return parseListed(await ask('GET', `/shipments?${query}`), consignment)
    },

    async cancel(ref) {
      if (!isRef(ref)) return { kind: 'no', cure: 'nobody', said: 'it is no booking of theirs' }
      for (const id of shipmentIdsOf(ref)) {
        const outcome = await dropped(id)
        if (outcome.kind !== 'yes') return outcome
      }
      return { kind: 'yes', value: null }
    },

    label: { formats: ['pdf', 'zpl'], fetch: fetchLabel },

    declares: true,

    track: {
      batch: TRACK_IDS,
      everyMinutes: 30,
      budget: { name: `auspost track ${nameOf(api_key)}`, ...TRACK_LIMIT },
      idsOf: (ref) => partsOf(ref).length,
      poll,
    },

    manifest: orderDesk(
      ask,
      (path) => send({ method: 'GET', path, headers, body: undefined, accept: 'bytes' }),
      account,
    ),
  }

  /** Yes too when it was deleted before. */
  async function dropped(shipmentId: string): Promise<Outcome<null>> {
    const response = await ask('DELETE', `/shipments/${encodeURIComponent(shipmentId)}`)
    const gone =
      response.kind === 'answered' &&
      response.status >= 400 &&
      refusalsOf(response.body).some(({ code }) => code === SHIPMENT_GONE)
    return gone ? { kind: 'yes', value: null } : readReply(response, () => ({ kind: 'yes', value: null }))
  }

  async function poll(refs: readonly string[]): Promise<Outcome<News>> {
    const ids = refs.flatMap(partsOf).map(({ consignmentId }) => consignmentId)
    const outcome = parseTracking(
      await ask('GET', `/track?tracking_ids=${ids.map(encodeURIComponent).join(',')}`),
    )
    if (outcome.kind !== 'yes') return outcome
    const { parcels, unreadable } = outcome.value
    const events = refs.flatMap((ref) =>
      newsOf(
        ref,
        partsOf(ref).flatMap(({ consignmentId }) => parcels.get(consignmentId) ?? []),
      ),
    )
    return { kind: 'yes', value: { events, unreadable } }
  }

  /** A suburb that is not its postcode's is named with those that are. */
  async function withSuburbs(
    refusal: Extract<Outcome<Booking>, { kind: 'no' }>,
    response: CarrierResponse,
    { from, to }: Consignment,
  ): Promise<Outcome<Booking>> {
    const refused = response.kind === 'answered' ? refusalsOf(response.body) : []
    const wrong = refused.find(({ said }) => /suburb/i.test(said))
    if (!wrong) return refusal
    const { city, state, postCode }: Stop = wrong.field?.includes('from') ? from : to
    const query = new URLSearchParams({ suburb: city, state, postcode: postCode })
    const suburbs = parseSuburbs(await ask('GET', `/address?${query}`))
    if (!suburbs?.length) return refusal
    return {
      ...refusal,
      said: `${refusal.said} ${postCode} ${state} has ${suburbs.slice(0, 10).join(', ')}.`,
    }
  }
}

/** The limit is the key's; its name in our table says nothing of it. */
function nameOf(apiKey: string): string {
  return createHash('sha256').update(`budget ${apiKey}`).digest('hex').slice(0, 12)
}

const HOST = 'https://digitalapi.auspost.com.au'

export const AUSPOST: Adapter = {
  make: auspost,
  live: {
    urls: { sandbox: { api: `${HOST}/test/shipping/v1` }, production: { api: `${HOST}/shipping/v1` } },
    credentials: ['api_key', 'password'],
    settingsMistakes,
  },
}
