import { z } from 'zod'
import type { Endpoint } from '../../contract/endpoint.ts'
import { toJsonSchema } from '../../input/validate.ts'
import { type Detail, type JsonSchema, shareParts, toPresentedSchema } from './presented-schema.ts'
import type { Combination, ToolText } from './tools.ts'

/**
 * What a tool answers: its own answer, or an `error`. A client that knows the schema may refuse any other answer, and
 * some clients check errors too.
 */
export function toOutputSchema(answer: z.ZodType, tool: ToolText): JsonSchema {
  const presented = toPresentedSchema(toJsonSchema(answer), tool, { ...DETAIL, ...tool.answerDetail })
  const { properties, required = [] } = presented as { properties: JsonSchema; required?: string[] }
  const personal = tool.hasCustomers ? { personal_data: { enum: ['included', 'masked'] } } : {}
  return shareParts({
    type: 'object',
    properties: { ...properties, ...personal, error: ERROR },
    anyOf: [{ required: [...required, ...Object.keys(personal)] }, { required: ['error'] }],
  })
}

/** The answer and the fields of its entries. */
const DETAIL: Detail = { depth: 2, isBrief: false }

const text = { type: 'string' }
const ERROR = { type: 'object', properties: { code: text, detail: text, remedy: text }, required: ['code'] }

/** The answer of an endpoint that succeeds at once: 202 is for requests whose answer is fetched later. */
export function getAnswerSchema({ answers, operationId }: Endpoint): z.ZodObject {
  const schema = answers[200]?.schema ?? answers[201]?.schema
  if (!(schema instanceof z.ZodObject)) throw new Error(`${operationId} does not document its answer.`)
  return schema
}

type GetData = (operationId: string) => z.ZodType

export const COMBINED_ANSWERS: Readonly<Record<Combination, (getData: GetData) => z.ZodType>> = {
  track_delivery: (getData) =>
    z.object({
      data: getData('getDelivery'),
      timeline: getData('listDeliveryEvents'),
      carrier_updates: getData('listDeliveryCarrierEvents'),
    }),

  day_of_store: (getData) =>
    z.object({
      data: getData('getStore'),
      deliveries_by_status: z.record(z.string(), z.int()),
      more_deliveries: z.boolean(),
    }),

  exceptions_today: () =>
    z.object({
      data: z.array(Exception),
      is_complete: z.boolean(),
      not_checked: z.literal('carriers').optional(),
    }),
}

/** An entry is about a delivery, a service that closes soon, or a carrier. */
const Exception = z.object({
  ...{ kind: z.string(), tool: z.string(), next_step: z.string() },
  ...optionalTexts('id', 'reference', 'store_reference', 'status', 'carrier_provider', 'to_datetime'),
  ...optionalTexts('status_reason', 'status_remedy', 'attention'),
  use_staff_couriers: z.boolean().optional(),
  ...optionalTexts('provider', 'carrier', 'service', 'closes_at', 'reason', 'outage_since'),
  deliveries: z.int().optional(),
})

const PlannedDelivery = z.object({
  effect: z.string(),
  ...optionalTexts('id', 'reference', 'status', 'current_carrier'),
  ...optionalTexts('carrier_name', 'provider', 'service', 'currency', 'from_datetime', 'to_datetime'),
  ...{ price_cents: z.int().optional(), current_price_cents: z.int().optional() },
  ...optionalTexts('price_held_until'),
})

const PlannedSubmission = z.object({
  effect: z.string(),
  ...{ id: z.string(), status: z.string(), carrier_name: z.string(), provider: z.string() },
  deliveries: z.int(),
})

/** What the client has spent today, before this plan; `limit_cents` null: no limit. */
export const SpendingAnswer = z.object({
  ...{ limit_cents: z.int().nullable(), spent_cents: z.int(), resets_at: z.string() },
})

export const PLANNED = { delivery: PlannedDelivery, submission: PlannedSubmission } as const

export function toPlanAnswer(planned: z.ZodObject): z.ZodObject {
  return z.object({
    data: planned,
    spending: SpendingAnswer.optional(),
    ...{ confirmation: z.string(), expires_at: z.string(), next_tool: z.string() },
  })
}

function optionalTexts<N extends string>(...names: N[]): Record<N, z.ZodOptional<z.ZodString>> {
  return Object.fromEntries(names.map((name) => [name, z.string().optional()])) as Record<
    N,
    z.ZodOptional<z.ZodString>
  >
}
