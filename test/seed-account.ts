import assert from 'node:assert/strict'
import { until } from './wait-until.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test parses any response.
type Answer = { status: number; text: string; json: any }
/** Sends a request with this bearer token, or without a token: in the process or by HTTP. */
type Asker = (line: string, call?: { body?: unknown; token?: string | null }) => Promise<Answer>

export type SeededAccount = {
  accountId: string
  /** Part of every text that a person typed into the account's resources, and nowhere else in the account. */
  word: string
  store: string
  /** One id of each kind, by its name in a path or a body. */
  things: Readonly<Record<string, string>>
  linkSession: string
  driverSession: string
  signedUrl: string
}

const lineItem = { code: 'KETTLE', price_cents: 4995, quantity: 1 }
const parcel = { length_cm: 30, width_cm: 20, height_cm: 10, weight_kg: 2.5, quantity: 1 }

type Options = {
  accountId: string
  token: string
  operator: string
  store: string
  word: string
  phone: string
}

/** One of every resource of an account, made as merchants make them. The demo account, or a copy of it. */
export async function seedAccount(ask: Asker, options: Options): Promise<SeededAccount> {
  const { accountId, token, operator, store, word, phone } = options
  const make = async (line: string, body?: object, by: string | null = token): Promise<Answer['json']> => {
    const { status, text, json } = await ask(line.replace('{t}', accountId), {
      token: by,
      ...(body ? { body } : {}),
    })
    assert.ok(status < 300, `${line}: ${text}`)
    return json?.data ?? json
  }
  const customer = { first_name: word, last_name: word, phone, email: `${word}@example.com` }
  const address = { address: `12 ${word} Street`, city: 'Carlton', state: 'VIC', post_code: '3053' }
  const order = (reference: string) => ({
    ...{ store_reference: store, reference: `${word}-${reference}`, customer },
    ...{ line_items: [{ ...lineItem, name: word }], parcels: [{ ...parcel, reference: `${word}-P` }] },
  })
  const ready = { ready_for_pickup_at: '2026-11-24T14:00:00+11:00' }
  const abroad = { ...address, country: 'AU' }

  const delivery = await make('POST /{t}/deliveries', {
    ...order('BOOKED'),
    ...{ ...ready, address: abroad, delivery_type: 'standard', book_delivery_now: true },
    ...{ special_instructions: `${word} under the mat`, metadata: { note: word } },
  })
  const provider = await carrierWithWork(() => make('GET /{t}/carriers'))
  const [manifest] = await make('POST /{t}/store-manifests', {
    store_reference: store,
    create_manifest_now: false,
  })
  const requested = await make('POST /{t}/deliveries', { ...order('OPEN'), ...ready, address: abroad })
  const { customer: _, reference: _reference, ...goods } = order('QUOTED')
  const quote = await make('POST /{t}/deliveries/quote-next-available?hold=true', {
    ...goods,
    ...ready,
    address,
  })
  const link = await make('POST /{t}/links', { ...order('LINK'), address })
  const linkToken = new URL(link.link).pathname.split('/').at(-1) as string
  const { session } = await make(`POST /l/${linkToken}/verify`, { reference: `${word}-LINK` }, null)
  const endpoint = await make('POST /{t}/webhook-endpoints', { url: `https://${word}.example.com/hook` })
  const courier = await make('POST /{t}/staff-couriers', {
    ...{ store_reference: store, phone, driver_name: word },
  })
  const own = await make('POST /{t}/deliveries', {
    ...{ ...order('OWN'), ...ready, address: abroad, use_staff_couriers: true },
    ...{ staff_courier: { phone, driver_name: word } },
  })
  const driverSession = await logIn(ask, options)
  const allocation = await make('POST /{t}/deliveries/quote/allocation', {
    ...{ address: { latitude: -37.8183, longitude: 144.9671 }, store_references: [store], use_async: true },
  })
  const user = await make('POST /{t}/users', {
    ...{ email: `${word}@people.example.com`, role: 'store_clerk', store_references: [store] },
  })
  const assistant = await make('POST /{t}/assistants', {
    ...{ name: word, redirect_urls: [`https://${word}.example.com/callback`] },
  })
  const client = await make('POST /admin/accounts/{t}/clients', { name: word, scopes: ['quotes'] }, operator)
  await make(`PUT /admin/accounts/{t}/secrets/${word}`, { secret: `${word}-secret` }, operator)
  const event = await firstEvent(() => make('GET /{t}/events?limit=1'))
  return {
    ...{ accountId, word, store, linkSession: session, driverSession, signedUrl: delivery.label_url },
    things: {
      ...{ tenant_id: accountId, account: accountId, store_reference: store, reference: delivery.reference },
      ...{
        delivery_id: delivery.id,
        delivery_reference: requested.reference,
        booking: delivery.id,
        driver_job: own.id,
      },
      ...{ delivery_id_or_reference: delivery.id, store_id_or_reference: store, store_id: delivery.store_id },
      ...{ parcel_reference: `${word}-P`, driver_id: courier.id, event_id: event.id },
      ...{ manifest_id: manifest.id, link_id: link.id, token: linkToken, endpoint_id: endpoint.id },
      ...{ courier_id: courier.id, job_id: allocation.job_id, user_id: user.id, client_id: client.client_id },
      ...{ secret_name: word, provider, adapter: 'sandbox', version: '1', phone },
      ...{
        email: `${word}@people.example.com`,
        // Users' own sessions are tested in own-sessions.test.ts: an API client has none.
        session_id: 'ses_01kb0000000000000000000000',
        assistant_id: assistant.id,
        order_id: `${word}-ORDER`,
        quote_id: quote.standard.quote_id,
      },
    },
  }
}

/** Waits for a carrier with a booking: a create may return before its booking ends. */
async function carrierWithWork(
  read: () => Promise<{ provider: string; uncollected_count: number }[]>,
): Promise<string> {
  return await until(
    async () => (await read()).find((one) => one.uncollected_count > 0)?.provider,
    'a carrier has a booking',
  )
}

/** The feed publishes an event once every earlier transaction has ended, those of other tests included. */
async function firstEvent(read: () => Promise<{ id: string }[]>): Promise<{ id: string }> {
  return await until(async () => (await read())[0], 'the feed has an event')
}

/** Reads the code from the outbox, where a sandbox without a gateway shows it. */
async function logIn(ask: Asker, { accountId, token, phone }: Options): Promise<string> {
  await ask('POST /driver/login', { body: { phone }, token: null })
  const code = await until(async () => {
    const { json } = await ask(`GET /${accountId}/messages?kind=sms&limit=200`, { token })
    const texts = json.data.map(({ to, text }: { to: string; text: string }) => (to === phone ? text : ''))
    return texts.map((text: string) => /^(\d{6}) is your/.exec(text)?.[1]).find(Boolean)
  }, `a code is sent to ${phone}`)
  const verified = await ask('POST /driver/verify', { body: { phone, code }, token: null })
  assert.equal(verified.status, 200, verified.text)
  return verified.json.data.token
}
