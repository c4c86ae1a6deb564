import { createHmac, timingSafeEqual } from 'node:crypto'
import { signedIn } from '../../kit/answer.ts'
import type { AdapterContext } from '../../port/adapter.ts'
import type { Carrier, Consignment, Stop } from '../../port/carrier.ts'
import { parseBooking, parseCancel, parseEarliestDriver, parseWebhook } from './parse.ts'

/** On-demand couriers; credentials `api_key` and `webhook_secret`. */
export function swiftly({ send, credentials, wallMs }: AdapterContext): Carrier {
  const headers = { authorization: `Bearer ${credentials.api_key ?? ''}` }

  async function earliestDriver(query: Record<string, string>) {
    const path = `/v2/drivers/earliest?${new URLSearchParams(query)}`
    return parseEarliestDriver(await send({ method: 'GET', path, headers, body: undefined }))
  }

  return {
    recovery: { kind: 'idempotency_key' },

    check: async () => signedIn(await earliestDriver({ pickup: 'check' })),

    async book(consignment) {
      const keyed = { ...headers, 'idempotency-key': consignment.key }
      return parseBooking(
        await send({ method: 'POST', path: '/v2/jobs', headers: keyed, body: formatJob(consignment) }),
      )
    },

    async cancel(jobId) {
      const path = `/v2/jobs/${encodeURIComponent(jobId)}/cancel`
      return parseCancel(await send({ method: 'POST', path, headers, body: {} }))
    },

    readWebhook(request) {
      const signed = isSignedBySwiftly(
        request.headers,
        request.body,
        credentials.webhook_secret ?? '',
        wallMs(),
      )
      return signed ? parseWebhook(request.body) : null
    },

    availableFrom: (storeReference, readyMs) =>
      earliestDriver({ pickup: storeReference, ready_at: new Date(readyMs).toISOString() }),
  }
}

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

// Swiftly resends with a new timestamp, so an old timestamp means a replay.
const TOLERANCE_S = 300

/** Whether Swiftly signed exactly these bytes recently: HMAC-SHA256 over `{timestamp}.{body}`. */
export function isSignedBySwiftly(
  headers: Readonly<Record<string, string | undefined>>,
  body: Buffer,
  secret: string,
  wallMs: number,
): boolean {
  const timestamp = headers['swiftly-timestamp'] ?? ''
  const received = /^v1=([0-9a-f]{64})$/.exec(headers['swiftly-signature'] ?? '')?.[1]
  if (!received || !secret || !/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(wallMs / 1000 - Number(timestamp)) > TOLERANCE_S) return false

  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest()
  return timingSafeEqual(expected, Buffer.from(received, 'hex'))
}
