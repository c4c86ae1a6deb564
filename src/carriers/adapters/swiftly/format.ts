import type { Consignment, Stop } from '../../port/carrier.ts'

/** Formats a consignment for Swiftly's `POST /v2/jobs`. */
export function formatJob(consignment: Consignment) {
  const { from, to, window, declaredValueCents } = consignment
  return {
    external_id: consignment.reference,
    product: consignment.carrierCode,
    pickup: {
      ...formatStop(from),
      ready_at: new Date(consignment.readyAtMs).toISOString(),
      instructions: consignment.pickupInstructions,
    },
    dropoff: {
      ...formatStop(to),
      between: { start: new Date(window.fromMs).toISOString(), end: new Date(window.toMs).toISOString() },
      instructions: consignment.specialInstructions,
      leave_at_door: consignment.authorityToLeave,
      signature: consignment.signatureRequired,
    },
    items: consignment.parcels.map((parcel) => ({
      ref: parcel.reference,
      kind: parcel.type,
      millimetres: [parcel.lengthCm, parcel.widthCm, parcel.heightCm].map((cm) => Math.ceil(cm * 10)),
      grams: Math.max(1, Math.round(parcel.weightKg * 1000)),
      count: parcel.quantity,
    })),
    // The price that the account has agreed with Swiftly: its rate card.
    agreed_fee: { amount: (consignment.ratedCents / 100).toFixed(2), currency: 'AUD' },
    declared_value: declaredValueCents === null ? null : (declaredValueCents / 100).toFixed(2),
  }
}

function formatStop(stop: Stop) {
  return {
    contact: stop.name,
    company: stop.company,
    phone: stop.phone,
    email: stop.email,
    street: [stop.address, stop.address2].filter(Boolean).join(', '),
    suburb: stop.city,
    state: stop.state,
    postcode: stop.postCode,
    location: { lat: stop.lat, lng: stop.lng },
  }
}
