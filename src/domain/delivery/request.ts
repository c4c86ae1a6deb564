import type { Timestamp } from '../calendar/timestamp.ts'
import type { SentForms } from '../text/sent-forms.ts'
import type { DeliveryMode, DeliveryType, PackingGroup, ParcelType, ProductType } from '../values.ts'

/** A caller's request, well-formed but not yet resolved against the account. Absent optional fields are null. */
export type DeliveryRequest = {
  storeId: string | null
  storeReference: string | null
  reference: string
  readyForPickupAt: Timestamp
  deliveryType: DeliveryType | null
  deliveryMode: DeliveryMode | null
  bookDeliveryNow: boolean
  useDynamicRfp: boolean
  ignoreBufferTime: boolean
  authorityToLeave: boolean | null
  specialInstructions: string | null
  pickupInstructions: string | null
  priceCentsTotalValue: number | null
  providerOptions: ProviderOptions | null
  address: RequestAddress
  customer: Customer
  lineItems: readonly LineItem[]
  parcels: readonly RequestParcel[]
  productTypes: ProductFlags
  useStaffCouriers: boolean
  staffCourier: StaffCourierInput | null
  metadata: Readonly<Record<string, string>>
  suppressNotifications: boolean
  sentForms?: SentForms
}

/** The subset that quotes and availability take. */
export type QuoteRequest = {
  storeId: string | null
  storeReference: string | null
  readyForPickupAt: Timestamp | null
  deliveryMode: DeliveryMode | null
  useDynamicRfp: boolean
  ignoreBufferTime: boolean
  priceCentsTotalValue: number | null
  providerOptions: ProviderOptions | null
  deliveryType: DeliveryType | null
  address: Omit<RequestAddress, 'address' | 'country'> & { address: string | null; country: string | null }
  lineItems: readonly LineItem[]
  parcels: readonly RequestParcel[]
  productTypes: ProductFlags
}

export type ProviderOptions = { provider: string | null; service: string | null }
/** As declared: `{ alcohol: true, tobacco: false }`; false and absent mean the same. */
export type ProductFlags = Readonly<Partial<Record<ProductType, boolean>>>

export type RequestAddress = {
  address: string
  address2: string | null
  city: string
  state: string
  postCode: string
  country: string
  business: boolean
  /** The request did not say: it counts as no business, and the response does not echo it. */
  businessUnsaid?: true
  companyName: string | null
  name: string | null
}

export type Customer = {
  firstName: string
  lastName: string
  /** E.164 once resolved. */
  phone: string
  /** Null only when a link was created without one. */
  email: string | null
  country: string | null
}

export type LineItem = {
  code: string
  name: string
  priceCents: number
  quantity: number
  packingInstructions: string | null
}

export type RequestParcel = {
  reference: string
  description: string | null
  type: ParcelType | null
  lengthCm: number
  widthCm: number
  heightCm: number
  weightKg: number
  quantity: number
  containsDangerousGoods: boolean
  /** The request did not say: there are no dangerous goods, and the response does not echo it. */
  dangerousGoodsUnsaid?: true
  dangerousGoods: DangerousGoodsInput | null
}

/** The name of the definition and the request's overrides; null keeps the definition's value. */
export type DangerousGoodsInput = {
  definition: string
  declaration: string | null
  transportableByAir: boolean | null
  unNumber: number | null
  technicalName: string | null
  netWeightKg: number | null
  classDivision: number | null
  subsidiaryRisk: number | null
  packingGroup: PackingGroup | null
  outerPackagingType: string | null
  outerPackagingQuantity: number | null
}

export type StaffCourierInput = { phone: string; driverName: string; driverId: string | null }
