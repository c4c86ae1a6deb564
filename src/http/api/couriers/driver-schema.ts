import { z } from 'zod'
import { MAX_UNITS } from '../../../domain/delivery/cross-field.ts'
import { STATUSES } from '../../../domain/delivery/status.ts'
import { FAIL_REASONS, type FailReason, ID_KINDS } from '../../../domain/own-network/job.ts'
import { PROOF_PLACES } from '../../../domain/tracking/tracking.ts'
import { textFields } from '../../input/text-fields.ts'
import { makeListSchema } from '../fields/pagination.ts'
import {
  codeText,
  lineText,
  noteText,
  phoneText,
  recordTime,
  referenceText,
  windowTime,
} from '../fields/text.ts'

const REASONS = Object.keys(FAIL_REASONS) as [FailReason, ...FailReason[]]

const at = z
  .string()
  .max(40)
  .regex(/(?:Z|[+-][0-9]{2}:?[0-9]{2})$/)
  .register(textFields, { textClass: 'code' })
  .optional()
  .meta({
    format: 'iso-8601',
    description: 'The time of the step by the phone’s clock, with an offset. Absent: now.',
    examples: ['2026-11-24T02:10:00Z'],
    'x-rule': 'must be an ISO 8601 date and time with an offset, e.g. 2026-11-24T02:10:00Z',
  })
const proofId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{8,64}$/)
  .meta({ 'x-rule': 'must be 8 to 64 of A-Za-z0-9_-' })
const image = z.string().max(7_000_000).optional()
const degrees = (max: number) => z.number().min(-max).max(max)

export const LoginBody = z.strictObject({ phone: phoneText }).meta({ id: 'DriverLogin' })
export const LoginAnswer = z
  .strictObject({
    data: z.strictObject({
      expires_in: z.int().meta({ description: 'The lifetime of the codes in seconds.' }),
    }),
  })
  .meta({ id: 'DriverLoginAnswer' })

export const VerifyBody = z
  .strictObject({ phone: phoneText, code: codeText(20) })
  .meta({ id: 'DriverVerify' })
export const SessionAnswer = z
  .strictObject({
    data: z.strictObject({
      token: z.string().meta({
        description: 'The session token for `Authorization: Bearer`. Browsers also get it as a cookie.',
      }),
      expires_in: z.int().meta({
        description:
          'The maximum lifetime of the session in seconds. The session ends earlier after 12 hours without a request.',
      }),
    }),
  })
  .meta({ id: 'DriverSessionAnswer' })

const Party = z
  .strictObject({
    name: z.string().optional(),
    company: z.string().optional(),
    phone: z.string().optional(),
    address: z.string().optional(),
    address2: z.string().optional(),
    city: z.string(),
    state: z.string(),
    post_code: z.string(),
    lat: z.number().optional(),
    lng: z.number().optional(),
  })
  .meta({
    id: 'JobEnd',
    description:
      'The store, or the customer by first name. Only suburb and postcode until the driver accepts the job.',
  })

export const Job = z
  .strictObject({
    id: z.string(),
    reference: z.string().optional(),
    version: z.int().meta({
      description:
        'Send this version with `accept`. The request is then rejected if the store has changed the job.',
    }),
    status: z.enum(STATUSES),
    sub_status: z.string().optional(),
    offered: z.boolean().meta({ description: '`true` while the driver can accept or refuse the job.' }),
    offer_expires_at: recordTime.optional(),
    consignment_number: z.string().optional(),
    brand: z.string(),
    store: z.string(),
    delivery_mode: z.literal('customer_pickup').optional(),
    from: Party,
    to: Party,
    distance_km: z.number(),
    ready_for_pickup_at: windowTime,
    from_datetime: windowTime.optional(),
    to_datetime: windowTime.optional(),
    special_instructions: z.string().optional(),
    pickup_instructions: z.string().optional(),
    requirements: z.strictObject({
      authority_to_leave: z.boolean(),
      signature_required: z
        .boolean()
        .meta({ description: 'The proof must be a signature or the PIN. A photo is not accepted.' }),
      id_check_required: z.boolean().meta({
        description: 'The parcels may be given only to an adult. The proof needs `id_checked` and `id_kind`.',
      }),
      dangerous_goods: z.boolean(),
    }),
    // After collection: the units that the driver took.
    parcels: z.array(
      z.strictObject({
        reference: z.string(),
        description: z.string().optional(),
        type: z.string().optional(),
        weight_kg: z.number(),
        length_cm: z.number(),
        width_cm: z.number(),
        height_cm: z.number(),
        quantity: z.int(),
        article_ids: z.array(z.string()).optional(),
      }),
    ),
  })
  .meta({ id: 'DriverJob' })

export const JobAnswer = z.strictObject({ data: Job }).meta({ id: 'DriverJobAnswer' })
export const JobsAnswer = makeListSchema(Job).meta({ id: 'DriverJobsAnswer' })
export const JobEndAnswer = z
  .strictObject({
    data: z.strictObject({
      id: z.string(),
      reference: z.string(),
      status: z.enum(STATUSES),
      proof_id: z.string().optional(),
    }),
  })
  .meta({ id: 'DriverJobEndAnswer' })

export const AcceptBody = z.strictObject({ version: z.int().min(1).optional() }).meta({ id: 'DriverAccept' })
export const RefuseBody = z.strictObject({ reason: noteText(300).optional() }).meta({ id: 'DriverRefuse' })
export const StepBody = z.strictObject({ at }).meta({ id: 'DriverStep' })
export const CollectBody = z
  .strictObject({
    at,
    parcel_references: z.array(referenceText()).min(1).max(200).optional(),
    parcels: z
      .array(z.strictObject({ reference: referenceText(), quantity: z.int().min(1).max(MAX_UNITS) }))
      .min(1)
      .max(200)
      .optional()
      .meta({
        description:
          'Instead of `parcel_references`: the collected quantity of each parcel row, if not every unit of a row was collected.',
      }),
  })
  .meta({ id: 'DriverCollect' })
export const FailBody = z
  .strictObject({
    id: proofId.optional().meta({
      description:
        'An id that the phone generates. A request that is sent twice with the same id takes effect once.',
    }),
    at,
    reason: z.enum(REASONS).meta({
      description:
        '`under_18`, `no_id` and `intoxicated` refuse the supply of goods for adults only, and need `id`. `leaking` and `not_safe_to_carry` are for dangerous goods.',
    }),
    note: noteText(300).optional(),
    lat: degrees(90).optional().meta({ description: 'Where the driver is. With `lng`.' }),
    lng: degrees(180).optional(),
    image: image.meta({
      description:
        'A photo that shows the reason: a complete JPEG or PNG of at most 5 MiB, as base64. Drover stores it like `proof.image`. Needs `id`.',
    }),
  })
  .meta({ id: 'DriverFail' })
export const LocationBody = z
  .strictObject({
    at,
    lat: degrees(90),
    lng: degrees(180),
    accuracy_m: z.number().min(0).max(100_000).optional(),
  })
  .meta({ id: 'DriverLocation' })

export const DeliverBody = z
  .strictObject({
    proof: z.strictObject({
      id: proofId.meta({
        description:
          'An id that the phone generates. A request that is sent twice with the same id takes effect once.',
      }),
      kind: z.enum(['photo', 'signature', 'pin']),
      image: image.meta({
        description:
          'A complete JPEG or PNG of at most 5 MiB, as base64. Drover removes EXIF, GPS, XMP and comments, and keeps the orientation.',
      }),
      strokes: z
        .array(z.array(z.number().min(0).max(1_000)).min(2).max(4_000))
        .min(1)
        .max(200)
        .optional()
        .meta({
          description: 'A drawn signature: a list of lines, each x, y, x, y …, in a box of 1000 by 400.',
        }),
      pin: z
        .string()
        .max(10)
        .register(textFields, { textClass: 'code' })
        .optional()
        .meta({ description: 'The delivery’s PIN of four digits, which the customer has.' }),
      signed_by: lineText(200).register(textFields, { textClass: 'note' }).optional(),
      place: z.enum(PROOF_PLACES).optional().meta({
        description: 'Where the parcels were left. The customer sees the photo only with `at_door`.',
      }),
      id_checked: z.boolean().optional().meta({
        description:
          'Goods for adults only: the driver has looked at the date of birth. Drover never stores the date.',
      }),
      id_kind: z.enum(ID_KINDS).optional().meta({
        description: 'Goods for adults only: the kind of ID that the driver saw.',
      }),
      at,
      lat: degrees(90).optional(),
      lng: degrees(180).optional(),
    }),
  })
  .meta({ id: 'DriverDeliver' })
export type DeliverBody = z.infer<typeof DeliverBody>
