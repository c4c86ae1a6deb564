import { z } from 'zod'
import { BINS, ENDINGS, TIMELINESS } from '../../../domain/insights/figures.ts'
import { EXCLUSION_RULES } from '../../../domain/quoting/decision.ts'
import { Pagination } from '../fields/pagination.ts'
import { dateText, recordTime, referenceText, windowTime } from '../fields/text.ts'

export const InsightsQuery = z.strictObject({
  from: dateText.optional().meta({
    description:
      'The first day, in the account’s time zone. Default: 27 days before `to`, for a period of 28 days.',
  }),
  to: dateText.optional().meta({ description: 'The last day, inclusive. Default: today.' }),
  store_reference: referenceText()
    .optional()
    .meta({ description: 'Only this store. Absent: all stores that the caller may see.' }),
})
export type InsightsQuery = z.infer<typeof InsightsQuery>

const figures = {
  deliveries: z
    .int()
    .meta({ description: 'The number of deliveries that were delivered or returned in the period.' }),
  own_deliveries: z.int().meta({
    description:
      'The number of these deliveries that the store’s own couriers made. They have no charge: leave them out of an average.',
  }),
  cost_cents: z.int().meta({
    description:
      'The cost in cents, incl. GST: what the carriers charge, or the quoted price where a carrier has named no charge.',
  }),
  returned: z.int(),
  delivered_with_window: z.int().meta({
    description:
      'The number of deliveries that had a window and were delivered. It is the sum of `early`, `on_time` and `late`.',
  }),
  early: z.int(),
  on_time: z.int(),
  late: z.int(),
}
const uncounted = z
  .strictObject({
    deliveries: z.int(),
    quoted_cents: z.int().meta({ description: 'The sum of their quoted prices in cents, incl. GST.' }),
  })
  .meta({ id: 'UncountedFigures' })
const service = {
  provider: z
    .string()
    .nullable()
    .meta({ description: 'The key of the carrier. Null: the store’s own couriers.' }),
  service: z.string().nullable(),
}

export const InsightsAnswer = z
  .strictObject({
    data: z.strictObject({
      from: z.string().meta({ format: 'date' }),
      to: z.string().meta({ format: 'date' }),
      total: z.strictObject(figures).meta({ id: 'InsightFigures' }),
      before: z
        .strictObject(figures)
        .meta({ description: 'The same figures for the same number of days before the period.' }),
      cancelled: uncounted.meta({
        description: 'The deliveries that were cancelled in the period. They are not in any other figure.',
      }),
      lost: uncounted.meta({
        description:
          'The deliveries whose carrier reported them lost in the period, until an outcome is recorded. They are not in any other figure.',
      }),
      services: z.array(
        z.strictObject({
          ...service,
          carrier: z.string().nullable(),
          ...figures,
          bins: z.array(z.int()).meta({
            description: `The number of deliveries in each interval, relative to the window: ${BINS.join(', ')}.`,
          }),
        }),
      ),
      weeks: z.array(
        z.strictObject({
          week: z.string().meta({ format: 'date', description: 'The Monday of the week.' }),
          ...service,
          deliveries: z.int(),
          cost_cents: z.int(),
        }),
      ),
      stores: z.array(z.strictObject({ store_reference: z.string(), name: z.string(), ...figures })),
      exclusions: z
        .array(
          z.strictObject({
            rule: z.enum(EXCLUSION_RULES),
            provider: z.string(),
            service: z.string(),
            carrier: z.string().nullable().meta({
              description: 'The name of the carrier. Null: the carrier is no longer in the account.',
            }),
            deliveries: z.int(),
            priced_count: z.int().meta({
              description:
                'The number of deliveries for which the service’s price by its price list is on record. `cheaper_count` and `extra_cost_cents` cover only these.',
            }),
            cheaper_count: z.int().meta({
              description: 'The number of these deliveries for which the service would have been cheaper.',
            }),
            extra_cost_cents: z.int().meta({
              description: 'The total extra cost of the `cheaper_count` deliveries in cents, incl. GST.',
            }),
          }),
        )
        .meta({
          description:
            'How often each rule excluded each service: the 50 most frequent combinations. A delivery counts once for each service that was excluded from it.',
        }),
      versions: z.array(z.strictObject({ version: z.int(), applied_at: windowTime })).meta({
        description:
          'The versions of the account document that were applied in the period, oldest first. For a sandbox account, the period follows the current setting of its test clock.',
      }),
    }),
  })
  .meta({ id: 'InsightsAnswer' })

export const DeliveryCostsQuery = InsightsQuery.extend({
  limit: z
    .int()
    .min(1)
    .max(1_000)
    .optional()
    .meta({ description: 'The maximum number of results in a page. Default 50.' }),
  after: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .meta({ description: '`pagination.next` of the previous page.' }),
  in_total: z.boolean().optional().meta({
    description:
      '`true`: only the deliveries that are in `total` of `GET /{tenant_id}/insights`. `false`: only cancelled and lost ones.',
  }),
})

export const DeliveryCostsAnswer = z
  .strictObject({
    data: z.array(
      z
        .strictObject({
          id: z.string(),
          reference: z.string(),
          store_reference: z.string(),
          status: z.enum(ENDINGS).meta({
            description:
              '`lost`: its carrier reported it lost, and no outcome is recorded. Its `status` as a delivery is still open.',
          }),
          suburb: z.string().nullable().meta({ description: 'The suburb of the customer.' }),
          ...service,
          carrier: z.string().nullable().meta({ description: 'The name of the carrier.' }),
          consignment_number: z.string().nullable(),
          quoted_cents: z
            .int()
            .nullable()
            .meta({ description: 'The quoted price in cents, incl. GST. Null: the store’s own couriers.' }),
          charged_cents: z.int().nullable().meta({
            description:
              'What the carrier charges in cents, incl. GST, or `quoted_cents` if it has named no charge. The sum is `total.cost_cents` of `GET /{tenant_id}/insights`. Null: the store’s own couriers, and cancelled and lost deliveries.',
          }),
          booked_at: recordTime.nullable(),
          delivered_at: recordTime.nullable(),
          timeliness: z.enum(TIMELINESS).nullable().meta({
            description: 'Measured against the promised window. Null: not delivered, or no window.',
          }),
        })
        .meta({ id: 'DeliveryCost' }),
    ),
    pagination: Pagination,
  })
  .meta({ id: 'DeliveryCostsAnswer' })
