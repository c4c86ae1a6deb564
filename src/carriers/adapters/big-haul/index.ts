import { signedIn } from '../../kit/answer.ts'
import type { AdapterContext } from '../../port/adapter.ts'
import type { Carrier, Consignment, ManifestOrder, Stop } from '../../port/carrier.ts'
import { parseBooking, parseCancel, parseManifest, parseScans } from './parse.ts'

/**
 * Freight; credential `api_key`. No idempotency keys and no look-up: a person has to resolve an unknown
 * outcome.
 */
export function bigHaul({ send, credentials }: AdapterContext): Carrier {
  const headers = { authorization: `Token ${credentials.api_key ?? ''}` }

  async function poll(connotes: readonly string[]) {
    const path = `/scans?connotes=${connotes.map(encodeURIComponent).join(',')}`
    return parseScans(await send({ method: 'GET', path, headers, body: undefined }))
  }

  return {
    recovery: { kind: 'neither' },

    check: async () => signedIn(await poll([])),

    async book(consignment) {
      return parseBooking(
        await send({ method: 'POST', path: '/bookings', headers, body: formatBooking(consignment) }),
      )
    },

    async cancel(connote) {
      const path = `/bookings/${encodeURIComponent(connote)}/cancel`
      return parseCancel(await send({ method: 'POST', path, headers, body: {} }))
    },

    manifest: {
      async submit(order) {
        return parseManifest(
          await send({ method: 'POST', path: '/manifests', headers, body: formatManifest(order) }),
        )
      },
    },

    track: { batch: 25, everyMinutes: 15, poll },
  }
}

/** Formats a consignment for Big Haul's `POST /bookings`. */
export function formatBooking(consignment: Consignment) {
  const { from, to, window, declaredValueCents } = consignment
  return {
    YourRef: consignment.key,
    OrderNumber: consignment.reference,
    Service: consignment.carrierCode,
    ReadyAt: new Date(consignment.readyAtMs).toISOString(),
    DeliverFrom: new Date(window.fromMs).toISOString(),
    DeliverBy: new Date(window.toMs).toISOString(),
    Sender: formatParty(from),
    Receiver: formatParty(to),
    LeaveUnattended: consignment.authorityToLeave ? 'Y' : 'N',
    SignatureRequired: consignment.signatureRequired ? 'Y' : 'N',
    Notes: [consignment.pickupInstructions, consignment.specialInstructions].filter(Boolean).join(' / '),
    AgreedCents: consignment.ratedCents,
    DeclaredCents: declaredValueCents,
    Lines: consignment.parcels.map((parcel) => ({
      Ref: parcel.reference,
      Packaging: parcel.type,
      Qty: parcel.quantity,
      KgEach: parcel.weightKg,
      Metres: [parcel.lengthCm, parcel.widthCm, parcel.heightCm].map((cm) => cm / 100),
      UN: parcel.unNumber,
    })),
  }
}

/** Formats a manifest for `POST /manifests`. */
export function formatManifest({ key, group, dangerousGoods, refs }: ManifestOrder) {
  return { YourRef: key, Group: group, Hazardous: dangerousGoods ? 'Y' : 'N', ConNotes: refs }
}

function formatParty(stop: Stop) {
  return {
    Name: stop.name,
    Company: stop.company,
    Phone: stop.phone,
    Email: stop.email,
    Street: [stop.address, stop.address2].filter(Boolean).join(', '),
    Suburb: stop.city,
    State: stop.state,
    Postcode: stop.postCode,
  }
}
