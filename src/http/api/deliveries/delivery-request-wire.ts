import type { z } from 'zod'
import { parseTimestamp, type Timestamp } from '../../../domain/calendar/timestamp.ts'
import type { Amendment } from '../../../domain/delivery/amend.ts'
import type {
  Customer,
  DangerousGoodsInput,
  DeliveryRequest,
  LineItem,
  ProductFlags,
  ProviderOptions,
  QuoteRequest,
  RequestAddress,
  RequestParcel,
} from '../../../domain/delivery/request.ts'
import type { SendAfter } from '../../../operations/deliveries/send-left-behind.ts'
import { sentFormsOf } from '../../input/clean-body.ts'
import type { DangerousGoods, LineItem as LineItemBody, Parcel as ParcelBody } from '../fields/parcel.ts'
import type {
  AmendBody,
  Customer as CustomerBody,
  DeliveryRequestBody,
  QuoteRequestBody,
} from './delivery-request-schema.ts'
import type { SendLeftBehindBody } from './lists-schema.ts'

/** Converts a validated body into the domain's request. Absent fields become null or false. */
export function toDeliveryRequest(body: DeliveryRequestBody): DeliveryRequest {
  return {
    ...toSharedFields(body),
    reference: body.reference,
    readyForPickupAt: toTimestamp(body.ready_for_pickup_at),
    bookDeliveryNow: body.book_delivery_now ?? false,
    authorityToLeave: body.authority_to_leave ?? null,
    specialInstructions: body.special_instructions ?? null,
    pickupInstructions: body.pickup_instructions ?? null,
    address: toAddress(body.address),
    customer: toCustomer(body.customer),
    useStaffCouriers: body.use_staff_couriers ?? false,
    staffCourier: body.staff_courier
      ? {
          phone: body.staff_courier.phone,
          driverName: body.staff_courier.driver_name,
          driverId: body.staff_courier.driver_id ?? null,
        }
      : null,
    metadata: body.metadata ?? {},
    suppressNotifications: body.suppress_notifications ?? false,
    ...sentFormsIn(body),
  }
}

export const NO_PREFERENCES = {
  storeId: null,
  deliveryType: null,
  deliveryMode: null,
  bookDeliveryNow: false,
  useDynamicRfp: false,
  ignoreBufferTime: false,
  authorityToLeave: null,
  specialInstructions: null,
  pickupInstructions: null,
  priceCentsTotalValue: null,
  providerOptions: null,
  productTypes: {},
  useStaffCouriers: false,
  staffCourier: null,
  metadata: {},
  suppressNotifications: false,
} as const

/** An absent field becomes null, which keeps the value. A field that is null becomes the value that removes it. */
export function toAmendment(body: AmendBody): Amendment {
  return {
    readyForPickupAt: toTimestamp(body.ready_for_pickup_at),
    reference: body.reference ?? null,
    deliveryType: body.delivery_type === null ? 'any' : (body.delivery_type ?? null),
    specialInstructions: body.special_instructions === null ? '' : (body.special_instructions ?? null),
    address: body.address ? toAddress(body.address) : null,
    customer: body.customer ? toCustomer(body.customer) : null,
    lineItems: body.line_items === null ? [] : (body.line_items?.map(toLineItem) ?? null),
    parcels: body.parcels?.map(toParcel) ?? null,
    ...sentFormsIn(body),
  }
}

function sentFormsIn(body: object) {
  const sentForms = sentFormsOf(body)
  return sentForms && { sentForms }
}

export function toSendAfter(body: z.infer<typeof SendLeftBehindBody>): SendAfter {
  return {
    reference: body.reference ?? null,
    readyForPickupAt: body.ready_for_pickup_at === undefined ? null : toTimestamp(body.ready_for_pickup_at),
    deliveryType: body.delivery_type ?? null,
  }
}

export function toQuoteRequest(body: QuoteRequestBody): QuoteRequest {
  return {
    ...toSharedFields(body),
    readyForPickupAt: body.ready_for_pickup_at === undefined ? null : toTimestamp(body.ready_for_pickup_at),
    address: {
      ...toRequestAddress(body.address),
      address: body.address.address ?? null,
      country: body.address.country ?? null,
    },
  }
}

/** The fields that deliveries and quotes share. */
function toSharedFields(body: DeliveryRequestBody | QuoteRequestBody) {
  return {
    storeId: body.store_id ?? null,
    storeReference: body.store_reference ?? null,
    deliveryType: body.delivery_type ?? null,
    deliveryMode: body.delivery_mode ?? null,
    useDynamicRfp: body.use_dynamic_RFP ?? false,
    ignoreBufferTime: body.ignore_buffer_time ?? false,
    priceCentsTotalValue: body.price_cents_total_value ?? null,
    providerOptions: toProviderOptions(body.provider_options),
    // JSON has no undefined, so every field that is present is a boolean.
    productTypes: (body.product_types ?? {}) as ProductFlags,
    lineItems: (body.line_items ?? []).map(toLineItem),
    parcels: body.parcels.map(toParcel),
  }
}

/** Without a provider and a service they choose nothing, so they count as not sent. */
function toProviderOptions(options: DeliveryRequestBody['provider_options']): ProviderOptions | null {
  const { provider = null, service = null } = options ?? {}
  return provider === null && service === null ? null : { provider, service }
}

export function toAddress(address: DeliveryRequestBody['address']): RequestAddress {
  return { ...toRequestAddress(address), address: address.address, country: address.country }
}

function toRequestAddress(address: DeliveryRequestBody['address'] | QuoteRequestBody['address']) {
  return {
    address2: address.address2 ?? null,
    city: address.city,
    state: address.state,
    postCode: address.post_code,
    business: address.business ?? false,
    ...(address.business === undefined && { businessUnsaid: true as const }),
    companyName: address.company_name ?? null,
    name: address.name ?? null,
  }
}

type CustomerFields = Omit<z.infer<typeof CustomerBody>, 'email'> & { email?: string | undefined }

export function toCustomer(customer: CustomerFields): Customer {
  return {
    firstName: customer.first_name,
    lastName: customer.last_name,
    phone: customer.phone,
    email: customer.email ?? null,
    country: customer.country ?? null,
  }
}

export function toLineItem(item: z.infer<typeof LineItemBody>): LineItem {
  return {
    code: item.code,
    name: item.name,
    priceCents: item.price_cents,
    quantity: item.quantity,
    packingInstructions: item.packing_instructions ?? null,
  }
}

export function toParcel(parcel: z.infer<typeof ParcelBody>): RequestParcel {
  return {
    reference: parcel.reference,
    description: parcel.description ?? null,
    type: parcel.type ?? null,
    lengthCm: parcel.length_cm,
    widthCm: parcel.width_cm,
    heightCm: parcel.height_cm,
    weightKg: parcel.weight_kg,
    quantity: parcel.quantity,
    containsDangerousGoods: parcel.contains_dangerous_goods ?? false,
    ...(parcel.contains_dangerous_goods === undefined && { dangerousGoodsUnsaid: true as const }),
    dangerousGoods: parcel.dangerous_goods ? toDangerousGoods(parcel.dangerous_goods) : null,
  }
}

function toDangerousGoods(goods: z.infer<typeof DangerousGoods>): DangerousGoodsInput {
  return {
    definition: goods.dangerous_goods_definition,
    declaration: goods.dangerous_goods_declaration ?? null,
    transportableByAir: goods.transportable_by_air ?? null,
    unNumber: goods.un_number ?? null,
    technicalName: goods.technical_name ?? null,
    netWeightKg: goods.net_weight_kg ?? null,
    classDivision: goods.class_division ?? null,
    subsidiaryRisk: goods.subsidiary_risk ?? null,
    packingGroup: goods.packing_group_designator ?? null,
    outerPackagingType: goods.outer_packaging_type ?? null,
    outerPackagingQuantity: goods.outer_packaging_quantity ?? null,
  }
}

function toTimestamp(text: string): Timestamp {
  const timestamp = parseTimestamp(text)
  if (!timestamp) throw new Error('The schema let a bad timestamp through.')
  return timestamp
}
