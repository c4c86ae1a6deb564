import { z } from 'zod'
import { carrierWord, eachOf, excerpt, instantMs } from '../../kit/answer.ts'
import type { ReportedProof } from '../../kit/fetch-proof-images.ts'
import { LET_GO } from './statuses.ts'

const Aud = z.string().regex(/^aud$/i)

/** `POST /deliveries`, `GET /deliveries/{id}` */
export const Delivery = z.object({
  id: carrierWord.startsWith('del_'),
  status: z.string(),
  fee: z.int().nonnegative(),
  currency: Aud,
  external_id: z.string().nullish(),
})
export type Delivery = z.output<typeof Delivery>

/** The same, when only how it stands is asked for. */
export const Standing = z.object({ status: z.string() })

/** The same, for what the courier brought from the door. What is odd in it is as if it had not been brought. */
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

/** `GET /deliveries`: no more of each than tells whether it is ours, so that what is odd in others hides nothing. */
const Listed = z.object({
  id: carrierWord,
  external_id: z.string().nullish(),
  created: instantMs.nullable().catch(null),
})
export type Listed = z.output<typeof Listed>
export const List = z.object({ data: eachOf(Listed), next_href: z.string().nullish() })

/** `POST /delivery_quotes` */
export const Quote = z.object({
  id: carrierWord.startsWith('dqt_'),
  fee: z.int().nonnegative(),
  currency_type: Aud,
  expires: instantMs,
  dropoff_eta: instantMs.nullish(),
  dropoff_deadline: instantMs.nullish(),
})

/** What stands in a delivery, be it asked for or told of by a webhook. What is odd in it is as if it were not said. */
const text = z.string().nullish().catch(null)
const Location = z.object({ lat: z.number().min(-90).max(90), lng: z.number().min(-180).max(180) })
const Related = z.object({ id: carrierWord, relationship: z.string() })
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
    /** Webhooks alone tell it. */
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
      isLetGo: LET_GO.test(reason?.primary_reason ?? ''),
      reasons: [reason?.primary_reason, reason?.secondary_reason, rest.undeliverable_reason].filter(Boolean),
    }
  })

/** A webhook. */
export const Told = z.object({
  id: carrierWord,
  kind: z.string(),
  created: instantMs,
  delivery_id: carrierWord,
  status: z.string().nullish(),
  /** Of updates; the courier's own says the same where both are there. */
  location: Location.nullish().catch(null),
  data: Details.catch(Details.parse({})),
})
export type Told = z.output<typeof Told>

/** A webhook that tells of a delivery whole, and so of its booking. */
export const ToldWhole = z.object({ data: Delivery.extend({ external_id: z.string().min(1) }) })

/** `GET /deliveries/{id}`, of which a webhook could have told. */
export const Stands = z.object({
  id: carrierWord,
  status: z.string(),
  updated: instantMs.nullish().catch(null),
})
