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
        "Cubic factor in kilograms per cubic metre: a parcel's cubic weight is its volume times this factor. `null`: the carrier charges by dead weight only.",
      ),
    zones: z
      .record(text(60), z.array(postCodes).min(1).max(5_000))
      .describe(
        'The destination postcodes in each zone, as single postcodes or ranges. A postcode can be in only one zone.',
      ),
    rates: z
      .array(
        z.strictObject({
          zone: text(60),
          up_to_kg: measure.describe(
            'Maximum chargeable weight of a consignment in this step, in kilograms.',
          ),
          cents: cents.describe('The price in cents, incl. GST.'),
          cents_per_extra_kg: centsRate
            .optional()
            .describe(
              'Only in the last step of a zone: the price per extra kilogram, in cents. Default: heavier consignments have no price.',
            ),
        }),
      )
      .min(1)
      .max(20_000)
      .describe(
        "Weight steps for each zone. The first step that covers a consignment's chargeable weight sets the price.",
      ),
    surcharges: z
      .array(
        z.strictObject({
          name: text(60),
          when: z.enum(['always', 'residential', 'dangerous_goods']).default('always'),
          over_kg: measure
            .optional()
            .describe(
              'Instead of `when`: the surcharge applies to each parcel that is heavier than this weight, in kilograms.',
            ),
          over_cm: measure
            .optional()
            .describe(
              'Instead of `when`: the surcharge applies to each parcel that is longer than this length, in centimetres.',
            ),
          cents: cents.default(0),
          percent: z
            .number()
            .min(0)
            .max(1_000)
            .default(0)
            .describe('Percentage of the price so far: the rate and the surcharges listed before this one.'),
        }),
      )
      .max(200)
      .default([])
      .describe('Surcharges on the rate, applied in this order.'),
  })
  .meta({ id: 'rate_card' })
export type RateCardDocument = z.output<typeof RateCardDocument>
