import { parseTimestamp } from '../src/domain/calendar/timestamp.ts'
import type {
  DangerousGoodsInput,
  DeliveryRequest,
  QuoteRequest,
  RequestParcel,
} from '../src/domain/delivery/request.ts'

/** A definition with nothing overridden. */
export function defined(
  definition: string,
  overrides: Partial<DangerousGoodsInput> = {},
): DangerousGoodsInput {
  return {
    definition,
    declaration: null,
    transportableByAir: null,
    unNumber: null,
    technicalName: null,
    netWeightKg: null,
    classDivision: null,
    subsidiaryRisk: null,
    packingGroup: null,
    outerPackagingType: null,
    outerPackagingQuantity: null,
    ...overrides,
  }
}

export const requestParcel: RequestParcel = {
  reference: 'BOX-1',
  description: null,
  type: null,
  lengthCm: 10,
  widthCm: 10,
  heightCm: 10,
  weightKg: 1,
  quantity: 1,
  containsDangerousGoods: false,
  dangerousGoods: null,
}

/** From Fitzroy to a home in Richmond. */
export const quoteRequest: QuoteRequest = {
  storeId: null,
  storeReference: 'fitzroy',
  readyForPickupAt: null,
  deliveryMode: null,
  useDynamicRfp: false,
  ignoreBufferTime: false,
  priceCentsTotalValue: null,
  providerOptions: null,
  deliveryType: null,
  address: {
    address: null,
    address2: null,
    city: 'Richmond',
    state: 'VIC',
    postCode: '3121',
    country: null,
    business: false,
    companyName: null,
    name: null,
  },
  lineItems: [],
  parcels: [requestParcel],
  productTypes: {},
}

export const deliveryRequest: DeliveryRequest = {
  ...quoteRequest,
  reference: 'A-17',
  readyForPickupAt: timestamp('2026-11-24T12:00'),
  bookDeliveryNow: false,
  authorityToLeave: null,
  specialInstructions: null,
  pickupInstructions: null,
  address: { ...quoteRequest.address, address: '1 Swan St', country: 'AU' },
  customer: {
    firstName: 'Ada',
    lastName: 'Nguyen',
    phone: '0491 570 156',
    email: 'ada@example.com',
    country: null,
  },
  useStaffCouriers: false,
  staffCourier: null,
  metadata: {},
  suppressNotifications: false,
}

export function timestamp(text: string) {
  const parsed = parseTimestamp(text)
  if (!parsed) throw new Error(`${text} is not a timestamp.`)
  return parsed
}
