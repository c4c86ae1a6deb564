import type { Delivery } from '../../domain/delivery/delivery.ts'
import type { NewDelivery } from '../../store/deliveries/create-deliveries.ts'
import { type DeliveryRow, toDelivery } from '../../store/deliveries/delivery-rows.ts'

/**
 * A new delivery's row as a read right after its insert returns it, so that neither the response nor the booking needs
 * a second statement.
 */
export function toNewRow(made: NewDelivery): DeliveryRow {
  const isClaimed = made.leaseMs > 0
  return {
    account_id: made.account_id,
    delivery_id: made.delivery_id,
    store_id: made.store_id,
    brand_id: made.brand_id,
    reference: made.reference,
    status: 'requested',
    sub_status: null,
    status_reason: made.status_reason,
    content: made.content,
    content_version: 1,
    delivery_type: made.delivery_type,
    delivery_mode: made.content.deliveryMode,
    chosen: made.chosen,
    window_from: made.window_from,
    window_to: made.window_to,
    ready_for_pickup_at: made.ready_for_pickup_at,
    carrier_provider: made.carrier_provider,
    consignment_number: null,
    carrier_ref: null,
    articles: [],
    manifest_status: made.manifest_status,
    manifest_id: null,
    account_version: made.account_version,
    created_at: made.created_at,
    updated_at: made.created_at,
    requested_at: made.created_at,
    booked_at: null,
    carrier_event_at: null,
    booking_attempts: 0,
    pending_attempt: null,
    refusals_valid_from_attempt: 0,
    cancel_requested_at: null,
    cancel_reason: null,
    replan_requested: false,
    excluded_providers: [],
    due_at: made.due_at,
    fence: isClaimed ? FIRST_FENCE : 0,
    claims: isClaimed ? 1 : 0,
    has_proof: false,
    attention: null,
    erased_at: null,
  }
}

/** Fencing token of a delivery that the creating request has claimed. */
const FIRST_FENCE = 1

export function newDeliveryAsDelivery(made: NewDelivery): Delivery {
  return toDelivery(toNewRow(made))
}
