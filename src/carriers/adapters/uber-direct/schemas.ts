import { z } from 'zod'
import { carrierCode, eachOf, excerpt, instantMs } from '../../kit/answer.ts'
import type { ReportedProof } from '../../kit/fetch-proof-images.ts'
import { LET_GO } from './tables.ts'

const Aud = z.string().regex(/^aud$/i)

/** `POST /deliveries`, `GET /deliveries/{id}` */
export const Delivery = z.object({
  id: carrierCode.startsWith('del_'),
  status: z.string(),
  fee: z.int().nonnegative(),
  currency: Aud,
  external_id: z.string().nullish(),
})
export type Delivery = z.output<typeof Delivery>

/** The same, to check only the status. */
export const DeliveryStatus = z.object({ status: z.string() })

/** The same, for the courier's proof of delivery. An invalid value counts as missing. */
const Picture = z.object({
  image_url: z.url({ protocol: /^https?$/ }),
  name: z.string().transform(excerpt).nullish().catch(null),
})
const Brought = z.object({
  picture: Picture.nullish().catch(null),
  signature: Picture.nullish().catch(null),
  pin_code: z.object({ entered: z.string() }).nullish().catch(null),
})
export const Proofs = z
  .object({ dropoff: z.object({ verification: Brought.nullish() }).nullish() })
  .transform(({ dropoff }): ReportedProof[] => {
    const { picture, signature, pin_code } = dropoff?.verification ?? {}
    return [
      ...(picture ? [{ kind: 'photo' as const, signedBy: null, url: picture.image_url }] : []),
      ...(signature
        ? [{ kind: 'signature' as const, signedBy: signature.name ?? null, url: signature.image_url }]
        : []),
      ...(pin_code ? [{ kind: 'pin' as const, signedBy: null, url: null }] : []),
    ]
  })

/** `POST /deliveries/{id}/cancel` */
export const Cancelled = z.object({ status: z.literal('canceled') })

/**
 * `GET /deliveries`: only the fields that identify ours, so that an invalid value in another delivery hides
 * nothing.
 */
const Listed = z.object({
  id: carrierCode,
  external_id: z.string().nullish(),
  created: instantMs.nullable().catch(null),
})
export type Listed = z.output<typeof Listed>
export const List = z.object({ data: eachOf(Listed), next_href: z.string().nullish() })

/** `POST /delivery_quotes` */
export const Quote = z.object({
  id: carrierCode.startsWith('dqt_'),
  fee: z.int().nonnegative(),
  currency_type: Aud,
  expires: instantMs,
  dropoff_eta: instantMs.nullish(),
  dropoff_deadline: instantMs.nullish(),
})

/** The fields of a delivery, in a look-up or a webhook. An invalid value counts as missing. */
const text = z.string().nullish().catch(null)
const Location = z.object({ lat: z.number().min(-90).max(90), lng: z.number().min(-180).max(180) })
const Related = z.object({ id: carrierCode, relationship: z.string() })
export const Details = z
  .object({
    status: text,
    courier_imminent: z.boolean().nullish().catch(null),
    courier: z
      .object({ name: text, location: Location.nullish().catch(null) })
      .nullish()
      .catch(null),
    /** One object in the reference, a list in its samples. */
    related_deliveries: z
      .union([z.array(Related), Related.transform((one) => [one])])
      .nullish()
      .catch(null),
    undeliverable_reason: text,
    /** Only webhooks have it. */
    cancelation_reason: z.object({ primary_reason: text, secondary_reason: text }).nullish().catch(null),
  })
  .transform(({ courier_imminent, courier, related_deliveries, cancelation_reason: reason, ...rest }) => {
    const relatedAs = (kind: string) => related_deliveries?.find(({ relationship }) => relationship === kind)
    return {
      status: rest.status ?? '',
      imminent: courier_imminent === true,
      courier,
      originalId: relatedAs('original')?.id ?? null,
      returnId: relatedAs('return')?.id ?? null,
      isReleased: LET_GO.test(reason?.primary_reason ?? ''),
      reasons: [reason?.primary_reason, reason?.secondary_reason, rest.undeliverable_reason].filter(Boolean),
    }
  })

/** A webhook. */
export const DeliveryUpdate = z.object({
  id: carrierCode,
  kind: z.string(),
  created: instantMs,
  delivery_id: carrierCode,
  status: z.string().nullish(),
  /** In courier updates; the courier's own location is the same if both are present. */
  location: Location.nullish().catch(null),
  data: Details.catch(Details.parse({})),
})
export type DeliveryUpdate = z.output<typeof DeliveryUpdate>

/** A webhook with the whole delivery, and so its booking. */
export const ReportedWhole = z.object({ data: Delivery.extend({ external_id: z.string().min(1) }) })

/** `GET /deliveries/{id}`, in the fields that a webhook would have had. */
export const DeliverySnapshot = z.object({
  id: carrierCode,
  status: z.string(),
  updated: instantMs.nullish().catch(null),
})
