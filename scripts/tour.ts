/**
 * The whole road against a running service: quote, create, booked, label in hand, followed to the door.
 *
 *   npm run tour                        the service of `npm start`
 *   npm run tour -- http://host:port    another one with the demo accounts
 */
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { client, tokenFor } from './tour/client.ts'
import { dollars, say, step, windowWords } from './tour/say.ts'

const base = (process.argv[2] ?? `http://127.0.0.1:${process.env.PORT ?? 8080}`).replace(/\/+$/, '')
const OPERATOR_TOKEN = process.env.DROVER_OPERATOR_TOKEN ?? 'demo-operator'
const HOUR_MS = 3_600_000
/** Long enough for the slowest carrier of the sandbox and its second thoughts. */
const PATIENCE_MS = 60_000

type Windowed = { from_datetime: string; to_datetime: string }
type Quote = Windowed & { price_cents: number; num_days: number }
type Delivery = Windowed & {
  id: string
  status: string
  status_reason?: string
  consignment_number?: string
  carrier_provider?: string
  service_code?: string
  label_url?: string
}
type Explained = {
  service: string
  eligible: boolean
  price_cents?: number
  lines?: { name: string; cents: number }[]
  detail?: string
}
type Data<T> = { data: T }

const order = `tour-${Date.now().toString(36)}`
const parcels = [
  {
    reference: 'BOX-1',
    type: 'carton',
    length_cm: 30,
    width_cm: 20,
    height_cm: 15,
    weight_kg: 3.2,
    quantity: 1,
  },
]
const lineItems = [{ code: 'TEA-1', name: 'Billy tea, 500 g', price_cents: 1450, quantity: 2 }]
const address = { address: '12 Beach Rd', city: 'Ballarat Central', state: 'VIC', post_code: '3350' }
const quoteBody = { store_reference: 'melbourne-cbd', address, line_items: lineItems, parcels }

try {
  await tour()
} catch (error) {
  const unreachable = error instanceof TypeError && error.message === 'fetch failed'
  process.stderr.write(
    unreachable
      ? `Nothing answers at ${base}. Start the service first, in another terminal: npm start\n`
      : `\n${error instanceof Error ? error.message : error}\n`,
  )
  process.exitCode = 1
}

async function tour(): Promise<void> {
  const operator = client(base, OPERATOR_TOKEN)
  step('Set the demo account’s clock to a Tuesday morning', 'PUT /admin/accounts/demo/clock')
  const startMs = nextTuesdayTen(Date.now())
  await setClock(operator, startMs)
  say(`It is now ${new Date(startMs).toISOString()}, 10:00 in Melbourne, for this account only.`)

  step('Get a token', 'POST /demo/auth/token')
  const shop = client(`${base}/demo`, await tokenFor(base, 'demo', 'demo-client', 'demo-secret'))
  say('Good for an hour.')

  step('When could it arrive?', 'POST /demo/deliveries/quote/availability')
  const windows = await shop.post<Record<string, Windowed>>('/deliveries/quote/availability', quoteBody)
  for (const [type, { from_datetime, to_datetime }] of Object.entries(windows)) {
    say(`${type.padEnd(9)} ${windowWords(from_datetime, to_datetime)}`)
  }

  step('What does it cost, and why?', 'POST /demo/deliveries/quote-next-available?explain=true')
  const quotes = await shop.post<Data<Record<string, Quote>> & { explanation: { services: Explained[] } }>(
    '/deliveries/quote-next-available?explain=true',
    quoteBody,
  )
  for (const [type, quote] of Object.entries(quotes.data)) {
    say(
      `${type.padEnd(9)} ${dollars(quote.price_cents).padStart(7)}  ${windowWords(quote.from_datetime, quote.to_datetime)}`,
    )
  }
  for (const { service, eligible, lines, detail } of quotes.explanation.services) {
    const why = eligible
      ? (lines ?? []).map(({ name, cents }) => `${name} ${dollars(cents)}`).join(' + ')
      : detail
    say(`  ${service.padEnd(8)} ${why}`)
  }

  step('Create the delivery', 'POST /demo/deliveries   Idempotency-Key: …')
  const created = await shop.post<Data<Delivery>>('/deliveries', deliveryBody(startMs), {
    'idempotency-key': order,
  })
  say(`${created.data.id} for order ${order}: ${created.data.status}`)
  const again = await shop.post<Data<Delivery>>('/deliveries', deliveryBody(startMs), {
    'idempotency-key': order,
  })
  say(
    `Sent twice by mistake: the same delivery, ${again.data.id === created.data.id ? 'not a second one' : 'A SECOND ONE'}.`,
  )

  step('It is booked with the carrier', 'GET /demo/deliveries/{id}')
  const booked = await until(shop, order, 'booked')
  say(`${booked.carrier_provider} ${booked.service_code}, consignment ${booked.consignment_number}`)
  say(`Promised ${windowWords(booked.from_datetime, booked.to_datetime)}`)

  step('The label', 'GET label_url (signed: no token needed)')
  const file = join(tmpdir(), `drover-label-${order}.pdf`)
  writeFileSync(file, await shop.bytes(booked.label_url ?? ''))

  step('What the carrier was asked', 'GET /admin/accounts/demo/sandbox/ledger')
  const ledger = await operator.get<Data<{ carrier: string; operation: string; outcome: string }[]>>(
    `/admin/accounts/demo/sandbox/ledger?reference=${order}`,
  )
  for (const { carrier, operation, outcome } of ledger.data) say(`${carrier}: ${operation} → ${outcome}`)

  step('Move the clock past its window, and follow it to the door', 'GET /demo/deliveries/{id}/events')
  await setClock(operator, Date.parse(booked.to_datetime) + HOUR_MS)
  const delivered = await until(shop, order, 'delivered')
  const events = await shop.get<Data<{ at: string; to?: string; sub_status?: string; detail?: string }[]>>(
    `/deliveries/${order}/events`,
  )
  for (const { at, to, sub_status, detail } of events.data) {
    if (to || sub_status) say(`${at}  ${(to ?? `(${sub_status})`).padEnd(18)} ${detail ?? ''}`)
  }

  await operator.put('/admin/accounts/demo/clock', { now: null })
  step(`Order ${order} is ${delivered.status}.`)
  say(`Its label: ${file}`)
  process.stdout.write('\n')
}

function deliveryBody(nowMs: number): unknown {
  return {
    store_reference: 'melbourne-cbd',
    reference: order,
    ready_for_pickup_at: new Date(nowMs + HOUR_MS / 2).toISOString(),
    delivery_type: 'standard',
    authority_to_leave: true,
    special_instructions: 'Leave behind the blue gate.',
    address: { ...address, country: 'AU' },
    customer: { first_name: 'Ada', last_name: 'Nguyen', phone: '0491 570 156', email: 'ada@example.com' },
    line_items: lineItems,
    parcels,
  }
}

async function until(shop: ReturnType<typeof client>, reference: string, status: string): Promise<Delivery> {
  const endMs = Date.now() + PATIENCE_MS
  for (;;) {
    const { data } = await shop.get<Data<Delivery>>(`/deliveries/${reference}`)
    if (data.status === status) return data
    if (Date.now() > endMs)
      throw new Error(`It stays ${data.status}: ${data.status_reason ?? 'no reason given'}`)
    await sleep(250)
  }
}

async function setClock(operator: ReturnType<typeof client>, nowMs: number): Promise<void> {
  await operator.put('/admin/accounts/demo/clock', { now: new Date(nowMs).toISOString() })
}

/** The next Tuesday, 10:00 in Melbourne give or take daylight saving: shops are open, cut-offs are ahead. */
function nextTuesdayTen(nowMs: number): number {
  const day = new Date(nowMs)
  const daysAhead = (2 - day.getUTCDay() + 7) % 7 || 7
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate() + daysAhead - 1, 23)
}
