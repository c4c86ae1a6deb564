/** The interface's four kinds of delivery, quickest first. */
export const DELIVERY_TYPES = ['fast', 'flexible', 'standard', 'express'] as const
export type DeliveryType = (typeof DELIVERY_TYPES)[number]

export const DELIVERY_MODES = ['store_to_door', 'customer_pickup'] as const
export type DeliveryMode = (typeof DELIVERY_MODES)[number]

export const PARCEL_TYPES = ['carton', 'crate', 'hanging_bag', 'length', 'pallet', 'satchel', 'skid'] as const
export type ParcelType = (typeof PARCEL_TYPES)[number]

/** Goods whose carriage is regulated, or that need care because of their value. */
export const PRODUCT_TYPES = [
  'alcohol',
  'tobacco',
  'prescription_meds_s2',
  'prescription_meds_s4',
  'prescription_meds_s8',
  'high_value',
] as const
export type ProductType = (typeof PRODUCT_TYPES)[number]

/** Goods with a declared value over $5,000.00 are of high value, whether flagged or not. */
export const HIGH_VALUE_CENTS = 500_000

export const STATES = ['NSW', 'VIC', 'QLD', 'SA', 'WA', 'TAS', 'NT', 'ACT'] as const
export type State = (typeof STATES)[number]

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof WEEKDAYS)[number]

/** The distance between the two ends of a job, as rate cards classify it. */
export const ZONES = ['same_metro', 'same_state', 'interstate_capital', 'rest'] as const
export type RateZone = (typeof ZONES)[number]

export const PACKING_GROUPS = ['I', 'II', 'III'] as const
export type PackingGroup = (typeof PACKING_GROUPS)[number]

export const LABEL_FORMATS = ['pdf', 'zpl'] as const
export type LabelFormat = (typeof LABEL_FORMATS)[number]

/** Start and end in epoch milliseconds. */
export type Window = { fromMs: number; toMs: number }

/**
 * What the implementation partner sets, and may let the merchant's own admins set (`owner_grants`). The interface names
 * these as the partner's: enabled delivery types, carrier set, allocation strategy, supported modes, own-carrier mode
 * and click-and-deliver access. `sign_in` is ours: who may log in is access to the account.
 */
export const OWNER_GRANTS = [
  'delivery_types',
  'carriers',
  'allocation',
  'modes',
  'own_carriers',
  'click_and_deliver',
  'sign_in',
] as const
export type OwnerGrant = (typeof OWNER_GRANTS)[number]

/** The messages to customers whose texts a merchant may write; `pickup_…`: the courier collects from the customer. */
export const MESSAGE_TEXTS = [
  'booked',
  'rebooked',
  'collected',
  'collected_in_part',
  'delivered',
  'delivered_in_part',
  'supply_refused',
  'pickup_booked',
  'pickup_rebooked',
  'pickup_collected',
  'pickup_collected_in_part',
  'pickup_delivered',
  'link',
] as const
export type MessageTextName = (typeof MESSAGE_TEXTS)[number]

/** The sentences of the tracking page that a merchant may write. */
export const TRACKING_TEXTS = [
  'placed',
  'booked',
  'assigned',
  'approaching',
  'collected',
  'delivered',
  'reassigned',
  'pending_return',
  'returned',
  'cancelled',
  'pickup_placed',
  'pickup_assigned',
  'pickup_approaching',
  'pickup_collected',
  'pickup_delivered',
  'pickup_pending_return',
  'pickup_returned',
] as const
export type TrackingTextName = (typeof TRACKING_TEXTS)[number]
