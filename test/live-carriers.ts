import type { TestContext } from 'node:test'
import { ARAMEX_CLIENT, startAramexAu } from '../fakes/aramex-au/start-aramex-au.ts'
import { startAuspost } from '../fakes/auspost/start-auspost.ts'
import { DOORDASH_KEY, startDoorDash } from '../fakes/doordash/start-doordash.ts'
import type { FakeOptions, RunningFake, StartFake } from '../fakes/fake.ts'
import { startUberDirect, UBER_CLIENT } from '../fakes/uber-direct/start-uber-direct.ts'
import type { Adapter } from '../src/carriers/port/adapter.ts'
import type { Carrier, Consignment } from '../src/carriers/port/carrier.ts'
import type { CarrierResponse, Send } from '../src/carriers/port/send.ts'
import { ADAPTERS } from '../src/carriers/registry.ts'
import { outbound } from '../src/carriers/wire/http-send.ts'
import type { DangerousGoods } from '../src/domain/dangerous-goods/dangerous-goods.ts'
import { AUSPOST } from './fake-auspost.ts'
import { consignment, MORNING_MS } from './sandbox-carriers.ts'

/** The contents of the demo's lamp parcels. */
export const battery: DangerousGoods = {
  definition: 'lithium',
  unNumber: 'UN3481',
  technicalName: 'Lithium ion batteries packed with equipment',
  classDivision: '9',
  subsidiaryRisk: null,
  packingGroup: null,
  transportableByAir: true,
  netWeightKg: 0.4,
  outerPackagingType: 'carton',
  outerPackagingQuantity: null,
  declaration: 'UN3481_Lithium_IonOrPolymer_contained_in_equipment',
}

/** A real carrier's fake, with the facts that the contract needs. */
export type LiveCarrier = {
  /** The registry's adapter of that name, unless only the tests have this carrier. */
  adapter?: Adapter
  start: StartFake
  credentials: Readonly<Record<string, string>>
  settings?: Readonly<Record<string, unknown>>
  /** Codes of two of its services; the same code twice if it has only one. */
  codes: readonly [string, string]
  /** The credential that, when wrong, does not fail the login. */
  secret: string
  /** The fake's name for the booking operation, and the ledger entry that it makes. */
  books: string
  made: string
  /** The statuses up to the collection, without a fault. */
  collectedInMinutes: number
}

export const LIVE_CARRIERS: ReadonlyMap<string, LiveCarrier> = new Map<string, LiveCarrier>([
  [
    'auspost',
    {
      start: startAuspost,
      credentials: { api_key: 'fake-key', password: 'fake-password' },
      settings: { account_number: AUSPOST },
      codes: ['T28', 'E34'],
      secret: 'password',
      books: 'create_shipments',
      made: 'shipment_created',
      collectedInMinutes: 600,
    },
  ],
  [
    'uber_direct',
    {
      start: startUberDirect,
      credentials: {
        customer_id: UBER_CLIENT.customerId,
        client_id: UBER_CLIENT.clientId,
        client_secret: UBER_CLIENT.clientSecret,
        webhook_signing_key: 'signing key',
      },
      codes: ['ONE', 'TWO'],
      secret: 'client_secret',
      books: 'create_delivery',
      made: 'delivery_created',
      collectedInMinutes: 120,
    },
  ],
  [
    'doordash',
    {
      start: startDoorDashByItsClock,
      credentials: {
        developer_id: DOORDASH_KEY.developerId,
        key_id: DOORDASH_KEY.keyId,
        signing_secret: DOORDASH_KEY.signingSecret,
        webhook_authorization: 'Basic ZG9vcmRhc2g6c2VjcmV0',
      },
      codes: ['ONE', 'TWO'],
      secret: 'signing_secret',
      books: 'create_delivery',
      made: 'delivery_created',
      collectedInMinutes: 120,
    },
  ],
  [
    'aramex_au',
    {
      start: startAramexAu,
      credentials: { client_id: ARAMEX_CLIENT.clientId, client_secret: ARAMEX_CLIENT.clientSecret },
      settings: { sends_from: { address: '200 Bourke St', post_code: '3000' } },
      codes: ['P', 'A4'],
      secret: 'client_secret',
      books: 'create_consignment',
      made: 'consignment_created',
      collectedInMinutes: 600,
    },
  ],
])

/** Callers' tokens are issued and checked by the same stopped clock. */
async function startDoorDashByItsClock(options: FakeOptions = {}): Promise<RunningFake> {
  const fake: RunningFake = await startDoorDash({ ...options, wallMs: () => fake.clock.nowMs() })
  return fake
}

/** The consignment that the contract test books, with Australian addresses. */
export const liveConsignment: Consignment = {
  ...consignment,
  carrierCode: 'T28',
  from: { ...consignment.from, country: 'AU' },
  to: { ...consignment.to, country: 'AU' },
}

/** An adapter with its own fake over real HTTP, both at 10 am; it ends with the test. */
export async function liveCarrier(t: TestContext, name: string, known = knownCarrier(name)) {
  const { start, credentials, settings = {}, books, made } = known
  const adapter = known.adapter ?? (ADAPTERS.get(name) as Adapter)
  const fake = await start({ nowMs: MORNING_MS })
  const out = outbound({ allowLoopback: true })
  t.after(async () => {
    await fake.close()
    await out.close()
  })
  const urls = Object.entries(adapter.live?.urls.sandbox ?? {}).map(
    ([at, url]) => [at, url.replace(/^https:\/\/[^/]+/, fake.url)] as const,
  )
  const wallMs = () => fake.clock.nowMs()
  return {
    fake,
    carrier(
      changes: Readonly<Record<string, string>> = {},
      more: Readonly<Record<string, unknown>> = {},
    ): Carrier {
      const send = out.to(Object.fromEntries(urls), 5_000)
      const signIn = { ...credentials, ...changes }
      const own = { ...settings, ...more }
      return adapter.make({ send, credentials: signIn, settings: own, environment: 'sandbox', wallMs })
    },
    bookings: () => fake.ledger.entries({ what: made }).length,
    spoilBooking: (kind: 'lost' | 'cut' | 'garbled' | 'failed_answer') =>
      fake.faults.add({ operation: books, kind }),
    async advance(minutes: number): Promise<void> {
      await control(fake, '/_fake/advance', { minutes })
    },
  }
}

/** The adapter with an HTTP client that always returns the same response, except to its login. */
export function over(name: string, response: CarrierResponse, known = knownCarrier(name)): Carrier {
  const { credentials, settings = {}, adapter = ADAPTERS.get(name) as Adapter } = known
  const send: Send = async ({ at }) =>
    at === 'login'
      ? { kind: 'answered', status: 200, body: { access_token: 't', expires_in: 3_600 } }
      : response
  return adapter.make({ send, credentials, settings, wallMs: () => MORNING_MS })
}

function knownCarrier(name: string): LiveCarrier {
  return LIVE_CARRIERS.get(name) as LiveCarrier
}

/** A setting of a fake. */
export async function control(fake: RunningFake, path: string, body: unknown): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${fake.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}
