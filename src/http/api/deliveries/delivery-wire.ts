import type { z } from 'zod'
import type { Store } from '../../../domain/account/account.ts'
import { formatLocal } from '../../../domain/calendar/zone.ts'
import type {
  Article,
  Delivery,
  DeliveryContent,
  PendingCancellation,
} from '../../../domain/delivery/delivery.ts'
import type { DangerousGoodsInput, LineItem, RequestParcel } from '../../../domain/delivery/request.ts'
import { can } from '../../../domain/delivery/status.ts'
import { findStatusRemedy } from '../../../domain/delivery/status-remedy.ts'
import { listLeftBehind } from '../../../domain/own-network/left-behind.ts'
import { withSentForms } from '../../../domain/text/sent-forms.ts'
import type { State } from '../../../domain/values.ts'
import { labelWarnings } from '../../../operations/paperwork/label-issues.ts'
import type { Delivery as DeliverySchema } from './delivery-schema.ts'

/** What a response needs besides the delivery: its store, and the absolute, signed URLs of its documents. */
export type Surroundings = {
  store: Store
  /** The customer's tracking page. */
  trackingUrl: string
  labelUrl(): string
  /** Null if the carrier uses no declaration. */
  dangerousGoodsFormUrl: string | null
  /** Null until a staff courier has delivered. */
  proofUrl?: string | null
  /** The PIN by which the customer confirms receipt to a staff courier. */
  pin?: string | null
}

/**
 * Converts a delivery into the API's Delivery. Fields without a value are undefined, which JSON omits. Windows have
 * the store's offset; record timestamps are UTC.
 */
export function fromDelivery(
  delivery: Delivery,
  { store, trackingUrl, labelUrl, dangerousGoodsFormUrl, proofUrl, pin }: Surroundings,
): z.input<typeof DeliverySchema> {
  const { content, chosen, window } = delivery
  const fromDatetime = window ? formatLocal(store.zone, window.fromMs) : undefined
  const toDatetime = window ? formatLocal(store.zone, window.toMs) : undefined
  const booked = delivery.consignmentNumber !== null
  const answer = {
    id: delivery.id,
    brand_id: delivery.brandId,
    store_id: delivery.storeId,
    store_reference: store.reference,
    reference: delivery.reference,
    status: delivery.status,
    sub_status: delivery.subStatus ?? undefined,
    status_reason: delivery.statusReason ?? undefined,
    status_remedy: delivery.status === 'on_hold' ? findStatusRemedy(delivery) : undefined,
    attention: delivery.attention ?? undefined,
    left_behind: toLeftBehind(delivery),
    address_warning: addressWarning(content),
    label_warnings: listLabelWarnings(delivery),
    delivery_type: delivery.deliveryType,
    delivery_mode: content.deliveryMode === 'customer_pickup' ? content.deliveryMode : undefined,
    consignment_number: delivery.consignmentNumber ?? undefined,
    ...toEcho(content),
    ready_for_pickup_at: formatLocal(store.zone, chosen?.readyMs ?? delivery.readyForPickupAtMs),
    from_datetime: fromDatetime,
    to_datetime: toDatetime,
    created_at: recordTime(delivery.createdAtMs),
    updated_at: recordTime(delivery.updatedAtMs),
    requested_at: delivery.requestedAtMs === null ? undefined : recordTime(delivery.requestedAtMs),
    booked_at: delivery.bookedAtMs === null ? undefined : recordTime(delivery.bookedAtMs),
    pending_cancellation: delivery.pendingCancellation
      ? fromPendingCancellation(delivery.pendingCancellation)
      : undefined,
    manifest_status: delivery.manifestStatus,
    manifest_group: chosen?.manifestGroup ?? undefined,
    manifest_id: delivery.manifestId ?? undefined,
    booking_attempt: delivery.bookingAttempt ?? undefined,
    carrier_provider: chosen?.carrierName,
    provider: chosen?.provider,
    service_code: chosen?.service,
    carrier_code: chosen?.carrierCode,
    tracking_url: trackingUrl,
    label_url: booked && can('label', delivery) ? labelUrl() : undefined,
    dangerous_goods_form_url: dangerousGoodsFormUrl ?? undefined,
    proof_url: proofUrl ?? undefined,
    delivery_pin: pin ?? undefined,
    address: toAddress(content),
    store_location: { name: store.name, lat: store.lat, lng: store.lng },
    customer: toCustomer(content),
    line_items: content.lineItems.map(fromLineItem),
    parcels: content.parcels.map((parcel) => fromParcel(parcel, delivery.articles)),
    additionals: { is_residential: content.destination.residential },
    service_quote: chosen
      ? {
          price_cents: chosen.priceCents,
          from_datetime: fromDatetime,
          to_datetime: toDatetime,
          carrier_quote: chosen.quote
            ? { id: chosen.quote.id ?? undefined, expires_at: recordTime(chosen.quote.expiresAtMs) }
            : undefined,
        }
      : undefined,
    product_types: content.productTypes,
  }
  return withSentForms(answer, content.sentForms)
}

/** `2026-11-24T02:00:00.000Z`. */
export function recordTime(ms: number): string {
  return new Date(ms).toISOString()
}

function fromPendingCancellation({ atMs, purpose, reason }: PendingCancellation) {
  return { at: recordTime(atMs), purpose, reason: reason ?? undefined }
}

/** Returns the optional fields of the request, each only if it was sent. */
function toEcho(content: DeliveryContent) {
  const { providerOptions: pin, staffCourier: courier, metadata } = content
  return {
    special_instructions: content.specialInstructions ?? undefined,
    pickup_instructions: content.pickupInstructions ?? undefined,
    authority_to_leave: content.authorityToLeave ?? undefined,
    price_cents_total_value: content.priceCentsTotalValue ?? undefined,
    provider_options: pin
      ? { provider: pin.provider ?? undefined, service: pin.service ?? undefined }
      : undefined,
    ignore_buffer_time: content.ignoreBufferTime || undefined,
    use_dynamic_RFP: content.useDynamicRfp || undefined,
    use_staff_couriers: courier ? (true as const) : undefined,
    staff_courier: courier
      ? { phone: courier.phone, driver_name: courier.driverName, driver_id: courier.driverId ?? undefined }
      : undefined,
    metadata: Object.keys(metadata).length > 0 ? metadata : undefined,
    suppress_notifications: content.suppressNotifications || undefined,
  }
}

function toLeftBehind({ content, articles }: Delivery) {
  const left = listLeftBehind(content.parcels, articles)
  return left.length === 0 ? undefined : left.map(({ reference, quantity }) => ({ reference, quantity }))
}

function listLabelWarnings({ content, reference }: Delivery): string[] | undefined {
  const warnings = labelWarnings(content, reference)
  return warnings.length === 0 ? undefined : warnings
}

function addressWarning({ destination }: DeliveryContent): string | undefined {
  return destination.addressToCheck ? (destination.warning ?? undefined) : undefined
}

function toAddress({ address, destination }: DeliveryContent) {
  return {
    address: address.address,
    address2: address.address2 ?? undefined,
    city: address.city,
    // Checked when the delivery was created.
    state: address.state as State,
    post_code: address.postCode,
    country: address.country,
    business: address.businessUnsaid ? undefined : address.business,
    company_name: address.companyName ?? undefined,
    name: address.name ?? undefined,
    lat: destination.lat,
    lng: destination.lng,
  }
}

function toCustomer({ customer }: DeliveryContent) {
  return {
    first_name: customer.firstName,
    last_name: customer.lastName,
    phone: customer.phone,
    email: customer.email ?? undefined,
    country: customer.country ?? undefined,
  }
}

function fromLineItem(item: LineItem) {
  return {
    code: item.code,
    name: item.name,
    price_cents: item.priceCents,
    quantity: item.quantity,
    packing_instructions: item.packingInstructions ?? undefined,
  }
}

function fromParcel(parcel: RequestParcel, articles: readonly Article[]) {
  const ids = articles.find(({ parcelReference }) => parcelReference === parcel.reference)?.articleIds
  return {
    reference: parcel.reference,
    description: parcel.description ?? undefined,
    type: parcel.type ?? undefined,
    length_cm: parcel.lengthCm,
    width_cm: parcel.widthCm,
    height_cm: parcel.heightCm,
    weight_kg: parcel.weightKg,
    quantity: parcel.quantity,
    contains_dangerous_goods: parcel.dangerousGoodsUnsaid ? undefined : parcel.containsDangerousGoods,
    dangerous_goods: parcel.dangerousGoods ? fromDangerousGoods(parcel.dangerousGoods) : undefined,
    article_id: ids?.[0],
    article_ids: ids as string[] | undefined,
  }
}

function fromDangerousGoods(goods: DangerousGoodsInput) {
  return {
    dangerous_goods_definition: goods.definition,
    dangerous_goods_declaration: goods.declaration ?? undefined,
    transportable_by_air: goods.transportableByAir ?? undefined,
    un_number: goods.unNumber ?? undefined,
    technical_name: goods.technicalName ?? undefined,
    net_weight_kg: goods.netWeightKg ?? undefined,
    class_division: goods.classDivision ?? undefined,
    subsidiary_risk: goods.subsidiaryRisk ?? undefined,
    packing_group_designator: goods.packingGroup ?? undefined,
    outer_packaging_type: goods.outerPackagingType ?? undefined,
    outer_packaging_quantity: goods.outerPackagingQuantity ?? undefined,
  }
}
