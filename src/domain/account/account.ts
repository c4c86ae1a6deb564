import type { StoreCalendar } from '../calendar/store-calendar.ts'
import type { Timing } from '../calendar/windows.ts'
import type { Zone } from '../calendar/zone.ts'
import type { AddressKind } from '../geo/address-kind.ts'
import type {
  DeliveryMode,
  DeliveryType,
  LabelFormat,
  MessageTextName,
  OwnerGrant,
  PackingGroup,
  ParcelType,
  ProductType,
  RateZone,
  State,
  TrackingTextName,
} from '../values.ts'
import type { RateCard } from './rate-card.ts'

/**
 * One account, as every process uses it: compiled once from the account document, immutable, and shared by
 * all requests. References are resolved, hours are intervals, look-ups are maps.
 */
export type Account = {
  id: string
  /** Counts the applied documents from 1. A delivery keeps the version it was quoted with. */
  version: number
  name: string
  mode: 'sandbox' | 'live'
  zone: Zone
  ownCarriers: boolean
  /** What the merchant's own admins may change in addition to their own settings. */
  ownerGrants: readonly OwnerGrant[]
  clickAndDeliver: boolean
  modes: ReadonlySet<DeliveryMode>
  limits: { requestsPerSecond: number; burst: number }
  booking: {
    leadMinutes: number
    giveUpMinutes: number
    order: BookingOrder
    replanWhenOff: boolean
    /** Null: during a carrier's outage, its deliveries stay with it. */
    replanWhenDarkMinutes: number | null
  }
  quotes: { carrierDeadlineMs: number; holdMinutes: number }
  /** What each client may spend through MCP in a day; null: no limit. */
  assistants: { spendingLimitCentsPerDay: number | null }
  people: { secondFactor: 'optional' | 'admins' | 'everybody' }
  /** The OpenID Connect provider with which users may log in; null: only passwords. */
  openIdConnect: OpenIdConnect | null
  sms: { countries: ReadonlySet<string>; perDay: number }
  /** How long a staff courier has to accept an offer. */
  ownNetwork: { offerMinutes: number }
  /** How long we keep the customer data of deliveries, and the rows of the audit log. */
  retention: { deliveryDays: number; auditDays: number }
  pricing: { markupPercent: number; fixedCents: Readonly<Partial<Record<DeliveryType, number>>> }
  usualBoxes: readonly UsualBox[]
  brands: readonly Brand[]
  stores: readonly Store[]
  storeById: ReadonlyMap<string, Store>
  storeByReference: ReadonlyMap<string, Store>
  deliveryTypes: ReadonlyMap<DeliveryType, Timing>
  carriers: readonly CarrierAccount[]
  carrierByProvider: ReadonlyMap<string, CarrierAccount>
  /** All services of all carriers whose delivery type is enabled, in the document's order. */
  services: readonly Service[]
  dangerousGoods: ReadonlyMap<string, DangerousGoodsDefinition>
}

/** `clientSecret`: the name of a stored secret; null for a public client. */
export type OpenIdConnect = { name: string; issuer: string; clientId: string; clientSecret: string | null }

export type BookingOrder =
  | { by: 'cheapest' }
  | { by: 'fastest' }
  | { by: 'preferred'; providers: readonly string[] }

/** A box that people choose when they enter a delivery. */
export type UsualBox = {
  name: string
  type: ParcelType
  lengthCm: number
  widthCm: number
  heightCm: number
  weightKg: number | null
}

export type Brand = {
  id: string
  reference: string
  name: string
  /** `#rrggbb`; null: Drover's colour. */
  colour: string | null
  /** As in the document: a `data:` URL. */
  logo: string | null
  allocationStrategy: 'distance_only' | 'time_and_distance' | 'timeline_over_distance'
  /** The merchant's own texts in the brand's language; where there is none, ours is used. */
  messageTexts: OwnTexts
}

export type OwnTexts = {
  sms: Readonly<Partial<Record<MessageTextName, string>>>
  email: Readonly<
    Partial<Record<MessageTextName, { subject?: string | undefined; body?: string | undefined }>>
  >
  trackingPage: Readonly<Partial<Record<TrackingTextName, string>>>
}

export type Store = {
  id: string
  reference: string
  name: string
  brand: Brand
  address: {
    address: string
    address2: string | null
    city: string
    state: State
    postCode: string
    country: string
  }
  phone: string | null
  lat: number
  lng: number
  state: State
  zone: Zone
  calendar: StoreCalendar
  modes: ReadonlySet<DeliveryMode>
  bufferMinutes: number
  processingMinutes: number
  /** As written in the document, for people to read: `{ mon: ['09:00-17:30'], … }`. */
  hours: Readonly<Record<string, readonly string[]>>
  /** `printer`: a name for staff. Drover does not connect to printers. */
  labels: { format: LabelFormat; printer: string | null }
  staffCouriers: readonly { phone: string; driverName: string; driverId: string | null }[]
}

/** A carrier as this account uses it. `provider` is its key in the interface. */
export type CarrierAccount = {
  provider: string
  adapter: string
  name: string
  /** Names of stored secrets. A document never contains the secrets themselves. */
  credentials: Readonly<Record<string, string>>
  settings: Readonly<Record<string, unknown>>
  /** Which of the carrier's systems we call. */
  environment: 'sandbox' | 'production'
  /** Replaces the scheme, host and port of the carrier; for fakes and gateways. */
  baseUrl: string | null
  services: readonly Service[]
}

/** One product of one carrier: what it can carry, when it could arrive, what it costs. */
export type Service = {
  provider: string
  carrierName: string
  service: string
  carrierCode: string
  type: DeliveryType
  /** Null when the carrier does not use manifests. */
  manifestGroup: string | null
  dangerousGoodsManifestedApart: boolean
  timing: Timing
  /** We ask the carrier itself for the price of each job. */
  livePrice: boolean
  /** The rate card. With `livePrice` it is the fallback, and null when there is no fallback. */
  price: PriceRules | null
  /** The courier's own list instead of `price`. */
  rateCard: RateCard | null
  limits: Limits
}

export type ByZone = Readonly<Record<RateZone, number>>

/** Cents, GST included. Amounts by distance or weight are pro rata. */
export type PriceRules = {
  base: { cents: number } | { byZone: ByZone }
  distance: { includedKm: number; centsPerKm: number } | null
  weight: { includedKg: number; centsPerKg: number | ByZone } | null
  /** kg per cubic metre; null: only dead weight is charged. */
  cubicKgPerM3: number | null
  /** Percent of the sum of the base, zone, weight and distance lines. */
  fuelPercent: number
  residentialCents: number
  dangerousGoodsCents: number
}

/** What a service rejects; each is a named rule of eligibility. Null: no such limit. */
export type Limits = {
  /** References of the stores it collects from. */
  stores: ReadonlySet<string> | null
  radiusKm: number | null
  states: ReadonlySet<State> | null
  maxParcelKg: number | null
  maxTotalKg: number | null
  maxSideCm: number | null
  maxParcelM3: number | null
  maxParcels: number | null
  parcelTypes: ReadonlySet<ParcelType> | null
  refusedParcelTypes: ReadonlySet<ParcelType>
  modes: ReadonlySet<DeliveryMode>
  businessOnly: boolean
  addressKinds: ReadonlySet<AddressKind>
  /** Regulated goods that it accepts, and the destination states where it accepts them (null: all states). */
  productTypes: ReadonlyMap<ProductType, ReadonlySet<State> | null>
  maxDeclaredCents: number | null
  dangerousGoods: {
    classes: ReadonlySet<string>
    packingGroups: ReadonlySet<PackingGroup> | null
    byAir: boolean
  } | null
}

export type DangerousGoodsDefinition = {
  name: string
  /** As printed: `UN3481`. */
  unNumber: string
  technicalName: string
  /** As printed: `2.1`, `1.4S`. */
  classDivision: string
  subsidiaryRisk: string | null
  packingGroup: PackingGroup | null
  transportableByAir: boolean
  outerPackagingType: string
  netWeightKg: number | null
  declaration: string | null
  particulars: GoodsParticulars
}

/** Facts about goods that only the transport documents show. */
export type GoodsParticulars = {
  limitedQuantity: boolean
  flashPointC: number | null
  marinePollutant: boolean
  packingInstruction: string | null
  /** Answered 24 hours a day. */
  emergencyPhone: string | null
}
