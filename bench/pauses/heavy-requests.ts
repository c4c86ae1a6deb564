import { copyDelivery } from '../environment/copies.ts'
import type { BenchDatabase } from '../environment/database.ts'
import { liftLimits, OPERATOR, type Service } from '../environment/service.ts'
import { deliveryBody, IN_MANY_SCRIPTS, tooLongForLabels } from '../figures/delivery.ts'

const STATUS_ROWS = 5_000
const RATES_PER_CARD = 20_000
const MAX_DOCUMENT_BYTES = 6 * 1024 * 1024
const PAGE = 200

const COURIER = {
  provider: 'bob',
  adapter: 'local_courier',
  name: 'Bob’s Couriers',
  settings: { email: 'jobs@bob.example', cancel_by_email: true },
  services: [
    {
      service: 'VAN',
      carrier_code: 'VAN',
      delivery_type: 'flexible',
      manifest_group: 'BOB',
      timing: { on_day: { cut_off: '16:00', days: 0, from: '12:00', to: '20:00' } },
      rate_card: { zones: { metro: ['3000-3207'] }, rates: [{ zone: 'metro', up_to_kg: 20, cents: 1_500 }] },
    },
  ],
}

/** Requests with their largest input, by name: each resolves with the service's response. */
export async function heavyRequests(
  service: Service,
  database: BenchDatabase,
  deliveries: number,
): Promise<Readonly<Record<string, () => Promise<unknown>>>> {
  await liftLimits(service, ({ carriers }) => ({ carriers: [COURIER, ...carriers] }))
  const booked = await bookedDelivery(service)
  await copyDelivery(database.url, booked, {
    from: 1,
    to: deliveries,
    changes: { status: `'delivered'`, updated_at: 'now()' },
  })
  const document = (await service.call('GET /admin/accounts/demo', { bearer: OPERATOR })) as Document
  const largest = largestDocument(document)
  const names = await labelledIds(service)
  const put = (body: object, query = '') =>
    service.call(`PUT /admin/accounts/demo${query}`, { bearer: OPERATOR, body })
  const labels = (format: string) =>
    service.call('POST /demo/deliveries/labels', { body: { delivery_ids: names, format } })
  return {
    'create, refused for its long texts': () => refusedCreate(service),
    'account of 480,000 values, dry run': () => put(largest, '?dry_run=true'),
    'account of 480,000 values, PUT': () => put(largest),
    'account of 480,000 values, GET': () => service.call('GET /admin/accounts/demo', { bearer: OPERATOR }),
    'account with 20,000 rates, PUT': () => put(withRates(document, 1)),
    'account as it was, PUT': () => put(document),
    'status list of 5,000 rows': () => sendList(service),
    'deliveries, list of 200': () => service.call(`GET /demo/deliveries?limit=${PAGE}`),
    'events, page of 200': () => service.call(`GET /demo/events?limit=${PAGE}`),
    [`insights over ${deliveries.toLocaleString('en')} deliveries`]: () => service.call('GET /demo/insights'),
    'labels of 200 deliveries, PDF': () => labels('pdf'),
    'labels of 200 deliveries, ZPL': () => labels('zpl'),
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a document as untyped JSON.
type Document = any

async function bookedDelivery(service: Service) {
  const reference = `HEAVY-${'0'.repeat(10)}`
  const body = { ...deliveryBody(reference), book_delivery_now: true }
  const { data } = (await service.call('POST /demo/deliveries', { body })) as {
    data: { id: string; consignment_number: string | null }
  }
  if (!data.consignment_number) throw new Error(`The delivery was not booked: ${JSON.stringify(data)}`)
  return { deliveryId: data.id, reference, consignmentNumber: data.consignment_number }
}

async function labelledIds(service: Service): Promise<string[]> {
  const { data } = (await service.call(`GET /demo/deliveries?limit=${PAGE}`)) as { data: { id: string }[] }
  return data.map(({ id }) => id)
}

function withRates(document: Document, cards: number): Document {
  const rates = Array.from({ length: RATES_PER_CARD }, (_, step) => ({
    zone: 'metro',
    up_to_kg: step + 1,
    cents: 900 + step,
  }))
  const couriers = Array.from({ length: cards }, (_, n) => ({
    ...COURIER,
    provider: `rates_${n}`,
    services: COURIER.services.map((one) => ({
      ...one,
      manifest_group: `RATES-${n}`,
      rate_card: { ...one.rate_card, rates },
    })),
  }))
  return { ...document, carriers: [...couriers, ...document.carriers] }
}

/** Rate cards up to the limits, and as many stores as fit in the remaining bytes. */
function largestDocument(document: Document): Document {
  const made = withRates(document, 4)
  const [store] = document.stores
  const bytes = (value: unknown) => JSON.stringify(value).length
  const count = Math.floor((MAX_DOCUMENT_BYTES - 1_000 - bytes(made)) / (bytes(store) + 20))
  const values = 80_000 // A document may have half a million values, most of them in rate cards.
  const stores = Array.from({ length: Math.min(count, Math.floor(values / 60)) }, (_, n) => ({
    ...store,
    reference: `heavy-${n}`,
    staff_couriers: undefined,
  }))
  return { ...made, stores: [...document.stores, ...stores] }
}

async function sendList(service: Service): Promise<void> {
  const rows = Array.from(
    { length: STATUS_ROWS },
    (_, n) => `BOB-${n},delivered,2026-11-24T15:05:00+11:00,Ana`,
  )
  const response = await fetch(`http://${service.host}:${service.port}/demo/carriers/bob/statuses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.token}`, 'content-type': 'text/csv' },
    body: `consignment_number,status,at,note\n${rows.join('\n')}\n`,
  })
  if (!response.ok) throw new Error(`A status list was answered ${response.status}: ${await response.text()}`)
  await response.arrayBuffer()
}

/** Texts of every script in each field that a label prints, as long as the fields allow. */
async function refusedCreate(service: Service): Promise<void> {
  const response = await fetch(`http://${service.host}:${service.port}/demo/deliveries`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(tooLongForLabels(IN_MANY_SCRIPTS)),
  })
  const text = await response.text()
  if (response.status !== 422) throw new Error(`A text too long was answered ${response.status}: ${text}`)
}
