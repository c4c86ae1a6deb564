import { z } from 'zod'
import { MANIFEST_STATUSES } from '../../../domain/delivery/delivery.ts'
import { MANUAL_OUTCOMES } from '../../../domain/delivery/outcome-by-hand.ts'
import { STATUSES } from '../../../domain/delivery/status.ts'
import { NOBODY, TIMELINESS } from '../../../domain/insights/figures.ts'
import { DELIVERY_TYPES, LABEL_FORMATS } from '../../../domain/values.ts'
import { textFields } from '../../input/text-fields.ts'
import { carrierNumber, dateText, freeText, lineText, referenceText, requestTime } from '../fields/text.ts'
import { quoteId } from './quote-schema.ts'

export const DeliveryListQuery = z.strictObject({
  limit: z
    .int()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: 'The maximum number of results in a page. Default 50.' }),
  after: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: '`pagination.next` of the previous page.' }),
  store_reference: referenceText().optional(),
  status: z.enum(STATUSES).optional(),
  manifest_status: z.enum(MANIFEST_STATUSES).optional(),
  reference: referenceText().optional(),
  on_day: dateText.optional().meta({
    description:
      'Only the deliveries that concern a store on this local day: those that have not ended and are ready before the day ends, and those that ended on this day.',
  }),
  created_from: requestTime
    .optional()
    .meta({ description: 'Only deliveries created at or after this time.' }),
  created_to: requestTime.optional().meta({ description: 'Only deliveries created before this time.' }),
  ended_from: dateText.optional().meta({
    description:
      'Only deliveries that were delivered or returned on or after this day, as `GET /{tenant_id}/insights` counts them from `from`. Days are in the account’s time zone. Insights also count deliveries whose customer data was erased; this list omits them.',
  }),
  ended_to: dateText.optional().meta({
    description:
      'The last day, inclusive. Default: today. If `ended_from` is absent and `ended_to`, `timeliness`, `provider` or `service` is present, the period is the 28 days up to the last day, as in insights.',
  }),
  timeliness: z
    .enum(TIMELINESS)
    .optional()
    .meta({ description: 'Only deliveries with this timeliness, measured against the promised window.' }),
  provider: lineText(100)
    .optional()
    .meta({
      description: `Only deliveries whose last carrier was this one. \`${NOBODY}\`: the store’s own couriers.`,
    }),
  service: lineText(100).optional().meta({ description: 'Only deliveries whose last service was this one.' }),
  q: lineText(100).register(textFields, { textClass: 'code' }).optional().meta({
    description:
      'A part of the reference, consignment number, article number, name or suburb. Searches the newest 20,000 deliveries (before `after`, if present). A complete reference or consignment number also finds older deliveries.',
  }),
})
export type DeliveryListQuery = z.infer<typeof DeliveryListQuery>

/** Names the store of a reference that more than one store uses. */
export const NamedQuery = z.strictObject({
  store_reference: referenceText()
    .optional()
    .meta({ description: 'The store, if more than one store uses the reference.' }),
})

export const OptionsQuery = NamedQuery.extend({
  exclude_current_carrier: z.boolean().optional().meta({
    description:
      'Excludes the current carrier, the carriers from which the delivery was reassigned, and the services that refused it. `PATCH …/reassign` chooses from the remaining options.',
  }),
})

export const LabelQuery = NamedQuery.extend({
  format: z.enum(LABEL_FORMATS).optional(),
  exp: z.string().max(20).optional().meta({
    description:
      'The expiry of a signed URL. Together with `sig` it opens the document without a bearer token.',
  }),
  sig: z.string().max(100).optional(),
})

export const LabelsBody = z
  .strictObject({
    delivery_ids: z.array(referenceText()).min(1).max(200).optional(),
    delivery_references: z.array(referenceText()).min(1).max(200).optional(),
    store_reference: referenceText()
      .optional()
      .meta({ description: 'The store, if more than one store uses a reference.' }),
    format: z.enum(LABEL_FORMATS).optional(),
    skip_unavailable: z.boolean().optional().meta({
      description:
        'Leaves out deliveries that have no label, such as cancelled ones. `Labels-Left-Out` names the first 50 of them, and `Labels-Left-Out-Count` says how many there are. Without it, one such delivery fails the whole request.',
    }),
  })
  .meta({ id: 'LabelsRequest' })

const cancellationFields = {
  reason: freeText(500).optional(),
  carrier_release_confirmed: z.boolean().optional().meta({
    description:
      '`true`: the carrier has confirmed to a person that it will not deliver. Drover still asks the carrier if it has an API for this. A refusal by the carrier still counts; a missing answer does not.',
  }),
}
export const CancelBody = z.strictObject(cancellationFields).meta({ id: 'CancelRequest' })
export type CancelBody = z.infer<typeof CancelBody>
export const ReassignBody = z.strictObject(cancellationFields).meta({ id: 'ReassignRequest' })

export const SettleBody = z
  .discriminatedUnion('booked', [
    // Named, because code generators need a class for each.
    z
      .strictObject({ booked: z.literal(true), consignment_number: carrierNumber() })
      .meta({ id: 'SettleBooked' }),
    z.strictObject({ booked: z.literal(false) }).meta({ id: 'SettleNotBooked' }),
  ])
  .meta({ id: 'SettleBookingRequest' })

export const OutcomeBody = z
  .strictObject({
    outcome: z.enum(MANUAL_OUTCOMES),
    reason: lineText(300).meta({ description: 'Why a person records it. The timeline shows it.' }),
  })
  .meta({ id: 'OutcomeRequest' })

export const SettleExtraBody = z
  .strictObject({
    consignment_number: carrierNumber().meta({
      description: 'The number of the extra booking, as `GET …/extra-bookings` gives it.',
    }),
    confirmed_by: lineText(100).meta({
      description: 'Who at the carrier said that it is cancelled. The timeline shows it.',
    }),
  })
  .meta({ id: 'SettleExtraBookingRequest' })

export const SendLeftBehindBody = z
  .strictObject({
    reference: referenceText().optional().meta({
      description: 'Reference of the new delivery. Without it, Drover adds the first free number: `SR-1-2`.',
    }),
    ready_for_pickup_at: requestTime.optional().meta({ description: 'Without it: now.' }),
    delivery_type: z.enum(DELIVERY_TYPES).optional(),
  })
  .meta({ id: 'SendLeftBehindRequest' })

export const BookBody = z.strictObject({ quote_id: quoteId.optional() }).meta({ id: 'BookRequest' })
export type BookBody = z.infer<typeof BookBody>

/** An empty body, for operations that need no fields. */
export const EmptyBody = z.strictObject({}).meta({ id: 'Nothing' })

export const LedgerQuery = z.strictObject({
  reference: referenceText().optional(),
  limit: z.int().min(1).max(1_000).optional(),
  after: z.int().min(0).optional().meta({ description: '`pagination.next` of the previous page.' }),
})
