type JsonSchema = Record<string, unknown>

/**
 * A schema for a model's tool list. Clients pass it to validators and model providers that know only the keywords of
 * JSON Schema. The sentence of our rule is therefore added to the description and replaces the pattern, and our own
 * formats are removed. The arguments are still checked by the whole schema.
 */
export function toModelSchema(schema: JsonSchema): JsonSchema {
  const { 'x-rule': rule, id: _, examples: __, ...rest } = schema
  if (rest.format === 'iso-8601') delete rest.format
  if (typeof rule === 'string') {
    delete rest.pattern
    rest.description = rest.description ? `${rest.description} It ${rule}.` : `It ${rule}.`
  }
  for (const [keyword, inner] of Object.entries(rest)) {
    if (NAMED.has(keyword)) {
      const named = Object.entries(inner as Record<string, JsonSchema>)
      rest[keyword] = Object.fromEntries(named.map(([name, one]) => [name, toModelSchema(one)]))
    } else if (Array.isArray(inner) && keyword !== 'enum' && keyword !== 'required' && keyword !== 'type')
      rest[keyword] = inner.map((one) => toModelSchema(one as JsonSchema))
    else if (NESTED.has(keyword) && typeof inner === 'object')
      rest[keyword] = toModelSchema(inner as JsonSchema)
  }
  return rest
}

const NAMED = new Set(['properties', '$defs'])
const NESTED = new Set(['items', 'additionalProperties', 'propertyNames'])
