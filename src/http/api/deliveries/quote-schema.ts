import { z } from 'zod'
import { ADDRESS_KINDS } from '../../../domain/geo/address-kind.ts'
import { EXCLUSION_RULES } from '../../../domain/quoting/decision.ts'
import { DELIVERY_TYPES, type DeliveryType } from '../../../domain/values.ts'
import { textFields } from '../../input/text-fields.ts'
import { recordTime, windowTime } from '../fields/text.ts'

/** One optional member for each delivery type. */
function byType<T extends z.ZodType>(schema: T): Record<DeliveryType, z.ZodOptional<T>> {
  return Object.fromEntries(DELIVERY_TYPES.map((type) => [type, schema.optional()])) as Record<
    DeliveryType,
    z.ZodOptional<T>
  >
}

/** An opaque token for a held price and window. */
export const quoteId = z
  .string()
  .min(1)
  .max(1_300)
  .register(textFields, { textClass: 'code' })
  .meta({ description: 'The `quote_id` of an option from a quote with `?hold=true`.' })

/** The fields of a held option. */
const holding = {
  quote_id: z.string().optional().meta({
    description: 'With `?hold=true`: send this id with the delivery or its booking to get this option.',
  }),
  valid_until: recordTime.optional().meta({
    description:
      'With `?hold=true`: when the `quote_id` expires, in real time (UTC), even if the account has a test clock. Never later than the cut-off for the window.',
  }),
}

export const QuoteQuery = z.strictObject({
  hold: z.boolean().optional().meta({
    description:
      'Adds `quote_id` and `valid_until` to each option. A create or booking request with that `quote_id` gets the same price and window, or 409 `option_changed`.',
  }),
  explain: z
    .boolean()
    .optional()
    .meta({ description: 'Adds `explanation`: the result for each service, with the reason.' }),
})

export const QuoteOption = z
  .strictObject({
    price_cents: z.int(),
    currency: z.literal('AUD'),
    from_datetime: windowTime,
    to_datetime: windowTime,
    num_days: z.int().meta({
      description:
        'Business days from pickup to delivery: 0 on the day of pickup, at least 1 on any later day.',
    }),
    provider: z.string().optional().meta({
      description:
        'The carrier’s key. Only accounts with their own carriers get `provider`, `service` and `carrier_code`.',
    }),
    service: z.string().optional(),
    carrier_code: z.string().optional(),
    ...holding,
  })
  .meta({ id: 'QuoteOption' })

const named = {
  provider: z.string(),
  service: z.string(),
  carrier_code: z.string(),
  delivery_type: z.enum(DELIVERY_TYPES),
}

export const Explanation = z
  .strictObject({
    decided_at: windowTime,
    earliest_pickup_at: windowTime.nullable(),
    address_kind: z.enum(ADDRESS_KINDS).optional().meta({
      description: 'The kind of address, recognised by the formats of AS 4590. Absent in older records.',
    }),
    services: z.array(
      z.discriminatedUnion('eligible', [
        z
          .strictObject({
            ...named,
            eligible: z.literal(true),
            price_cents: z.int(),
            lines: z.array(
              z.strictObject({ name: z.string(), cents: z.int(), detail: z.string().optional() }),
            ),
            billing_basis: z
              .strictObject({ weight_kg: z.number().optional(), distance_km: z.number().optional() })
              .optional()
              .meta({
                description:
                  'For a delivery: the chargeable weight and the distance, each only if the price depends on it. Absent for fixed prices and for prices that the carrier sets.',
              }),
            gst_included_cents: z.int(),
            pickup_at: windowTime,
            from_datetime: windowTime,
            to_datetime: windowTime,
            num_days: z.int(),
          })
          .meta({ id: 'EligibleService' }),
        z
          .strictObject({
            ...named,
            eligible: z.literal(false),
            rule: z.enum(EXCLUSION_RULES),
            detail: z.string(),
          })
          .meta({ id: 'ExcludedService' }),
      ]),
    ),
    warnings: z.array(z.string()),
  })
  .meta({ id: 'Explanation' })

export const QuoteAnswer = z
  .strictObject({
    data: z.strictObject(byType(QuoteOption)),
    explanation: Explanation.optional(),
  })
  .meta({ id: 'QuoteAnswer' })

export const AvailabilityAnswer = z
  .strictObject({
    ...byType(z.strictObject({ from_datetime: windowTime, to_datetime: windowTime, ...holding })),
    explanation: z
      .strictObject({
        decided_at: windowTime,
        earliest_pickup_at: windowTime.nullable(),
        address_kind: z
          .enum(ADDRESS_KINDS)
          .meta({ description: 'The kind of address, recognised by the formats of AS 4590.' }),
        excluded: z.array(
          z.strictObject({
            delivery_type: z.enum(DELIVERY_TYPES),
            rule: z.enum(EXCLUSION_RULES),
            detail: z.string(),
          }),
        ),
        warnings: z.array(z.string()),
      })
      .optional(),
  })
  .meta({ id: 'AvailabilityAnswer' })

const account_version = z
  .int()
  .meta({ description: 'The version of the account document that decided the delivery.' })

export const OptionsAnswer = z
  .strictObject({ data: z.strictObject({ account_version, explanation: Explanation }) })
  .meta({ id: 'OptionsAnswer' })

export const DecisionAnswer = z
  .strictObject({
    data: z.strictObject({
      account_version,
      explanation: Explanation.nullable(),
      attempts: z.array(
        z.strictObject({
          attempt: z.int(),
          provider: z.string(),
          service: z.string(),
          state: z.enum(['sent', 'unknown', 'accepted', 'rejected', 'void']),
          message: z.string().nullable(),
          at: recordTime,
        }),
      ),
    }),
  })
  .meta({ id: 'DecisionAnswer' })
