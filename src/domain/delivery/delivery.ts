import type { CarrierQuote, PriceLine } from '../quoting/decision.ts'
import type { Destination } from '../quoting/job.ts'
import type { Hold } from '../quoting/quote-token.ts'
import type { SentForms } from '../text/sent-forms.ts'
import type { DeliveryMode, DeliveryType, Window } from '../values.ts'
import type { BookingAttempt } from './actions/why-not.ts'
import type { Change } from './changes.ts'
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

/** One delivery with its current state: the request, the decision and the outcome. */
export type Delivery = {
  accountId: string
  id: string
  storeId: string
  brandId: string
  reference: string
  status: Status
  subStatus: string | null
  /** Why it waits or is on hold, as a sentence for people; null when nothing is wrong. */
  statusReason: string | null
  content: DeliveryContent
  /** The chosen type; the requested type is in `content`. */
  deliveryType: DeliveryType
  /** The option that it was last decided or booked on; null for the store's own couriers. */
  chosen: ChosenOption | null
  window: Window | null
  readyForPickupAtMs: number
  consignmentNumber: string | null
  articles: readonly Article[]
  manifestStatus: ManifestStatus
  /** The manifest that it was sent on, or is being sent on; null on drafts, which reserve nothing. */
  manifestId: string | null
  /** A booking whose outcome is open. */
  bookingAttempt: BookingAttempt | null
  accountVersion: number
  createdAtMs: number
  updatedAtMs: number
  requestedAtMs: number | null
  bookedAtMs: number | null
  /**
   * A cancellation was requested and the carrier has not answered yet; until it does, the delivery stays with
   * it. When on hold: cancel once it is known whether a carrier has the booking.
   */
  pendingCancellation: PendingCancellation | null
  /** The carrier's courier provided a proof of delivery, which we store. */
  hasCarrierProof: boolean
  /** What an operator must look at although the status is in order, as a sentence; otherwise null. */
  attention: string | null
}

/** Why a cancellation is requested: to end the delivery, or to plan it again for another booking. */
export const CANCELLATION_PURPOSES = ['cancel', 'replan'] as const

export type PendingCancellation = {
  atMs: number
  purpose: (typeof CANCELLATION_PURPOSES)[number]
  reason: string | null
}

/** The caller's input, resolved: echoed in responses, sent to carriers, replaced by an amend. */
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
  sentForms?: SentForms
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
  /** The RFP as `use_dynamic_RFP` moved it, to when the carrier can be there. */
  readyMs?: number
  pickupMs: number
  /** The carrier's own price that the option is based on; null when the price is from a rate card. */
  quote?: CarrierQuote | null
  /** What a quote token promised, which holds until the booking: this service at this price, or only the window. */
  held?: Hold['kind']
  /** What the carrier charges, from its booking response. */
  costCents?: number
}

/**
 * The carrier's article ids for the units of one parcel row, in order. `leftBehind`: how many of its units the driver did
 * not take at pickup; absent: none.
 */
export type Article = { parcelReference: string; articleIds: readonly string[]; leftBehind?: number }

/** One entry of a delivery's timeline: our events and the carrier's, in the order in which we recorded them. */
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
  /** The number of another booking that the event is about, such as one that turned up after it was given up. */
  otherConsignmentNumber?: string | null
  /** What an amend changed. */
  changes: readonly Change[] | null
}
