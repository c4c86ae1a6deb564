import type { z } from 'zod'
import type { Account } from '../domain/account/account.ts'
import type { ServiceDocument } from '../domain/account/document/document-carrier.ts'
import { ADAPTERS } from './registry.ts'

/** What the carrier gives the merchant to log in with. All are stored encrypted. */
type CatalogueCredential = {
  /** Its name in `credentials` of the account document. */
  name: string
  label: string
  hint?: string
  /** A password or key, masked as it is typed; the others are user names. */
  secret: boolean
  /** Only for the carrier's webhooks. */
  optional?: true
}

/** A setting of the adapter that the merchant must know; `name` is its path, such as `sends_from.address`. */
type CatalogueSetting = { name: string; label: string; hint?: string; optional?: true }

/** A carrier that merchants can add: what it needs, and what it usually offers. */
export type CatalogueEntry = {
  /** Suggested `provider`. */
  id: string
  adapter: string
  name: string
  about: string
  /** Where it delivers. */
  area: string
  livePrices: boolean
  credentials: readonly CatalogueCredential[]
  settings: readonly CatalogueSetting[]
  /** Usual services, without prices. A merchant's contract may have others. */
  services: readonly z.input<typeof ServiceDocument>[]
}

const ROAD = {
  on_day: {
    cut_off: '15:00',
    days: { same_metro: 1, same_state: 2, interstate_capital: 3, rest: 6 },
    from: '08:00',
    to: '18:00',
  },
}
const AIR = {
  on_day: {
    cut_off: '15:00',
    days: { same_metro: 1, same_state: 1, interstate_capital: 1, rest: 2 },
    from: '08:00',
    to: '18:00',
  },
}
const SAME_DAY = { on_day: { cut_off: '13:00', days: 0, from: '13:00', to: '20:00' } }
const IN_AN_HOUR = { after_pickup: { lead_minutes: 30, window_minutes: 90 } }
const ON_DEMAND = {
  service: 'NOW',
  carrier_code: 'NOW',
  delivery_type: 'fast',
  timing: IN_AN_HOUR,
} as const

const POST_LOG_IN = [
  { name: 'api_key', label: 'API key', secret: true },
  { name: 'password', label: 'API password', secret: true },
] as const
const STORE_PHONE = {
  name: 'pickup_phone',
  label: 'Phone number for couriers',
  hint: 'For stores that have no phone number. Start it with +61.',
  optional: true,
} as const

/** Everything that Drover speaks, in the order in which it is offered. */
export const CARRIER_CATALOGUE: readonly CatalogueEntry[] = [
  {
    id: 'auspost',
    adapter: 'auspost',
    name: 'Australia Post',
    about: 'Parcels by road and air, including to PO boxes and parcel lockers.',
    area: 'All of Australia',
    livePrices: true,
    credentials: POST_LOG_IN,
    settings: [{ name: 'account_number', label: 'Account number', hint: 'Ten digits.' }],
    services: [
      {
        service: 'Parcel Post',
        carrier_code: 'T28',
        delivery_type: 'standard',
        manifest_group: 'PARCEL-POST',
        timing: ROAD,
      },
      {
        service: 'Express Post',
        carrier_code: 'E34',
        delivery_type: 'express',
        manifest_group: 'EXPRESS-POST',
        timing: AIR,
      },
    ],
  },
  {
    id: 'startrack',
    adapter: 'auspost',
    name: 'StarTrack',
    about: 'Cartons, pallets and parcels by road and by air.',
    area: 'All of Australia',
    livePrices: true,
    credentials: POST_LOG_IN,
    settings: [{ name: 'account_number', label: 'Account number', hint: 'Eight digits.' }],
    services: [
      {
        service: 'Road Express',
        carrier_code: 'EXP',
        delivery_type: 'standard',
        manifest_group: 'STARTRACK',
        timing: ROAD,
        limits: { address_kinds: ['street'] },
      },
      {
        service: 'Premium',
        carrier_code: 'PRM',
        delivery_type: 'express',
        manifest_group: 'STARTRACK',
        timing: AIR,
        limits: { address_kinds: ['street'] },
      },
    ],
  },
  {
    id: 'uber_direct',
    adapter: 'uber_direct',
    name: 'Uber Direct',
    about: 'Couriers on demand, within about an hour.',
    area: 'Cities where Uber has couriers',
    livePrices: true,
    credentials: [
      { name: 'customer_id', label: 'Customer ID', secret: false },
      { name: 'client_id', label: 'Client ID', secret: false },
      { name: 'client_secret', label: 'Client secret', secret: true },
      {
        name: 'webhook_signing_key',
        label: 'Webhook signing key',
        hint: 'For updates within seconds. Without it, we ask Uber every 10 minutes.',
        secret: true,
        optional: true,
      },
    ],
    settings: [STORE_PHONE],
    services: [ON_DEMAND],
  },
  {
    id: 'doordash',
    adapter: 'doordash',
    name: 'DoorDash Drive',
    about: 'Couriers on demand, within about an hour.',
    area: 'Cities where DoorDash has couriers',
    livePrices: true,
    credentials: [
      { name: 'developer_id', label: 'Developer ID', secret: false },
      { name: 'key_id', label: 'Key ID', secret: false },
      { name: 'signing_secret', label: 'Signing secret', secret: true },
      {
        name: 'webhook_authorization',
        label: 'Webhook authorisation header',
        hint: 'For updates within seconds. Without it, we ask DoorDash every 10 minutes.',
        secret: true,
        optional: true,
      },
    ],
    settings: [STORE_PHONE],
    services: [ON_DEMAND],
  },
  {
    id: 'aramex_au',
    adapter: 'aramex_au',
    name: 'Aramex Australia',
    about: 'Parcels and satchels by road. Formerly Fastway.',
    area: 'All of Australia',
    livePrices: true,
    credentials: [
      { name: 'client_id', label: 'Client ID', secret: false },
      { name: 'client_secret', label: 'Client secret', secret: true },
    ],
    settings: [
      {
        name: 'sends_from.address',
        label: 'Street and number where Aramex collects',
        hint: 'As in your Aramex account.',
      },
      { name: 'sends_from.post_code', label: 'Postcode where Aramex collects' },
    ],
    services: [{ service: 'Parcel', carrier_code: 'P', delivery_type: 'standard', timing: ROAD }],
  },
  {
    id: 'local_courier',
    adapter: 'local_courier',
    name: 'A local courier',
    about: 'Any courier with an email address. They get each booking by email.',
    area: 'Where your courier drives',
    livePrices: false,
    credentials: [],
    settings: [{ name: 'email', label: 'Email for bookings' }],
    services: [
      {
        service: 'SAME DAY',
        carrier_code: 'SAME-DAY',
        delivery_type: 'flexible',
        timing: SAME_DAY,
      },
    ],
  },
  {
    id: 'swiftly',
    adapter: 'swiftly',
    name: 'Swiftly',
    about: 'A practice carrier: nothing is really collected.',
    area: 'Within 20 km of a store',
    livePrices: false,
    credentials: [],
    settings: [],
    services: [
      {
        service: 'NOW',
        carrier_code: 'SW-NOW',
        delivery_type: 'fast',
        timing: IN_AN_HOUR,
        limits: { radius_km: 20 },
      },
      {
        service: 'TODAY',
        carrier_code: 'SW-TODAY',
        delivery_type: 'flexible',
        timing: SAME_DAY,
        limits: { radius_km: 20 },
      },
    ],
  },
  {
    id: 'southern_parcels',
    adapter: 'southern_parcels',
    name: 'Southern Parcels',
    about: 'A practice carrier: nothing is really collected.',
    area: 'All of Australia',
    livePrices: false,
    credentials: [],
    settings: [],
    services: [
      {
        service: 'ROAD',
        carrier_code: 'SP-ROAD',
        delivery_type: 'standard',
        manifest_group: 'SOUTHERN-ROAD',
        timing: ROAD,
      },
      {
        service: 'AIR',
        carrier_code: 'SP-AIR',
        delivery_type: 'express',
        manifest_group: 'SOUTHERN-AIR',
        timing: AIR,
      },
    ],
  },
  {
    id: 'big_haul',
    adapter: 'big_haul',
    name: 'Big Haul',
    about: 'A practice carrier for pallets: nothing is really collected.',
    area: 'All of Australia',
    livePrices: false,
    credentials: [],
    settings: [],
    services: [
      {
        service: 'FREIGHT',
        carrier_code: 'BH-FRT',
        delivery_type: 'standard',
        manifest_group: 'BIGHAUL',
        timing: ROAD,
        limits: { parcel_types: ['pallet', 'skid'] },
      },
    ],
  },
]

/** The carriers that an account can add: live accounts cannot use practice carriers. */
export function listCatalogue(mode: Account['mode']): readonly CatalogueEntry[] {
  return CARRIER_CATALOGUE.filter((entry) => mode === 'sandbox' || !isPractice(entry))
}

export function isPractice({ adapter }: Pick<CatalogueEntry, 'adapter'>): boolean {
  const { live, usesMail } = ADAPTERS.get(adapter) ?? {}
  return !live && !usesMail
}
