import { z } from 'zod'
import { MAX_UNITS } from '../../../domain/delivery/cross-field.ts'
import { PACKING_GROUPS, PARCEL_TYPES } from '../../../domain/values.ts'
import { cents, freeText, lineText, referenceText } from './text.ts'

export const LineItem = z
  .strictObject({
    code: referenceText().meta({ description: 'SKU or product code.', examples: ['KETTLE-1L'] }),
    name: lineText(200).meta({ examples: ['Kettle, 1 litre'] }),
    price_cents: cents.meta({ description: 'Unit price in cents.', examples: [4995] }),
    quantity: z
      .int()
      .min(1)
      .max(1_000_000)
      .meta({ examples: [1] }),
    packing_instructions: freeText(1_000).optional(),
  })
  .meta({ id: 'LineItem' })

export const DangerousGoods = z
  .strictObject({
    dangerous_goods_definition: lineText(100).meta({
      description:
        'The name of a dangerous goods definition of the account. Each other field overrides one value of it.',
      examples: ['lithium_batteries_equipment'],
    }),
    dangerous_goods_declaration: lineText(100).optional(),
    transportable_by_air: z.boolean().optional(),
    un_number: z.int().min(1).max(9_999).optional(),
    technical_name: lineText(200).optional(),
    net_weight_kg: z.number().gt(0).max(50_000).optional(),
    class_division: z.number().min(1).max(9.9).optional(),
    subsidiary_risk: z.number().min(1).max(9.9).optional(),
    packing_group_designator: z.enum(PACKING_GROUPS).optional(),
    outer_packaging_type: lineText(50).optional(),
    outer_packaging_quantity: z.int().min(1).max(10_000).optional(),
  })
  .meta({ id: 'DangerousGoods' })

const centimetres = z
  .number()
  .gt(0)
  .max(3_000)
  .meta({ examples: [30] })

const parcelFields = {
  reference: referenceText().meta({ description: 'Unique within the delivery.', examples: ['P1'] }),
  description: lineText(200).optional(),
  type: z.enum(PARCEL_TYPES).optional().meta({ description: 'The type of parcel. Absent: a carton.' }),
  length_cm: centimetres,
  width_cm: centimetres,
  height_cm: centimetres,
  weight_kg: z
    .number()
    .gt(0)
    .max(50_000)
    .meta({ examples: [2.5] }),
  quantity: z
    .int()
    .min(1)
    .max(MAX_UNITS)
    .meta({ description: 'The number of identical parcels. At most 10,000 in a delivery.', examples: [1] }),
  contains_dangerous_goods: z.boolean().optional(),
  dangerous_goods: DangerousGoods.optional(),
}

export const Parcel = z.strictObject(parcelFields).meta({ id: 'Parcel' })

/** A parcel in a response, with the carrier's article ids of the row and of each unit. */
export const BookedParcel = z
  .strictObject({
    ...parcelFields,
    article_id: z.string().optional(),
    article_ids: z.array(z.string()).optional(),
  })
  .meta({ id: 'BookedParcel' })

export const Parcels = z.array(Parcel).min(1).max(200)
export const LineItems = z.array(LineItem).max(500)
