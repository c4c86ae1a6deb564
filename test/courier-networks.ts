import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { DOORDASH_KEY, startDoorDash } from '../fakes/doordash/start-doordash.ts'
import type { RunningFake } from '../fakes/fake.ts'
import { startUberDirect, UBER_CLIENT } from '../fakes/uber-direct/start-uber-direct.ts'
import { type Api, deliveryBody, type Reply, testApi } from './api.ts'
import { type FixtureOptions, TUESDAY_TEN_MS } from './fixture.ts'
import { control } from './live-carriers.ts'
import { until } from './wait-until.ts'

const BASIC = { username: 'doordash', password: 'a long password' }
export const OAUTH = { client_id: 'doordash', client_secret: 'a long secret of the client' }
export const DOORDASH_AUTHORIZATION = `Basic ${Buffer.from(`${BASIC.username}:${BASIC.password}`).toString('base64')}`
const SECRETS = {
  'uber-customer': UBER_CLIENT.customerId,
  'uber-id': UBER_CLIENT.clientId,
  'uber-secret': UBER_CLIENT.clientSecret,
  'uber-signing': 'the signing key of the webhook',
  'dd-developer': DOORDASH_KEY.developerId,
  'dd-key': DOORDASH_KEY.keyId,
  'dd-secret': DOORDASH_KEY.signingSecret,
  'dd-webhook': DOORDASH_AUTHORIZATION,
  'dd-oauth-id': OAUTH.client_id,
  'dd-oauth-secret': OAUTH.client_secret,
}

function carrier(provider: string, baseUrl: string, credentials: Record<string, string>, cents: number) {
  return {
    provider,
    name: provider,
    base_url: baseUrl,
    credentials: Object.fromEntries(Object.entries(credentials).map(([name, secret]) => [name, { secret }])),
    services: [
      {
        service: 'NOW',
        carrier_code: 'NOW',
        delivery_type: 'fast',
        timing: { after_pickup: { lead_minutes: 20, window_minutes: 90, hours: '08:00-22:00' } },
        price: { base_cents: cents },
      },
    ],
  }
}

/** The demo account with both networks before its own carriers; both send us webhooks. */
export async function networks(t: Parameters<typeof testApi>[0], options: FixtureOptions = {}) {
  const [uber, dash, api] = await Promise.all([
    startUberDirect({ nowMs: TUESDAY_TEN_MS }),
    startDoorDash({ nowMs: TUESDAY_TEN_MS }),
    testApi(t, options),
  ])
  t.after(() => Promise.all([uber.close(), dash.close()]))
  for (const [name, secret] of Object.entries(SECRETS)) {
    const kept = await api.operator(`PUT /admin/accounts/demo/secrets/${name}`, { body: { secret } })
    assert.equal(kept.status, 204, kept.text)
  }
  const { json: document } = await api.operator('GET /admin/accounts/demo')
  const carriers = [
    carrier(
      'uber_direct',
      uber.url,
      {
        ...{ customer_id: 'uber-customer', client_id: 'uber-id', client_secret: 'uber-secret' },
        webhook_signing_key: 'uber-signing',
      },
      100,
    ),
    carrier(
      'doordash',
      dash.url,
      {
        ...{ developer_id: 'dd-developer', key_id: 'dd-key', signing_secret: 'dd-secret' },
        webhook_authorization: 'dd-webhook',
        ...{ webhook_client_id: 'dd-oauth-id', webhook_client_secret: 'dd-oauth-secret' },
      },
      200,
    ),
    ...document.carriers,
  ]
  const applied = await api.operator('PUT /admin/accounts/demo', { body: { ...document, carriers } })
  assert.ok(applied.status < 300, applied.text)

  await api.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = api.app.server.address() as AddressInfo
  const ours = (provider: string) => `http://127.0.0.1:${port}/carriers/${provider}/demo/webhooks`
  const signing_key = SECRETS['uber-signing']
  const uberReports = () => control(uber, '/_fake/webhooks', { url: ours('uber_direct'), signing_key })
  await uberReports()
  await control(dash, '/_fake/webhooks', { url: ours('doordash'), tracking: true, auth: { basic: BASIC } })
  return { api, uber, dash, ours, uberReports }
}

export async function create(api: Api, over: object = {}): Promise<Reply['json']> {
  const body = deliveryBody({
    ...{ delivery_type: 'fast', book_delivery_now: true },
    ...{ ready_for_pickup_at: '2026-11-24T10:30:00+11:00', authority_to_leave: true },
    ...over,
  })
  const { status, json, text } = await api.call('POST /demo/deliveries', { body })
  assert.equal(status, 201, text)
  return json.data
}

export async function get(api: Api, id: string): Promise<Reply['json']> {
  return (await api.call(`GET /demo/deliveries/${id}`)).json.data
}

/** Waits until the delivery meets the condition, and returns it. */
export function untilDelivery(
  api: Api,
  id: string,
  ok: (delivery: Reply['json']) => boolean | Promise<boolean>,
): Promise<Reply['json']> {
  let delivery: Reply['json']
  return until(
    async () => {
      delivery = await get(api, id)
      return (await ok(delivery)) && delivery
    },
    () => `${ok}; the delivery is ${JSON.stringify(delivery)}`,
  )
}

/** Moves both clocks, and resolves once the resulting webhooks have been received. */
export async function advance({ fixture }: Api, fake: RunningFake, minutes: number): Promise<void> {
  await fixture.setClock(fake.clock.nowMs() + minutes * 60_000)
  await control(fake, '/_fake/advance', { minutes })
}

export function countBookings(fake: RunningFake): number {
  return fake.ledger.entries({ what: 'delivery_created' }).length
}
