import type { z } from 'zod'
import { jsonSchemaOf } from '../input/validate.ts'

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
    } = jsonSchemaOf(schema) as JsonSchema & {
      $defs?: Record<string, JsonSchema>
    }
    for (const [name, definition] of Object.entries($defs ?? {})) {
      const { id: _id, ...rest } = definition
      this.schemas[name] ??= repointed(rest) as JsonSchema
    }
    return repointed(own) as JsonSchema
  }
}

function repointed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(repointed)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string'
        ? inner.replace('#/$defs/', '#/components/schemas/')
        : repointed(inner),
    ]),
  )
}
