import { z } from 'zod'
import { BINS } from '../../../domain/insights/figures.ts'
import { EXCLUSION_RULES } from '../../../domain/quoting/decision.ts'
import { dateText, referenceText, windowTime } from '../fields/text.ts'

export const InsightsQuery = z.strictObject({
  from: dateText
    .optional()
    .meta({ description: 'The first day, in the account’s zone; 28 days before the last where absent.' }),
  to: dateText.optional().meta({ description: 'The last day, itself in; today where absent.' }),
  store_reference: referenceText()
    .optional()
    .meta({ description: 'One store; all that may be seen where absent.' }),
})
export type InsightsQuery = z.infer<typeof InsightsQuery>

const figures = {
  deliveries: z.int().meta({ description: 'Delivered or returned in the period.' }),
  cost_cents: z.int().meta({ description: 'GST in.' }),
  returned: z.int(),
  timed: z
    .int()
    .meta({ description: 'Those that had a window and came: the whole of which the next three are parts.' }),
  early: z.int(),
  inside: z.int(),
  late: z.int(),
}
const service = {
  provider: z.string().nullable().meta({ description: 'null: the store’s own couriers.' }),
  service: z.string().nullable(),
}

export const InsightsAnswer = z
  .strictObject({
    data: z.strictObject({
      from: z.string().meta({ format: 'date' }),
      to: z.string().meta({ format: 'date' }),
      total: z.strictObject(figures).meta({ id: 'InsightFigures' }),
      before: z.strictObject(figures).meta({ description: 'As many days before.' }),
      services: z.array(
        z.strictObject({
          ...service,
          carrier: z.string().nullable(),
          ...figures,
          bins: z.array(z.int()).meta({ description: `How many came when: ${BINS.join(', ')}.` }),
        }),
      ),
      weeks: z.array(
        z.strictObject({
          week: z.string().meta({ format: 'date', description: 'Its Monday.' }),
          ...service,
          deliveries: z.int(),
          cost_cents: z.int(),
        }),
      ),
      stores: z.array(z.strictObject({ store_reference: z.string(), name: z.string(), ...figures })),
      kept_out: z
        .array(
          z.strictObject({
            rule: z.enum(EXCLUSION_RULES),
            provider: z.string(),
            service: z.string(),
            carrier: z.string().nullable().meta({ description: 'null: it has left the account.' }),
            deliveries: z.int(),
            priced: z.int().meta({
              description:
                'Of how many it is on record what the service would have cost by its price list: the next two count no others.',
            }),
            cheaper: z.int().meta({ description: 'How many of these it would have carried for less.' }),
            more_cents: z
              .int()
              .meta({ description: 'What those cost more than it would have, together, GST in.' }),
          }),
        )
        .meta({
          description:
            'Which rule kept which service out of how many deliveries, the most frequent 50. A delivery that several services were kept out of counts in each.',
        }),
      versions: z.array(z.strictObject({ version: z.int(), applied_at: windowTime })).meta({
        description:
          'The account’s documents that were applied in the period, oldest first; of a sandbox account by its clock as it stands now.',
      }),
    }),
  })
  .meta({ id: 'InsightsAnswer' })
