import type { Delivery } from '../../domain/delivery/delivery.ts'
import type { NewDelivery } from '../../store/deliveries/create-deliveries.ts'

/** A new delivery in the form in which a read would return it, so that the response needs no second statement. */
export function newDeliveryAsDelivery(made: NewDelivery): Delivery {
  const { window_from: fromMs, window_to: toMs } = made
  return {
    accountId: made.account_id,
    id: made.delivery_id,
    storeId: made.store_id,
    brandId: made.brand_id,
    reference: made.reference,
    status: 'requested',
    subStatus: null,
    statusReason: made.status_reason,
    content: made.content,
    deliveryType: made.delivery_type,
    chosen: made.chosen,
    window: fromMs === null || toMs === null ? null : { fromMs, toMs },
    readyForPickupAtMs: made.ready_for_pickup_at,
    consignmentNumber: null,
    articles: [],
    manifestStatus: made.manifest_status,
    manifestId: null,
    bookingAttempt: null,
    accountVersion: made.account_version,
    createdAtMs: made.created_at,
    updatedAtMs: made.created_at,
    requestedAtMs: made.created_at,
    bookedAtMs: null,
    pendingCancellation: null,
    hasCarrierProof: false,
    attention: null,
  }
}
