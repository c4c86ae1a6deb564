import type { JsonSchema } from './components.ts'
import type { PublishedDocument } from './published.ts'

/**
 * The OpenAPI 3.1 document in 3.0.3, for generators that support only 3.0. 3.0 has no webhooks; these are
 * left out. A rule that 3.0 cannot say, such as `propertyNames`, is left out too: the server still checks it.
 */
export function toOpenApi30(document: PublishedDocument): JsonSchema {
  const { webhooks: _webhooks, openapi: _openapi, info, components, ...rest } = document
  const { pathItems: _pathItems, schemas, ...others } = components
  const { identifier: _identifier, ...license } = info.license as JsonSchema
  const flows = new Set(
    Object.entries(others.securitySchemes as Record<string, JsonSchema>)
      .filter(([, { type }]) => type === 'oauth2')
      .map(([name]) => name),
  )
  return {
    openapi: '3.0.3',
    info: { ...info, license: { ...license, url: 'https://www.apache.org/licenses/LICENSE-2.0' } },
    ...(walk(rest, flows) as JsonSchema),
    components: {
      ...(walk(others, flows) as JsonSchema),
      schemas: Object.fromEntries(
        Object.entries(schemas as Record<string, JsonSchema>).map(([name, schema]) => [
          name,
          toSchema30(schema),
        ]),
      ),
    },
  }
}

/** Everything that is not a schema: only `schema` and the scopes of `security` are different in 3.0. */
function walk(value: unknown, flows: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((inner) => walk(inner, flows))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (key === 'schema') return [key, toSchema30(inner as JsonSchema)]
      if (key === 'security') return [key, (inner as JsonSchema[]).map((one) => withoutScopes(one, flows))]
      return [key, key === 'example' ? inner : walk(inner, flows)]
    }),
  )
}

/** In 3.0, only OAuth 2.0 has scopes; the description of the operation's 403 still names the scope. */
function withoutScopes(requirement: JsonSchema, flows: ReadonlySet<string>): JsonSchema {
  return Object.fromEntries(
    Object.entries(requirement).map(([name, scopes]) => [name, flows.has(name) ? scopes : []]),
  )
}

/** Keywords that hold one schema, a list of schemas, or schemas by name. */
const ONE = new Set(['items', 'additionalProperties', 'not'])
const LIST = new Set(['allOf', 'anyOf', 'oneOf'])
const LEFT_OUT = new Set(['propertyNames', '$schema', '$id', '$defs'])

/** A JSON Schema 2020-12 as OpenAPI 3.0 has it. */
export function toSchema30(schema: JsonSchema): JsonSchema {
  const { $ref, type, const: only, examples, exclusiveMinimum, exclusiveMaximum, ...rest } = schema
  const converted: JsonSchema = {}
  for (const [key, value] of Object.entries(rest)) {
    if (LEFT_OUT.has(key)) continue
    converted[key] = toInner(key, value)
  }
  if (typeof only !== 'undefined') converted.enum = [only]
  if (Array.isArray(examples)) converted.example ??= examples[0]
  if (typeof exclusiveMinimum === 'number')
    Object.assign(converted, { minimum: exclusiveMinimum, exclusiveMinimum: true })
  if (typeof exclusiveMaximum === 'number')
    Object.assign(converted, { maximum: exclusiveMaximum, exclusiveMaximum: true })
  if (typeof $ref === 'string') return withReference($ref, converted)
  return withoutNullType({ ...converted, ...(type === undefined ? {} : { type }) })
}

function toInner(key: string, value: unknown): unknown {
  if (ONE.has(key)) return typeof value === 'object' ? toSchema30(value as JsonSchema) : value
  if (LIST.has(key)) return (value as JsonSchema[]).map(toSchema30)
  if (key !== 'properties') return value
  return Object.fromEntries(
    Object.entries(value as Record<string, JsonSchema>).map(([name, inner]) => [name, toSchema30(inner)]),
  )
}

/** 3.0 ignores keywords beside a `$ref`. */
function withReference($ref: string, beside: JsonSchema): JsonSchema {
  return Object.keys(beside).length === 0 ? { $ref } : { ...beside, allOf: [{ $ref }] }
}

/** `nullable` for the type `null`, in a list of types or as a choice of its own. */
function withoutNullType({ type, anyOf, ...rest }: JsonSchema): JsonSchema {
  if (Array.isArray(type)) {
    const [first, ...more] = type.filter((name) => name !== 'null')
    const types =
      more.length === 0 ? { type: first } : { anyOf: [first, ...more].map((one) => ({ type: one })) }
    return { ...rest, ...types, ...(type.includes('null') ? { nullable: true } : {}) }
  }
  const own = type === undefined ? {} : { type }
  if (!Array.isArray(anyOf)) return { ...rest, ...own }
  const choices = (anyOf as JsonSchema[]).filter((choice) => choice.type !== 'null')
  if (choices.length === anyOf.length) return { ...rest, ...own, anyOf }
  const some = choices.length === 1 ? { allOf: choices } : { anyOf: choices }
  return { ...rest, ...own, ...some, nullable: true }
}
