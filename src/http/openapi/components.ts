import type { z } from 'zod'
import { toJsonSchema } from '../input/validate.ts'

export type JsonSchema = Record<string, unknown>

/** Collects named schemas: each is written once, under `components`, and referenced everywhere. */
export class Components {
  readonly schemas: Record<string, JsonSchema> = {}

  /** The schema for use in the document: a reference if it has a name. */
  use(schema: z.ZodType): JsonSchema {
    const {
      $schema: _,
      $defs,
      ...own
    } = toJsonSchema(schema) as JsonSchema & {
      $defs?: Record<string, JsonSchema>
    }
    for (const [name, definition] of Object.entries($defs ?? {})) {
      const { id: _id, ...rest } = definition
      this.schemas[name] ??= toDocumented(rest) as JsonSchema
    }
    return toDocumented(own) as JsonSchema
  }
}

function toDocumented(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toDocumented)
  if (value === null || typeof value !== 'object') return value
  return withoutNullChoice(
    Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        key === '$ref' && typeof inner === 'string'
          ? inner.replace('#/$defs/', '#/components/schemas/')
          : toDocumented(inner),
      ]),
    ),
  )
}

/**
 * Writes `anyOf: [X, null]` as X with `null` among its types. The two mean the same, but from the `anyOf`
 * openapi-generator makes Java and Python classes that reject a valid answer. A reference has no type to add to.
 */
function withoutNullChoice(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema
  const own = anyOf.find(({ type }) => type !== 'null') as JsonSchema | undefined
  if (!anyOf.some(({ type }) => type === 'null') || typeof own?.type !== 'string') return schema
  return {
    ...own,
    ...rest,
    type: [own.type, 'null'],
    ...(Array.isArray(own.enum) ? { enum: [...own.enum, null] } : {}),
  }
}
