import { carrierDocument, type NetworkName, secret } from '../../../test/harness/networks.ts'
import { CONTRACTS, type Contract } from './contracts.ts'

export const DOORDASH_STORES = ['fitzroy', 'parramatta', 'adelaide-cbd', 'perth-cbd']
export const COURIER = 'bob'
/** Where the courier's bookings and manifests are sent. */
export const COURIER_MAIL = { jobs: 'jobs@bob.example', depot: 'depot@bob.example' }
/** Name → secret. */
export const CONTRACT_SECRETS: Readonly<Record<string, string>> = Object.fromEntries(
  CONTRACTS.map(({ provider, apiKey }) => [`key-${slugOf(provider)}`, apiKey]),
)

/** Failing carriers are retried soon, because a simulated day takes few minutes. */
const WIRE = { timeout_ms: 5_000, breaker_open_ms: 2_000 }
const BY_DAY = { on_day: { cut_off: '16:00', days: 1, from: '08:00', to: '18:00' } }
const AT_ONCE = { after_pickup: { lead_minutes: 20, window_minutes: 90, hours: '07:00-22:00' } }

/** The day's carriers, at the addresses of their fakes. */
export function networkCarriers(urlOf: (name: NetworkName) => string) {
  const limits = { radius_km: 15, max_total_kg: 20 }
  const now = (base_cents: number) => [service('NOW', 'NOW', 'fast', AT_ONCE, { price: { base_cents } })]
  return [
    ...CONTRACTS.map((one) =>
      carrierDocument('auspost', urlOf('auspost'), {
        provider: one.provider,
        name: one.name,
        credentials: {
          api_key: secret(`key-${slugOf(one.provider)}`),
          password: secret('auspost-password'),
        },
        // Longer than its time-out plus a slow response.
        settings: { ...WIRE, account_number: one.accountNumber, settle_ms: 12_000 },
        dangerous_goods_manifested_apart: true,
        ...(one.provider.startsWith('startrack') ? starTrack(one) : ausPost(one)),
      }),
    ),
    carrierDocument('doordash', urlOf('doordash'), {
      settings: WIRE,
      limits: { stores: DOORDASH_STORES, ...limits },
      services: now(640),
    }),
    carrierDocument('uber_direct', urlOf('uber_direct'), {
      settings: WIRE,
      live_prices: true,
      limits,
      services: now(990),
    }),
    {
      provider: COURIER,
      name: 'Bob’s Couriers',
      adapter: 'local_courier',
      settings: { email: COURIER_MAIL.jobs, manifest_email: COURIER_MAIL.depot, cancel_by_email: true },
      services: [
        service(
          'VAN',
          'VAN',
          'flexible',
          { on_day: { cut_off: '15:00', days: 0, from: '12:00', to: '21:00' } },
          {
            manifest_group: 'BOB',
            rate_card: {
              zones: { town: ['0200-9999'] },
              rates: [{ zone: 'town', up_to_kg: 40, cents: 1_150 }],
              surcharges: [{ name: 'Fuel', percent: 8.5 }],
            },
          },
        ),
      ],
    },
  ]
}

function ausPost({ stores }: Contract) {
  const limits = { stores, max_parcel_kg: 22, max_side_cm: 105, refused_parcel_types: ['pallet', 'skid'] }
  return {
    limits,
    services: [
      service('PARCEL POST', 'T28', 'standard', BY_DAY, {
        manifest_group: 'PARCEL POST',
        price: { base_cents: 900 },
      }),
      service('EXPRESS POST', 'E34', 'express', BY_DAY, {
        manifest_group: 'EXPRESS POST',
        price: { base_cents: 1_300 },
      }),
    ],
  }
}

function starTrack({ stores }: Contract) {
  return {
    limits: { stores, dangerous_goods: { classes: ['3', '8', '9'] } },
    services: [
      service('ROAD EXPRESS', 'EXP', 'standard', BY_DAY, {
        manifest_group: 'STARTRACK',
        price: { base_cents: 1_700 },
      }),
    ],
  }
}

function service(name: string, carrier_code: string, delivery_type: string, timing: object, more: object) {
  return { service: name, carrier_code, delivery_type, timing, ...more }
}

/** Secrets are named with dashes. */
function slugOf(provider: string): string {
  return provider.replaceAll('_', '-')
}
