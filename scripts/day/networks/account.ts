import { DOORDASH_KEY } from '../../../fakes/doordash/start-doordash.ts'
import { UBER_CLIENT } from '../../../fakes/uber-direct/start-uber-direct.ts'
import { CONTRACTS, type Contract, PASSWORD } from './contracts.ts'

export const DOORDASH_STORES = ['fitzroy', 'parramatta', 'adelaide-cbd', 'perth-cbd']
export const COURIER = 'bob'
/** Where the courier's bookings and manifests are sent. */
export const COURIER_MAIL = { jobs: 'jobs@bob.example', depot: 'depot@bob.example' }
export const UBER_SIGNING_KEY = 'whole signing key of the day'
export const DOORDASH_AUTHORIZATION = 'Basic ZGF5OmRheQ=='

/** Name → secret. */
export const SECRETS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(CONTRACTS.map(({ provider, apiKey }) => [`key-${slugOf(provider)}`, apiKey])),
  'auspost-password': PASSWORD,
  'uber-customer': UBER_CLIENT.customerId,
  'uber-client': UBER_CLIENT.clientId,
  'uber-secret': UBER_CLIENT.clientSecret,
  'uber-signing': UBER_SIGNING_KEY,
  'doordash-developer': DOORDASH_KEY.developerId,
  'doordash-key': DOORDASH_KEY.keyId,
  'doordash-secret': DOORDASH_KEY.signingSecret,
  'doordash-webhook': DOORDASH_AUTHORIZATION,
}

const secret = (name: string) => ({ secret: name })
/** Failing carriers are retried soon, because a simulated day takes few minutes. */
const WIRE = { timeout_ms: 5_000, breaker_open_ms: 2_000 }
const BY_DAY = { on_day: { cut_off: '16:00', days: 1, from: '08:00', to: '18:00' } }
const AT_ONCE = { after_pickup: { lead_minutes: 20, window_minutes: 90, hours: '07:00-22:00' } }

/** The day's carriers, at the addresses of their fakes. */
export function networkCarriers(urls: { auspost: string; uberDirect: string; doordash: string }) {
  return [
    ...CONTRACTS.map((one) => ({
      provider: one.provider,
      name: one.name,
      adapter: 'auspost',
      base_url: urls.auspost,
      credentials: {
        api_key: secret(`key-${slugOf(one.provider)}`),
        password: secret('auspost-password'),
      },
      // Longer than its time-out plus a slow response.
      settings: { ...WIRE, account_number: one.accountNumber, settle_ms: 12_000 },
      dangerous_goods_manifested_apart: true,
      ...(one.provider.startsWith('startrack') ? starTrack(one) : ausPost(one)),
    })),
    {
      provider: 'doordash',
      name: 'DoorDash',
      adapter: 'doordash',
      base_url: urls.doordash,
      credentials: {
        developer_id: secret('doordash-developer'),
        key_id: secret('doordash-key'),
        signing_secret: secret('doordash-secret'),
        webhook_authorization: secret('doordash-webhook'),
      },
      settings: WIRE,
      limits: { stores: DOORDASH_STORES, radius_km: 15, max_total_kg: 20 },
      services: [service('NOW', 'NOW', 'fast', AT_ONCE, { price: { base_cents: 640 } })],
    },
    {
      provider: 'uber_direct',
      name: 'Uber Direct',
      adapter: 'uber_direct',
      base_url: urls.uberDirect,
      credentials: {
        customer_id: secret('uber-customer'),
        client_id: secret('uber-client'),
        client_secret: secret('uber-secret'),
        webhook_signing_key: secret('uber-signing'),
      },
      settings: WIRE,
      live_prices: true,
      limits: { radius_km: 15, max_total_kg: 20 },
      services: [service('NOW', 'NOW', 'fast', AT_ONCE, { price: { base_cents: 990 } })],
    },
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
