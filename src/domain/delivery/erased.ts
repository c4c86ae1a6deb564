import type { DeliveryContent } from './delivery.ts'

/**
 * Erasure: what remains of a delivery after its customer's data is erased. We keep what reports and invoices
 * need, and nothing that identifies the customer. The suburb stays; the street, names, numbers, goods and all
 * free text go. A field that is added to a delivery does not compile until it is decided here.
 */
export function erasedContent(content: DeliveryContent): DeliveryContent {
  const { deliveryMode, requestedType, ignoreBufferTime, useDynamicRfp, authorityToLeave } = content
  const { priceCentsTotalValue, providerOptions, productTypes } = content
  const { city, state, postCode, country, business, businessUnsaid } = content.address
  const { destination } = content
  return {
    deliveryMode,
    requestedType,
    ignoreBufferTime,
    useDynamicRfp,
    authorityToLeave,
    priceCentsTotalValue,
    providerOptions,
    productTypes,
    address: {
      ...{ city, state, postCode, country, business, ...(businessUnsaid && { businessUnsaid }) },
      ...{ address: '', address2: null, companyName: null, name: null },
    },
    destination: { ...destination, lat: toTenth(destination.lat), lng: toTenth(destination.lng) },
    customer: { firstName: '', lastName: '', phone: '', email: null, country: null },
    parcels: content.parcels.map((parcel) => ({ ...parcel, description: null })),
    lineItems: [],
    specialInstructions: null,
    pickupInstructions: null,
    staffCourier: null,
    metadata: {},
    suppressNotifications: true,
  }
}

/** A tenth of a degree is about ten kilometres. */
function toTenth(degrees: number): number {
  return Math.round(degrees * 10) / 10
}
