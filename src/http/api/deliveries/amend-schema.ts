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
export type AmendBody = z.infer<typeof AmendBody>
