import { z } from 'zod'
import { MANIFEST_STATUSES } from '../../../domain/delivery/delivery.ts'
import { STATUSES } from '../../../domain/delivery/status.ts'
import { CAME, NOBODY } from '../../../domain/insights/figures.ts'
import { carrierNumber, dateText, freeText, lineText, referenceText, requestTime } from '../fields/text.ts'
import { quoteId } from './quote-schema.ts'

export const DeliveryListQuery = z.strictObject({
  limit: z.int().min(1).max(200).optional().meta({ description: '50 where absent.' }),
  after: z.string().min(1).max(200).optional().meta({ description: '`pagination.next` of the page before.' }),
  store_reference: referenceText().optional(),
  status: z.enum(STATUSES).optional(),
  manifest_status: z.enum(MANIFEST_STATUSES).optional(),
  reference: referenceText().optional(),
  on_day: dateText.optional().meta({
    description:
      'What a store has to do with on that local day: all that is not at its end and is ready before the day is over, and all that came to its end on it.',
  }),
  created_from: requestTime.optional().meta({ description: 'The moment itself is in.' }),
  created_to: requestTime.optional().meta({ description: 'The moment itself is out.' }),
  ended_from: dateText.optional().meta({
    description:
      'Only what was delivered or returned on that day or later, as `GET /{tenant_id}/insights` counts it by `from`: days are those of the account’s zone. What it counts and the list does not have are deliveries whose customer was erased.',
  }),
  ended_to: dateText.optional().meta({
    description:
      'The last such day, itself in. Where only one of the two is given, or neither and one of the next three: as in insights, today and the 28 days up to the last.',
  }),
  came: z
    .enum(CAME)
    .optional()
    .meta({ description: 'Only what was delivered then, measured against the window that was promised.' }),
  provider: lineText(100)
    .optional()
    .meta({ description: `Only what that carrier had in the end; \`${NOBODY}\`: the store’s own couriers.` }),
  service: lineText(100).optional().meta({ description: 'Only what went by that service in the end.' }),
  q: lineText(100).optional().meta({
    description:
      'Part of the reference, consignment or article number, name or suburb, among the newest 20,000 (of those before `after`); a whole reference or consignment number finds older ones too.',
  }),
})
export type DeliveryListQuery = z.infer<typeof DeliveryListQuery>

/** Where a delivery is named by a reference that more than one store uses. */
export const NamedQuery = z.strictObject({
  store_reference: referenceText()
    .optional()
    .meta({ description: 'Which store, where two use the reference.' }),
})

export const OptionsQuery = NamedQuery.extend({
  elsewhere: z.boolean().optional().meta({
    description:
      'Without the carrier that has it, those that it was asked back from and what has refused it: what `PATCH …/reassign` chooses from.',
  }),
})

export const LabelQuery = NamedQuery.extend({
  format: z.enum(['pdf', 'zpl']).optional(),
  exp: z
    .string()
    .max(20)
    .optional()
    .meta({ description: 'With `sig`: opens the document without a bearer.' }),
  sig: z.string().max(100).optional(),
})

export const LabelsBody = z
  .strictObject({
    delivery_ids: z.array(referenceText()).min(1).max(200).optional(),
    delivery_references: z.array(referenceText()).min(1).max(200).optional(),
    store_reference: referenceText()
      .optional()
      .meta({ description: 'Which store, where two use a reference.' }),
    format: z.enum(['pdf', 'zpl']).optional(),
  })
  .meta({ id: 'LabelsRequest' })

const letGo = {
  reason: freeText(500).optional(),
  let_go_confirmed: z.boolean().optional().meta({
    description:
      'A person has the carrier’s word that it does not carry it. It is asked all the same where it can be: its no holds, its silence does not.',
  }),
}
export const CancelBody = z.strictObject(letGo).meta({ id: 'CancelRequest' })
export type CancelBody = z.infer<typeof CancelBody>
export const ReassignBody = z.strictObject(letGo).meta({ id: 'ReassignRequest' })

export const SettleBody = z
  .discriminatedUnion('booked', [
    // Named, as generators need classes for them.
    z
      .strictObject({ booked: z.literal(true), consignment_number: carrierNumber() })
      .meta({ id: 'SettleBooked' }),
    z.strictObject({ booked: z.literal(false) }).meta({ id: 'SettleNotBooked' }),
  ])
  .meta({ id: 'SettleBookingRequest' })

export const BookBody = z.strictObject({ quote_id: quoteId.optional() }).meta({ id: 'BookRequest' })
export type BookBody = z.infer<typeof BookBody>

/** A body with nothing in it, for verbs that need none. */
export const EmptyBody = z.strictObject({}).meta({ id: 'Nothing' })

export const LedgerQuery = z.strictObject({
  reference: referenceText().optional(),
  limit: z.int().min(1).max(1_000).optional(),
  after: z.int().min(0).optional().meta({ description: '`pagination.next` of the page before.' }),
})
