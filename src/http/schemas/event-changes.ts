import { z } from 'zod'

/** What a `delivery.amended` says besides. */
export const EventChanges = z
  .array(
    z
      .strictObject({
        field: z.string().meta({
          description: 'A field of the delivery, or of its `address` or `customer`. A list is one field.',
          examples: ['customer.phone'],
        }),
        from: z.unknown().meta({ description: 'As it was. Null: not given.' }),
        to: z.unknown().meta({ description: 'As it is from then on. Null: not given.' }),
      })
      .meta({ id: 'EventChange' }),
  )
  .meta({
    description:
      'Of `delivery.amended`: what really changed, and nothing else. Names, phones and addresses among it are erased with the delivery.',
  })
