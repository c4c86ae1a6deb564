import type { AttemptOutcome } from '../../domain/delivery/booking-attempt.ts'
import type {
  Article,
  ChosenOption,
  DeliveryContent,
  ManifestStatus,
} from '../../domain/delivery/delivery.ts'
import type { Status } from '../../domain/delivery/status.ts'
import type { TrackingUpdate } from '../../domain/delivery/tracking-updates.ts'
import type { BookingIntent } from './booking-intents.ts'
import type { NewEvent } from './events.ts'

/** A change of one delivery, with what is written in the same statement. */
export type DeliveryChange = {
  target: ChangeTarget
  patch: DeliveryPatch
  events?: readonly NewEvent[]
  intent?: IntentEnd | null
  /** A carrier's updates, as received. */
  updates?: readonly TrackingUpdate[]
}

/** The fields that a change may set. Absent: unchanged. Instants are epoch milliseconds. */
export type DeliveryPatch = {
  status?: Status
  sub_status?: string | null
  status_reason?: string | null
  reference?: string
  /** Increments the content version: decisions for the old content no longer apply. */
  content?: DeliveryContent
  ready_for_pickup_at?: number
  delivery_type?: string
  chosen?: ChosenOption | null
  /** JSON text. */
  decision?: string
  decided_at?: number
  window_from?: number | null
  window_to?: number | null
  carrier_provider?: string | null
  consignment_number?: string | null
  carrier_ref?: string | null
  articles?: readonly Article[]
  manifest_status?: ManifestStatus
  /** Takes the delivery off its manifest, if it is on one; the manifest keeps a snapshot of the booking. */
  manifest_id?: null
  account_version?: number
  booked_at?: number | null
  requested_at?: number
  carrier_event_at?: number | null
  booking_attempts?: number
  pending_attempt?: number | null
  refusals_valid_from_attempt?: number
  cancel_requested_at?: number | null
  cancel_reason?: string | null
  replan_requested?: boolean
  excluded_providers?: readonly string[]
  attention?: string | null
  due_at?: number | null
}

/** Optimistic lock: the change applies only while the row still matches. */
export type DeliveryGuard = {
  statuses: readonly Status[]
  /** Fencing token: the claim's number; a worker that lost its lease no longer matches. */
  fence?: number
  /** Only while no transaction has changed the row since it was read: its `xmin` then. */
  rowVersion?: string
  /** Refuse while an attempt is open, because a carrier may have the booking. */
  noOpenAttempt?: boolean
  /** Only while this attempt's outcome is awaited: then any process may store it. */
  openAttempt?: number
  contentVersion?: number
  /** Only while this cancellation request is pending; null: while there is no such request. */
  cancelRequestedAtMs?: number | null
  /** Only while the delivery has this booking and no later one. */
  consignmentNumber?: string
  /** Refuse while the delivery is on a manifest. */
  onNoManifest?: boolean
}

/** How an intent ends together with the delivery's change. */
export type IntentEnd = {
  attempt: number
  state: AttemptOutcome
  message: string | null
  /** A lookup is not trusted until this long from now; absent: the settling time is unchanged. */
  settleMs?: number
  /**
   * When its carrier is queried again because the booking may turn up (account time); null: it cannot turn up; absent:
   * as soon as another attempt follows.
   */
  lookAgainAtMs?: number | null
  /**
   * True: the accepted request is dropped, because nothing reads it again. If the booking cannot turn up
   * (`lookAgainAtMs` null), the request is dropped in any case.
   */
  dropsRequest?: boolean
  /** The carrier refused it with an error that it doesn't document: what a second such refusal means. */
  ifRepeated?: BookingIntent['ifRepeated'] | undefined
}

export type ChangeTarget = {
  accountId: string
  deliveryId: string
  nowMs: number
  guard: DeliveryGuard
  /**
   * The current lease holder keeps the delivery. Otherwise the change ends the lease and, unless the holder makes the
   * change itself (`fence` in its guard), increments the fence: the holder's later writes no longer match.
   */
  keepLease?: boolean
}
