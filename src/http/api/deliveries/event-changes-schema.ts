import { z } from 'zod'

/** The extra fields of `delivery.amended`. */
export const EventChanges = z
  .array(
    z
      .strictObject({
        field: z.string().meta({
          description:
            'The name of a field of the delivery, or of its `address` or `customer`. A list counts as one field.',
          examples: ['customer.phone'],
        }),
        from: z.unknown().meta({ description: 'The value before the change. Null: no value.' }),
        to: z.unknown().meta({ description: 'The value after the change. Null: no value.' }),
      })
      .meta({ id: 'EventChange' }),
  )
  .meta({
    description:
      'For `delivery.amended`: the fields whose values changed. When the delivery’s customer data is erased, the names, phone numbers and addresses here are erased too.',
  })
