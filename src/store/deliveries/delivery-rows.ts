import type { BookingAttempt } from '../../domain/delivery/actions/why-not.ts'
import type {
  Article,
  ChosenOption,
  Delivery,
  DeliveryContent,
  ManifestStatus,
  PendingCancellation,
} from '../../domain/delivery/delivery.ts'
import { can, type Status } from '../../domain/delivery/status.ts'
import type { DeliveryType } from '../../domain/values.ts'

/** A row of `deliveries` as the driver reads it: timestamps as epoch milliseconds, JSON parsed. */
export type DeliveryRow = {
  account_id: string
  delivery_id: string
  store_id: string
  brand_id: string
  reference: string
  status: Status
  sub_status: string | null
  status_reason: string | null
  content: DeliveryContent
  content_version: number
  delivery_type: DeliveryType
  delivery_mode: string
  chosen: ChosenOption | null
  window_from: number | null
  window_to: number | null
  ready_for_pickup_at: number
  carrier_provider: string | null
  consignment_number: string | null
  /** The carrier's own name of the booking, if it is not the consignment number. */
  carrier_ref: string | null
  articles: Article[]
  manifest_status: ManifestStatus
  manifest_id: string | null
  account_version: number
  created_at: number
  updated_at: number
  requested_at: number | null
  booked_at: number | null
  carrier_event_at: number | null
  booking_attempts: number
  pending_attempt: number | null
  refusals_valid_from_attempt: number
  cancel_requested_at: number | null
  cancel_reason: string | null
  /** The cancellation request is for planning again with another carrier, not for cancelling the delivery. */
  replan_requested: boolean
  /** Carriers that a person took the delivery from: excluded until a person requests it again. */
  excluded_providers: string[]
  due_at: number | null
  fence: number
  claims: number
  /** The carrier's courier sent a proof, which we keep. The proofs of our own couriers are found by their job. */
  has_proof: boolean
  /** What a person has to do although the status is in order, as a sentence. */
  attention: string | null
  /** When its customer was erased. */
  erased_at: number | null
}

/** Every column except `decision`, which is the widest and has only one reader. */
export const DELIVERY_COLUMNS = [
  'account_id',
  'delivery_id',
  'store_id',
  'brand_id',
  'reference',
  'status',
  'sub_status',
  'status_reason',
  'content',
  'content_version',
  'delivery_type',
  'delivery_mode',
  'chosen',
  'window_from',
  'window_to',
  'ready_for_pickup_at',
  'carrier_provider',
  'consignment_number',
  'carrier_ref',
  'articles',
  'manifest_status',
  'manifest_id',
  'account_version',
  'created_at',
  'updated_at',
  'requested_at',
  'booked_at',
  'carrier_event_at',
  'booking_attempts',
  'pending_attempt',
  'refusals_valid_from_attempt',
  'cancel_requested_at',
  'cancel_reason',
  'replan_requested',
  'excluded_providers',
  'due_at',
  'fence',
  'claims',
  'has_proof',
  'attention',
  'erased_at',
] as const satisfies readonly (keyof DeliveryRow)[]

/** The reference for calls to its carrier; null while no carrier has it. */
export function getCarrierRef(row: Pick<DeliveryRow, 'carrier_ref' | 'consignment_number'>): string | null {
  return row.carrier_ref ?? row.consignment_number
}

/** The public view of a row. */
export function toDelivery(row: DeliveryRow): Delivery {
  return {
    accountId: row.account_id,
    id: row.delivery_id,
    storeId: row.store_id,
    brandId: row.brand_id,
    reference: row.reference,
    status: row.status,
    subStatus: row.sub_status,
    statusReason: row.status_reason,
    content: row.content,
    deliveryType: row.delivery_type,
    chosen: row.chosen,
    window:
      row.window_from === null || row.window_to === null
        ? null
        : { fromMs: row.window_from, toMs: row.window_to },
    readyForPickupAtMs: row.ready_for_pickup_at,
    consignmentNumber: row.consignment_number,
    articles: row.articles,
    manifestStatus: row.manifest_status,
    manifestId: row.manifest_id,
    bookingAttempt: bookingAttemptOf(row),
    accountVersion: row.account_version,
    createdAtMs: row.created_at,
    updatedAtMs: row.updated_at,
    requestedAtMs: row.requested_at,
    bookedAtMs: row.booked_at,
    pendingCancellation: toPendingCancellation(row),
    hasCarrierProof: row.has_proof,
    attention: row.attention,
  }
}

/** On hold or dead-lettered (no `due_at`), no worker books it any more: a person may have to find out. */
function bookingAttemptOf({ pending_attempt, status, due_at }: DeliveryRow): BookingAttempt | null {
  if (pending_attempt === null) return null
  return status === 'requested' && due_at !== null ? 'in_progress' : 'unanswered'
}

/** For a delivery that a carrier has or, on hold, may have. A request that came too late is void with the status. */
function toPendingCancellation(row: DeliveryRow): PendingCancellation | null {
  const { cancel_requested_at: atMs, replan_requested: replan, cancel_reason: reason } = row
  if (atMs === null || !(can('reassign', row) || row.status === 'on_hold')) return null
  return { atMs, purpose: replan ? 'replan' : 'cancel', reason }
}
