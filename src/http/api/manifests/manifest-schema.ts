import { z } from 'zod'
import { MANIFEST_STATES } from '../../../domain/manifests/manifest.ts'
import { listOf } from '../fields/pagination.ts'
import { carrierNumber, recordTime, referenceText } from '../fields/text.ts'

const store = {
  store_id: referenceText().optional().meta({ description: 'Wins over `store_reference`.' }),
  store_reference: referenceText()
    .optional()
    .meta({ examples: ['fitzroy'] }),
}
const choices = {
  contains_dangerous_goods: z.boolean().optional().meta({
    description:
      'Only consignments with dangerous goods, or only those without. Absent: both, apart where the carrier demands it.',
  }),
  generate_order_summary: z
    .boolean()
    .optional()
    .meta({ description: 'Each manifest then carries `order_summary_url`.' }),
  delivery_references: z
    .array(referenceText())
    .min(1)
    .max(10_000)
    .optional()
    .meta({ description: 'Your references. Absent: all of the store that are booked and on no manifest.' }),
}

export const StoreManifestBody = z
  .strictObject({
    ...store,
    ready_to_manifest: z.boolean().optional().meta({
      description: 'Marks all eligible deliveries of the store as `ready`, whichever are named.',
    }),
    create_manifest_now: z
      .boolean()
      .meta({ description: 'false: drafts, which are not submitted and reserve nothing.', examples: [true] }),
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
    // Named, as generators need classes for them.
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
    description: '50 where absent. A page ends early once it holds 10,000 deliveries.',
  }),
  after: z.string().min(1).max(200).optional().meta({ description: '`pagination.next` of the page before.' }),
  store_reference: referenceText().optional(),
})

export const Manifest = z
  .strictObject({
    id: z.string().meta({ examples: ['man_01kax3v8y2m4s6t8w0z2b4d6f8'] }),
    manifest_group: z.string(),
    carrier_provider: z.string().meta({ description: 'The carrier’s name.' }),
    store_id: z.string(),
    store_reference: z.string(),
    status: z.enum(MANIFEST_STATES).meta({
      description:
        '`submitting`: the carrier is being asked. `on_hold`: only a person can tell whether it has it. `refused`: it said no, and the deliveries are free again.',
    }),
    status_reason: z.string().optional().meta({ description: 'Why it waits or was refused, for people.' }),
    contains_dangerous_goods: z.boolean(),
    counts: z
      .strictObject({ deliveries: z.int(), manifested: z.int(), items: z.int() })
      .meta({ id: 'ManifestCounts', description: '`manifested`: how many of them the carrier has taken.' }),
    delivery_ids: z.array(z.string()),
    external_ref: z.strictObject({
      order_id: z.string().optional().meta({ description: 'The carrier’s order, once submitted.' }),
      order_summary: z.strictObject({
        number_of_items: z.int().meta({ description: 'Units.' }),
        total_cost: z.number().optional().meta({ description: 'The carrier’s cost in dollars.' }),
      }),
    }),
    manifest_deliveries: z.array(
      z
        .strictObject({
          delivery_id: z.string(),
          reference: z.string(),
          consignment_number: z.string(),
          gone_elsewhere: z.literal(true).optional().meta({
            description:
              'Taken from this carrier after it was asked for the order, which names it still, as it is told here.',
          }),
          tracking_details: z.strictObject({
            article_id: z.string().optional().meta({ description: 'Of the first unit.' }),
            article_ids: z.array(z.string()).meta({ description: 'Of every unit.' }),
          }),
        })
        .meta({ id: 'ManifestDelivery' }),
    ),
    order_summary_url: z.string().optional().meta({
      format: 'uri',
      description: 'The summary as PDF; signed, good for 24 h, fresh in every answer.',
    }),
    created_at: recordTime,
    updated_at: recordTime,
    submitted_at: recordTime.optional(),
  })
  .meta({ id: 'Manifest' })

export const ManifestAnswer = z.strictObject({ data: Manifest }).meta({ id: 'ManifestAnswer' })
export const ManifestsAnswer = z.strictObject({ data: z.array(Manifest) }).meta({ id: 'ManifestsAnswer' })
export const ManifestListAnswer = listOf(Manifest).meta({ id: 'ManifestListAnswer' })
