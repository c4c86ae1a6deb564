import { z } from 'zod'
import { carrierCode, instantMs } from '../../kit/answer.ts'
import type { ReportedProof } from '../../kit/fetch-proof-images.ts'

const Aud = z.string().regex(/^aud$/i)
const cents = z.int().nonnegative()
/** The docs don't say whether the fee includes tax, so both are added. */
const tax = cents.nullish().catch(null)

/** `POST /deliveries`, `GET /deliveries/{id}` */
export const Delivery = z.object({
  external_delivery_id: carrierCode,
  delivery_status: z.string(),
  fee: cents,
  tax,
  currency: Aud,
  support_reference: z.coerce
    .string()
    .regex(/^[A-Za-z0-9-]{1,40}$/)
    .nullish()
    .catch(null),
})

/** The same in a webhook, whose event replaces the status. */
export const Booked = Delivery.omit({ delivery_status: true })

/** The same, to check only the status. */
export const DeliveryState = z.object({ delivery_status: z.string() })

/** The same, for the Dasher's proof of delivery. */
const picture = z
  .url({ protocol: /^https?$/ })
  .nullish()
  .catch(null)
export const Proofs = z
  .object({ dropoff_verification_image_url: picture, dropoff_signature_image_url: picture })
  .transform(
    ({ dropoff_verification_image_url: photo, dropoff_signature_image_url: signature }): ReportedProof[] => [
      ...(photo ? [{ kind: 'photo' as const, signedBy: null, url: photo }] : []),
      ...(signature ? [{ kind: 'signature' as const, signedBy: null, url: signature }] : []),
    ],
  )

/** `PUT /deliveries/{id}/cancel` */
export const Cancelled = z.object({ delivery_status: z.literal('cancelled') })

/** `POST /quotes` */
export const Quote = z.object({
  external_delivery_id: carrierCode,
  fee: cents,
  tax,
  currency: Aud,
  expires_at: instantMs.nullish().catch(null),
})

/** A webhook; a delivery that we look up has most of the same fields. */
const text = z.string().nullish().catch(null)
const time = instantMs.nullish().catch(null)
export const DeliveryUpdate = z.object({
  external_delivery_id: carrierCode,
  event_name: z.string().optional(),
  event_type: z.string().optional(),
  dasher_id: z.union([z.number(), z.string()]).nullish().catch(null),
  dasher_name: text,
  dasher_location: z
    .object({ lat: z.number().min(-90).max(90), lng: z.number().min(-180).max(180) })
    .nullish()
    .catch(null),
  pickup_time_actual: time,
  dropoff_time_actual: time,
  updated_at: time,
  cancellation_reason: text,
  reason: text,
})
export type DeliveryUpdate = z.output<typeof DeliveryUpdate>
