import type { Pool } from 'pg'
import type { Carrier, CarrierEvent, Consignment } from '../src/carriers/port/carrier.ts'
import { SANDBOX_ADAPTERS } from '../src/carriers/registry.ts'
import { pushSandboxWebhook } from '../src/carriers/sandbox/push-webhook.ts'
import { sandboxCredentials, sandboxSend, sandboxState } from '../src/carriers/sandbox/sandbox-state.ts'
import { claimDueSandbox, settleDueSandbox } from '../src/store/sandbox/due-sandbox.ts'
import { sandboxStore } from '../src/store/sandbox/sandbox.ts'
import { listSandboxLedger } from '../src/store/sandbox/sandbox-ledger.ts'

export const SECRET_KEY = 'a secret key of tests'
/** Tuesday, 24 November 2026, 10:00 in Melbourne. */
export const MORNING_MS = Date.parse('2026-11-23T23:00:00Z')
const HOUR_MS = 3_600_000

/** Ready at 11:00, with a window from 14:00 to 16:00. */
export const consignment: Consignment = {
  key: 'dlv_01-1',
  deliveryId: 'dlv_01',
  reference: 'A-17',
  storeReference: 'melbourne-cbd',
  askedAtMs: MORNING_MS,
  carrierCode: 'SP-ROAD',
  from: stop('Wattle & Co', '200 Bourke St', 'Melbourne', '3000'),
  to: stop('Ana Lim', '9 Elm St', 'Fitzroy', '3065'),
  readyAtMs: MORNING_MS + HOUR_MS,
  window: { fromMs: MORNING_MS + 4 * HOUR_MS, toMs: MORNING_MS + 6 * HOUR_MS },
  parcels: [parcel('P1', 2), parcel('P2', 1)],
  authorityToLeave: true,
  signatureRequired: false,
  idCheckRequired: false,
  productTypes: [],
  declaredValueCents: 12_950,
  ratedCents: 890,
  specialInstructions: 'Ring twice',
  pickupInstructions: null,
  quoteId: null,
  items: [],
}

/** The sandbox carriers of one new account on a real database, with a clock to move. */
export async function sandboxCarriers(pool: Pool, accountId = 'demo') {
  await pool.query(`insert into accounts (account_id, version, mode) values ($1, 1, 'sandbox')`, [accountId])
  const clock = { nowMs: MORNING_MS }
  const waited: number[] = []
  const nowMs = () => clock.nowMs
  const fixture = sandboxState({
    store: sandboxStore(pool),
    nowMs,
    secretKey: SECRET_KEY,
    wait: async (ms) => {
      waited.push(ms)
    },
  })

  function carrier(adapter: string): Carrier {
    const found = SANDBOX_ADAPTERS.get(adapter)
    if (!found) throw new Error(`no adapter ${adapter}`)
    const send = sandboxSend(fixture, accountId, adapter)
    return found.make({
      send,
      credentials: sandboxCredentials(SECRET_KEY, accountId, adapter),
      wallMs: Date.now,
    })
  }

  return {
    accountId,
    fixture,
    clock,
    /** How long the carriers delayed their responses, in milliseconds. */
    waited,
    carrier,
    /** The ledger's entries for a reference, as `operation outcome`. */
    async ledger(reference: string): Promise<string[]> {
      const rows = await listSandboxLedger(pool, accountId, { reference, after: 0, limit: 1_000 })
      return rows.map(({ operation, outcome }) => `${operation} ${outcome}`)
    },
    /** Moves the clock past the time after which a look-up finds a booking. */
    async settle(): Promise<void> {
      await pool.query('update sandbox_consignments set findable_from = now()')
      await pool.query('update sandbox_orders set findable_from = now()')
    },
    /** All tracking updates so far, in the order of arrival, by webhook or poll. */
    async updates(adapter: string, consignmentNumber: string): Promise<CarrierEvent[]> {
      const { track, readWebhook } = carrier(adapter)
      if (track) {
        const polled = await track.poll([consignmentNumber])
        return polled.kind === 'yes' ? [...polled.value.events] : []
      }
      const events: CarrierEvent[] = []
      const nows = { accountIds: [accountId], nowsMs: [clock.nowMs] }
      for (const due of await claimDueSandbox(pool, nows, { limit: 10, leaseMs: 30_000 })) {
        const pushed = await pushSandboxWebhook(
          { nowMs, wallMs: Date.now, secretKey: SECRET_KEY },
          due,
          async (_carrier, _account, webhook) => {
            events.push(...(readWebhook?.(webhook)?.events ?? []))
            return true
          },
        )
        await settleDueSandbox(pool, due, pushed)
      }
      return events
    },
  }
}

function stop(name: string, address: string, city: string, postCode: string): Consignment['from'] {
  const place = { address, address2: null, city, state: 'VIC', postCode, country: 'Australia' }
  return { name, company: null, phone: '+61491570156', email: null, ...place, lat: -37.8, lng: 144.97 }
}

function parcel(reference: string, quantity: number): Consignment['parcels'][number] {
  const size = { lengthCm: 30, widthCm: 20, heightCm: 10, weightKg: 2.5 }
  return { reference, type: 'carton', ...size, quantity, unNumber: null, dangerousGoods: null }
}
