import { z } from 'zod'
import { cents, centsRate, measure, text } from './primitives.ts'

const postCodes = z
  .string()
  .regex(/^[0-9]{4}(?:-[0-9]{4})?$/, 'a postcode such as "3220", or a range such as "3000-3207"')

/** A price list as couriers write it; `drover rate-card` converts a spreadsheet into one. */
export const RateCardDocument = z
  .strictObject({
    cubic_kg_per_m3: measure
      .nullable()
      .default(250)
      .describe(
        "Cubic factor: a parcel's cubic weight is its volume times this factor. `null`: dead weight only.",
      ),
    zones: z
      .record(text(60), z.array(postCodes).min(1).max(5_000))
      .describe(
        'For each zone, the postcodes and ranges of the destination. A postcode may be in one zone only.',
      ),
    rates: z
      .array(
        z.strictObject({
          zone: text(60),
          up_to_kg: measure.describe(
            'Chargeable weight of the consignment, up to and including this figure.',
          ),
          cents: cents.describe('GST included.'),
          cents_per_extra_kg: centsRate
            .optional()
            .describe(
              'Only in the last step of a zone: the price of each further kilogram. Default: heavier consignments have no price.',
            ),
        }),
      )
      .min(1)
      .max(20_000)
      .describe('Weight steps of each zone. A consignment pays the first step that is large enough.'),
    surcharges: z
      .array(
        z.strictObject({
          name: text(60),
          when: z.enum(['always', 'residential', 'dangerous_goods']).default('always'),
          over_kg: measure.optional().describe('Instead of `when`: applies to each piece that is heavier.'),
          over_cm: measure.optional().describe('Instead of `when`: applies to each piece that is longer.'),
          cents: cents.default(0),
          percent: z
            .number()
            .min(0)
            .max(1_000)
            .default(0)
            .describe('Percentage of all price lines before it.'),
        }),
      )
      .max(200)
      .default([])
      .describe('Surcharges on the rate, applied in this order.'),
  })
  .meta({ id: 'rate_card' })
export type RateCardDocument = z.output<typeof RateCardDocument>
