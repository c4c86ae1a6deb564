import type { Timestamp } from '../calendar/timestamp.ts'
import { amendedSentForms, type SentForms } from '../text/sent-forms.ts'
import type { DeliveryType } from '../values.ts'
import type { Delivery } from './delivery.ts'
import type { Customer, DeliveryRequest, LineItem, RequestAddress, RequestParcel } from './request.ts'

/**
 * What an amend changes; null leaves the field unchanged. Objects and lists replace the whole previous value. Empty
 * instructions and an empty list of items remove what was there, and `any` leaves the type to Drover.
 */
export type Amendment = {
  readyForPickupAt: Timestamp
  reference: string | null
  deliveryType: DeliveryType | 'any' | null
  specialInstructions: string | null
  address: RequestAddress | null
  customer: Customer | null
  lineItems: readonly LineItem[] | null
  parcels: readonly RequestParcel[] | null
  sentForms?: SentForms
}

/** The request that would create the delivery as amended, so that one set of rules checks both. */
export function amendedRequest(delivery: Delivery, amendment: Amendment): DeliveryRequest {
  const { content } = delivery
  const sentForms = amendedSentForms(content.sentForms, replacedBy(amendment), amendment.sentForms)
  return {
    storeId: delivery.storeId,
    storeReference: null,
    reference: amendment.reference ?? delivery.reference,
    readyForPickupAt: amendment.readyForPickupAt,
    deliveryType: amendment.deliveryType === 'any' ? null : (amendment.deliveryType ?? content.requestedType),
    deliveryMode: content.deliveryMode,
    bookDeliveryNow: false,
    useDynamicRfp: content.useDynamicRfp,
    ignoreBufferTime: content.ignoreBufferTime,
    authorityToLeave: content.authorityToLeave,
    specialInstructions: (amendment.specialInstructions ?? content.specialInstructions) || null,
    pickupInstructions: content.pickupInstructions,
    priceCentsTotalValue: content.priceCentsTotalValue,
    // An older delivery may have both. In that case its staff courier drives.
    providerOptions: content.staffCourier ? null : content.providerOptions,
    address: amendment.address ?? content.address,
    customer: amendment.customer ?? content.customer,
    lineItems: amendment.lineItems ?? content.lineItems,
    parcels: amendment.parcels ?? content.parcels,
    productTypes: content.productTypes,
    useStaffCouriers: content.staffCourier !== null,
    staffCourier: content.staffCourier,
    metadata: content.metadata,
    suppressNotifications: content.suppressNotifications,
    ...(sentForms && { sentForms }),
  }
}

/** As the API names the fields. */
function replacedBy(amendment: Amendment): string[] {
  const fields = {
    reference: amendment.reference,
    special_instructions: amendment.specialInstructions,
    address: amendment.address,
    customer: amendment.customer,
    line_items: amendment.lineItems,
    parcels: amendment.parcels,
  }
  return Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : name))
}
