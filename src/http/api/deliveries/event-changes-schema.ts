import { z } from 'zod'

/** The extra fields of `delivery.amended`. */
export const EventChanges = z
  .array(
    z
      .strictObject({
        field: z.string().meta({
          description: 'A field of the delivery, or of its `address` or `customer`. A list is one field.',
          examples: ['customer.phone'],
        }),
        from: z.unknown().meta({ description: 'The value before. Null: not given.' }),
        to: z.unknown().meta({ description: 'The value after. Null: not given.' }),
      })
      .meta({ id: 'EventChange' }),
  )
  .meta({
    description:
      'For `delivery.amended`: only the fields whose values changed. Names, phones and addresses in it are erased with the delivery.',
  })
