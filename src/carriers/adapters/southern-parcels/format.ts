import type { Consignment, ManifestOrder, Stop } from '../../port/carrier.ts'

/** Formats a consignment for Southern's `POST /shipping/v1/shipments`: one item per unit. */
export function formatShipment(consignment: Consignment) {
  const { from, to, window, declaredValueCents } = consignment
  return {
    shipments: [
      {
        shipmentReference: consignment.key,
        customerReference: consignment.reference,
        productId: consignment.carrierCode,
        dispatchFrom: new Date(consignment.readyAtMs).toISOString(),
        deliverFrom: new Date(window.fromMs).toISOString(),
        deliverTo: new Date(window.toMs).toISOString(),
        from: formatParty(from),
        to: formatParty(to),
        authorityToLeave: consignment.authorityToLeave,
        signatureRequired: consignment.signatureRequired,
        deliveryInstructions: consignment.specialInstructions,
        pickupInstructions: consignment.pickupInstructions,
        contractPrice: consignment.ratedCents / 100,
        insuredValue: declaredValueCents === null ? null : declaredValueCents / 100,
        items: consignment.parcels.flatMap((parcel, index) =>
          Array.from({ length: parcel.quantity }, () => ({
            lineNumber: index + 1,
            itemReference: parcel.reference,
            packaging: parcel.type.toUpperCase(),
            length: parcel.lengthCm,
            width: parcel.widthCm,
            height: parcel.heightCm,
            weight: parcel.weightKg,
            unNumber: parcel.unNumber,
          })),
        ),
      },
    ],
  }
}

/** Formats a manifest for `PUT /shipping/v1/orders`. */
export function formatOrder({ key, group, dangerousGoods, refs }: ManifestOrder) {
  return {
    orderReference: key,
    paymentMethod: 'CHARGE_TO_ACCOUNT',
    group,
    dangerousGoodsIncluded: dangerousGoods,
    shipments: refs.map((shipmentId) => ({ shipmentId })),
  }
}

function formatParty(stop: Stop) {
  return {
    name: stop.name,
    businessName: stop.company,
    lines: [stop.address, stop.address2].filter((line) => line !== null && line !== ''),
    suburb: stop.city,
    state: stop.state,
    postcode: stop.postCode,
    country: stop.country,
    phone: stop.phone,
    email: stop.email,
  }
}
