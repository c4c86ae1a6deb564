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
      .describe('A parcel is charged as heavy as its volume times this; null: by dead weight only.'),
    zones: z
      .record(text(60), z.array(postCodes).min(1).max(5_000))
      .describe('Zone → postcodes and ranges of the destination. None may be in two.'),
    rates: z
      .array(
        z.strictObject({
          zone: text(60),
          up_to_kg: measure.describe('Chargeable weight of the consignment; the figure itself is in.'),
          cents: cents.describe('GST included.'),
          cents_per_extra_kg: centsRate
            .optional()
            .describe('In the last step of a zone: for each kilogram beyond it. Not given: no heavier ones.'),
        }),
      )
      .min(1)
      .max(20_000)
      .describe('Steps of each zone by weight: a consignment pays the first that holds it.'),
    surcharges: z
      .array(
        z.strictObject({
          name: text(60),
          when: z.enum(['always', 'residential', 'dangerous_goods']).default('always'),
          over_kg: measure.optional().describe('For each piece that weighs more, instead of `when`.'),
          over_cm: measure.optional().describe('For each piece that is longer, instead of `when`.'),
          cents: cents.default(0),
          percent: z.number().min(0).max(1_000).default(0).describe('Share of all lines before it.'),
        }),
      )
      .max(200)
      .default([])
      .describe('On top of the rate, in this order.'),
  })
  .meta({ id: 'rate_card' })
export type RateCardDocument = z.output<typeof RateCardDocument>
