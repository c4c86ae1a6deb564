import { z } from 'zod'
import { DELIVERY_TYPES } from '../../../domain/values.ts'
import { LineItems, Parcels } from '../fields/parcel.ts'
import { freeText, referenceText, requestTime } from '../fields/text.ts'
import { Address, Customer } from './delivery-request-schema.ts'

export const AmendBody = z
  .strictObject({
    ready_for_pickup_at: requestTime,
    reference: referenceText().optional(),
    delivery_type: z.enum(DELIVERY_TYPES).optional(),
    special_instructions: freeText(1_000).optional(),
    address: Address.optional(),
    customer: Customer.optional(),
    line_items: LineItems.optional(),
    parcels: Parcels.optional(),
  })
  .meta({
    id: 'AmendRequest',
    description: 'Only the fields to change. Objects and lists replace the existing values completely.',
  })

/** What a delivery can do without: empty, it is removed. */
export const CLEARABLE = ['special_instructions', 'delivery_type', 'line_items'] as const

type Sent = z.infer<typeof AmendBody>
/** As the handler reads it. Null: removed. */
export type AmendBody = Omit<Sent, Clearable> & { [Name in Clearable]?: Sent[Name] | null }
type Clearable = (typeof CLEARABLE)[number]
