import type { CarrierQuote, PriceLine } from '../quoting/decision.ts'
import type { Destination } from '../quoting/job.ts'
import type { DeliveryMode, DeliveryType, Window } from '../values.ts'
import type {
  Customer,
  LineItem,
  ProductFlags,
  ProviderOptions,
  RequestAddress,
  RequestParcel,
  StaffCourierInput,
} from './request.ts'
import type { Status } from './status.ts'

export const MANIFEST_STATUSES = ['pending', 'ready', 'manifested', 'not_required'] as const
export type ManifestStatus = (typeof MANIFEST_STATUSES)[number]

/** One delivery as it stands: what was asked, what was decided, what became of it. */
export type Delivery = {
  accountId: string
  id: string
  storeId: string
  brandId: string
  reference: string
  status: Status
  subStatus: string | null
  /** Why it waits or is held, as a sentence for people; null when nothing is the matter. */
  statusReason: string | null
  content: DeliveryContent
  /** The type chosen; the type asked for stands in `content`. */
  deliveryType: DeliveryType
  /** The option it was last decided or booked on; null for the store's own couriers. */
  chosen: ChosenOption | null
  window: Window | null
  readyForPickupAtMs: number
  consignmentNumber: string | null
  articles: readonly Article[]
  manifestStatus: ManifestStatus
  accountVersion: number
  createdAtMs: number
  updatedAtMs: number
  requestedAtMs: number | null
  bookedAtMs: number | null
  /**
   * Its carrier was asked to let it go and has not answered yet; until it does the delivery stays with it. On hold:
   * it is to be cancelled once it is known whether a carrier has it.
   */
  askedBack: AskedBack | null
  /** A courier of its carrier brought a proof, which we keep. */
  hasCarrierProof: boolean
  /** What a person has to see to although its status is in order, as a sentence; null where nothing is. */
  attention: string | null
}

/** What a delivery is asked back for: to be over, or to be planned anew for another booking. */
export const WISHES = ['cancel', 'plan_anew'] as const

export type AskedBack = { atMs: number; wish: (typeof WISHES)[number]; reason: string | null }

/** What the caller gave, resolved: echoed in answers, handed to carriers, replaced by an amend. */
export type DeliveryContent = {
  deliveryMode: DeliveryMode
  requestedType: DeliveryType | null
  ignoreBufferTime: boolean
  useDynamicRfp: boolean
  authorityToLeave: boolean | null
  specialInstructions: string | null
  pickupInstructions: string | null
  priceCentsTotalValue: number | null
  providerOptions: ProviderOptions | null
  address: RequestAddress
  destination: Destination
  customer: Customer
  lineItems: readonly LineItem[]
  parcels: readonly RequestParcel[]
  productTypes: ProductFlags
  staffCourier: StaffCourierInput | null
  metadata: Readonly<Record<string, string>>
  suppressNotifications: boolean
}

export type ChosenOption = {
  provider: string
  carrierName: string
  service: string
  carrierCode: string
  manifestGroup: string | null
  priceCents: number
  lines: readonly PriceLine[]
  numDays: number
  /** The RFP where `use_dynamic_RFP` moved it to when the carrier can be there. */
  readyMs?: number
  pickupMs: number
  /** The carrier's own price that it stands on; null where it is a rate card's. */
  quote?: CarrierQuote | null
  /** What the carrier charges, by its answer to the booking. */
  costCents?: number
}

/** The carrier's ids of one parcel row's units, in order. */
export type Article = { parcelReference: string; articleIds: readonly string[] }

/** One line of a delivery's timeline: ours and the carrier's, in the order they were recorded. */
export type DeliveryEvent = {
  id: string
  type: string
  atMs: number
  source: 'api' | 'worker' | 'carrier' | 'driver' | 'operator'
  from: Status | null
  to: Status | null
  subStatus: string | null
  consignmentNumber: string | null
  detail: string | null
}
