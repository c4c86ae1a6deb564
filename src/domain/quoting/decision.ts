import type { Service } from '../account/account.ts'
import type { AddressKind } from '../geo/address-kind.ts'
import type { DeliveryType, Window } from '../values.ts'

/**
 * The decision for one job at one moment: the options in booking order, and why the other services are
 * excluded.
 */
export type Decision = {
  decidedAtMs: number
  /** Null when the store never opens within the calendar. */
  earliestPickupMs: number | null
  /** The address kind that was recognised. */
  addressKind: AddressKind
  options: readonly Option[]
  exclusions: readonly Exclusion[]
  warnings: readonly string[]
}

/** One service's price and window for one job. The lines sum to `priceCents`. */
export type Option = {
  service: Service
  priceCents: number
  lines: readonly PriceLine[]
  gstIncludedCents: number
  /** What the carrier charges: the price before the account's markup or fixed price. */
  carrierCents: number
  /** The RFP as the carrier's own time moved it (`use_dynamic_RFP`); null when it did not move. */
  readyMs: number | null
  pickupMs: number
  window: Window
  numDays: number
  /** Set when the price is the carrier's own. */
  quote: CarrierQuote | null
}

/** The carrier's own price, without our markup; valid until `expiresAtMs` of wall time. */
export type CarrierQuote = { id: string | null; expiresAtMs: number; priceCents: number }

export type PriceLine = { name: PriceLineName; cents: number; detail: string | null }
export type PriceLineName =
  | 'base'
  | 'zone'
  | 'distance'
  | 'weight'
  | 'fuel'
  | 'residential'
  | 'dangerous_goods'
  | 'markup'
  | 'carrier_price'
  | 'surcharge'
  | 'fixed_price'
  | 'held_price'

/** Why a service is not an option: the rule by name, and a sentence with this job's figures. */
export type Exclusion = {
  service: Service
  rule: ExclusionRule
  detail: string
  /** Its carrier was asked and did not answer: it may be an option next time. */
  mayComeLater?: true
}

/** Every rule that can exclude a service, in the order of the checks. */
export const EXCLUSION_RULES = [
  'delivery_type',
  'provider_options',
  'store',
  'mode',
  'service_area',
  'address_kind',
  'parcel_type',
  'parcel_count',
  'parcel_weight',
  'total_weight',
  'parcel_side',
  'parcel_volume',
  'dangerous_goods',
  'dangerous_goods_air',
  'product_types',
  'declared_value',
  'business_address',
  'no_pickup',
  'cut_off',
  'operating_hours',
  'carrier_price',
  'carrier_disabled',
  'not_set_up',
  'excluded_by_reassignment',
  'refused',
] as const
export type ExclusionRule = (typeof EXCLUSION_RULES)[number]

/** Availability of one delivery type: no carrier, no distance, no price. */
export type Availability = Partial<Record<DeliveryType, Window>>
