import { carrierDocument, NETWORKS, type NetworkName } from '../harness/networks.ts'

/** The account that the faults hit, and one whose data must stay separate from it. */
export const ACCOUNTS = ['chaos', 'neighbour'] as const
export type AccountName = (typeof ACCOUNTS)[number]

export const STORE = 'melbourne-cbd'
export const MANIFEST_GROUP = 'AUSPOST'
/** A Tuesday. The carriers' clocks start here and run only when they are moved. */
export const OPENS_AT = '2026-11-24T06:00:00+11:00'
/** One delivery type for each carrier, so that the type selects the carrier. */
export const TYPE_OF: Readonly<Record<NetworkName, string>> = {
  auspost: 'standard',
  uber_direct: 'fast',
  doordash: 'flexible',
}

/** Open day and night, so that no clock change closes the store. Carrier calls have short time-outs. */
export function accountDocument(account: AccountName, urlOf: (name: NetworkName) => string) {
  const any = '00:00-23:59'
  const settings = { timeout_ms: 3_000, breaker_open_ms: 2_000 }
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
    carriers: NETWORKS.map((network) =>
      carrierDocument(network, urlOf(network), {
        // Of Australia Post, longer than its time-out plus the longest delay of a proxy.
        settings: { ...settings, ...(network === 'auspost' ? AUSPOST_SETTINGS : {}) },
        services: [
          {
            ...(network === 'auspost' ? PARCEL : NOW),
            delivery_type: TYPE_OF[network],
            timing: { after_pickup: { lead_minutes: 30, window_minutes: 240, hours: any } },
            price: { base_cents: 900 },
          },
        ],
      }),
    ),
  }
}

export const AUSPOST_SETTINGS = { account_number: '0000123456', settle_ms: 20_000 }
const PARCEL = { service: 'PARCEL', carrier_code: 'T28', manifest_group: MANIFEST_GROUP }
const NOW = { service: 'NOW', carrier_code: 'NOW' }
