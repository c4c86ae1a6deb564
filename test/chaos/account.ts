import { DOORDASH_KEY } from '../../fakes/doordash/start-doordash.ts'
import { UBER_CLIENT } from '../../fakes/uber-direct/start-uber-direct.ts'
import type { NetworkName } from './networks.ts'

/** The account that the faults hit, and one whose data must stay separate from it. */
export const ACCOUNTS = ['chaos', 'neighbour'] as const
export type AccountName = (typeof ACCOUNTS)[number]

export const STORE = 'melbourne-cbd'
export const MANIFEST_GROUP = 'AUSPOST'
/** A Tuesday. The carriers' clocks start here and run only when they are moved. */
export const OPENS_AT = '2026-11-24T06:00:00+11:00'
/** The token in DoorDash's webhooks. */
export const WEBHOOK_AUTHORIZATION = 'Basic Y2hhb3M6Y2hhb3M='

/** Names of secrets, and their values at the fakes. */
export const SECRETS: Readonly<Record<string, string>> = {
  'auspost-key': 'fake-key',
  'auspost-password': 'fake-password',
  'uber-customer': UBER_CLIENT.customerId,
  'uber-client': UBER_CLIENT.clientId,
  'uber-secret': UBER_CLIENT.clientSecret,
  'uber-signing': 'whole signing key',
  'doordash-developer': DOORDASH_KEY.developerId,
  'doordash-key': DOORDASH_KEY.keyId,
  'doordash-secret': DOORDASH_KEY.signingSecret,
  'doordash-webhook': WEBHOOK_AUTHORIZATION,
}

/** One delivery type for each carrier, so that the type selects the carrier. */
export const TYPE_OF: Readonly<Record<NetworkName, string>> = {
  auspost: 'standard',
  uber_direct: 'fast',
  doordash: 'flexible',
}

/** Open day and night, so that no clock change closes the store. Carrier calls have short time-outs. */
export function accountDocument(account: AccountName, urlOf: (name: NetworkName) => string) {
  const any = '00:00-23:59'
  const soon = { after_pickup: { lead_minutes: 30, window_minutes: 240, hours: any } }
  const settings = { timeout_ms: 3_000, breaker_open_ms: 2_000 }
  const secret = (name: string) => ({ secret: name })
  return {
    tenant_id: account,
    name: account,
    mode: 'sandbox',
    time_zone: 'Australia/Melbourne',
    currency: 'AUD',
    own_carriers: false,
    capabilities: { click_and_deliver: false },
    modes: ['store_to_door'],
    limits: { requests_per_second: 2_000, burst: 2_000 },
    booking: { lead_minutes: 60, give_up_minutes: 480, order: 'cheapest' },
    brands: [
      {
        reference: account,
        name: account,
        allocation_strategy: 'distance_only',
        buffer_minutes: 0,
        processing_minutes: 0,
      },
    ],
    stores: [
      {
        reference: STORE,
        name: 'Melbourne CBD',
        address: { address: '200 Bourke St', city: 'Melbourne', state: 'VIC', post_code: '3000' },
        phone: '+61355500101',
        latitude: -37.813,
        longitude: 144.967,
        hours: { 'mon-sun': any },
      },
    ],
    delivery_types: Object.fromEntries(
      Object.values(TYPE_OF).map((type) => [
        type,
        { timing: { after_pickup: { lead_minutes: 30, window_minutes: 240, last_pickup: '23:59' } } },
      ]),
    ),
    carriers: [
      {
        provider: 'auspost',
        name: 'Australia Post',
        adapter: 'auspost',
        base_url: urlOf('auspost'),
        credentials: { api_key: secret('auspost-key'), password: secret('auspost-password') },
        // Longer than its time-out plus the longest delay of a proxy.
        settings: { ...settings, account_number: '0000123456', settle_ms: 20_000 },
        services: [
          {
            service: 'PARCEL',
            carrier_code: 'T28',
            delivery_type: TYPE_OF.auspost,
            manifest_group: MANIFEST_GROUP,
            timing: soon,
            price: { base_cents: 900 },
          },
        ],
      },
      {
        provider: 'uber_direct',
        name: 'Uber Direct',
        adapter: 'uber_direct',
        base_url: urlOf('uber_direct'),
        credentials: {
          customer_id: secret('uber-customer'),
          client_id: secret('uber-client'),
          client_secret: secret('uber-secret'),
          webhook_signing_key: secret('uber-signing'),
        },
        settings,
        services: [
          {
            service: 'NOW',
            carrier_code: 'NOW',
            delivery_type: TYPE_OF.uber_direct,
            timing: soon,
            price: { base_cents: 900 },
          },
        ],
      },
      {
        provider: 'doordash',
        name: 'DoorDash',
        adapter: 'doordash',
        base_url: urlOf('doordash'),
        credentials: {
          developer_id: secret('doordash-developer'),
          key_id: secret('doordash-key'),
          signing_secret: secret('doordash-secret'),
          webhook_authorization: secret('doordash-webhook'),
        },
        settings,
        services: [
          {
            service: 'NOW',
            carrier_code: 'NOW',
            delivery_type: TYPE_OF.doordash,
            timing: soon,
            price: { base_cents: 900 },
          },
        ],
      },
    ],
  }
}
