import { z } from 'zod'
import { MANIFEST_STATES } from '../../../domain/manifests/manifest.ts'
import { SUBMIT_ATTEMPTS } from '../../../domain/manifests/manifest-actions.ts'
import { makeListSchema } from '../fields/pagination.ts'
import { carrierNumber, recordTime, referenceText } from '../fields/text.ts'

const store = {
  store_id: referenceText().optional().meta({ description: 'Takes precedence over `store_reference`.' }),
  store_reference: referenceText()
    .optional()
    .meta({ examples: ['fitzroy'] }),
}
const choices = {
  contains_dangerous_goods: z.boolean().optional().meta({
    description:
      'Only consignments with dangerous goods, or only those without. Absent: both, on separate manifests if the carrier needs that.',
  }),
  generate_order_summary: z
    .boolean()
    .optional()
    .meta({ description: 'Adds `order_summary_url` to each manifest.' }),
  delivery_references: z.array(referenceText()).min(1).max(10_000).optional().meta({
    description:
      'The references of the deliveries. Absent: all deliveries of the store that are booked and on no manifest.',
  }),
}

export const StoreManifestBody = z
  .strictObject({
    ...store,
    ready_to_manifest: z.boolean().optional().meta({
      description: 'Marks all eligible deliveries of the store as `ready`, not only the named ones.',
    }),
    create_manifest_now: z.boolean().meta({
      description: '`false`: creates drafts, which are not submitted and do not reserve their deliveries.',
      examples: [true],
    }),
    ...choices,
  })
  .meta({ id: 'StoreManifestRequest' })

export const ManifestBody = z
  .strictObject({
    ...store,
    manifest_group: referenceText().meta({ examples: ['SOUTHERN-ROAD'] }),
    ...choices,
  })
  .meta({ id: 'ManifestRequest' })

export const SettleManifestBody = z
  .discriminatedUnion('submitted', [
    // Named, because code generators need a class for each.
    z
      .strictObject({
        submitted: z.literal(true),
        order_id: carrierNumber(),
        total_cost_cents: z.int().min(0).optional(),
      })
      .meta({ id: 'SettleSubmitted' }),
    z.strictObject({ submitted: z.literal(false) }).meta({ id: 'SettleNotSubmitted' }),
  ])
  .meta({ id: 'SettleSubmitRequest' })

export const ManifestListQuery = z.strictObject({
  limit: z.int().min(1).max(200).optional().meta({
    description:
      'The maximum number of manifests in a page. Default 50. A page is shorter if its manifests contain 10,000 deliveries.',
  }),
  after: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: '`pagination.next` of the previous page.' }),
  store_reference: referenceText().optional(),
})

export const Manifest = z
  .strictObject({
    id: z.string().meta({ examples: ['man_01kax3v8y2m4s6t8w0z2b4d6f8'] }),
    manifest_group: z.string(),
    carrier_provider: z.string().meta({ description: 'The name of the carrier.' }),
    store_id: z.string(),
    store_reference: z.string(),
    status: z.enum(MANIFEST_STATES).meta({
      description:
        '`submitting`: Drover is submitting the manifest to the carrier. `on_hold`: the outcome is unknown and a person must resolve it. `refused`: the carrier rejected the manifest or could not be reached after many attempts, and its deliveries can go on another one. `discarded`: a person ended it without the carrier, and its deliveries can go on another one.',
    }),
    submit_attempt: z.enum(SUBMIT_ATTEMPTS).optional().meta({
      description:
        'A submission whose outcome is open. `in_progress`: Drover is asking the carrier now. `waiting`: the carrier could not be reached, nothing was sent, and Drover tries again; the manifest can be discarded. `unanswered`: the carrier may have it; a person who has asked them can settle it.',
    }),
    status_reason: z
      .string()
      .optional()
      .meta({ description: 'Why the manifest waits or was refused, as a sentence for people.' }),
    status_remedy: z.string().optional().meta({
      description:
        'What a person can do about it, as a sentence for people. Record the carrier’s answer with `settle-submit`.',
    }),
    contains_dangerous_goods: z.boolean(),
    counts: z.strictObject({ deliveries: z.int(), manifested: z.int(), items: z.int() }).meta({
      id: 'ManifestCounts',
      description: '`manifested`: the number of deliveries that the carrier has accepted.',
    }),
    delivery_ids: z.array(z.string()),
    external_ref: z.strictObject({
      order_id: z
        .string()
        .optional()
        .meta({ description: 'The carrier’s order id. Present when the manifest is submitted.' }),
      order_summary: z.strictObject({
        number_of_items: z.int().meta({ description: 'The number of units.' }),
        total_cost: z.number().optional().meta({ description: 'The carrier’s price in dollars.' }),
      }),
    }),
    manifest_deliveries: z.array(
      z
        .strictObject({
          delivery_id: z.string(),
          reference: z.string(),
          consignment_number: z.string(),
          moved_to_another_carrier: z.literal(true).optional().meta({
            description:
              '`true` if the delivery was moved away from this carrier after the order was submitted. The carrier’s order still contains it.',
          }),
          not_eligible: z
            .string()
            .optional()
            .meta({
              description:
                'On a draft or refused manifest: why this delivery can no longer be submitted with it, as the end of a sentence that begins with its reference.',
              examples: ['is cancelled, and only booked deliveries go on a manifest'],
            }),
          tracking_details: z.strictObject({
            article_id: z.string().optional().meta({ description: 'The article id of the first unit.' }),
            article_ids: z.array(z.string()).meta({ description: 'The article ids of all units.' }),
          }),
        })
        .meta({ id: 'ManifestDelivery' }),
    ),
    order_summary_url: z.string().optional().meta({
      format: 'uri',
      description: 'The order summary as PDF. A signed URL, valid for 24 hours and new in every response.',
    }),
    created_at: recordTime,
    updated_at: recordTime,
    submitted_at: recordTime.optional(),
  })
  .meta({ id: 'Manifest' })

export const ManifestAnswer = z.strictObject({ data: Manifest }).meta({ id: 'ManifestAnswer' })
export const ManifestsAnswer = z.strictObject({ data: z.array(Manifest) }).meta({ id: 'ManifestsAnswer' })
export const ManifestListAnswer = makeListSchema(Manifest).meta({ id: 'ManifestListAnswer' })
