import type { JsonSchema } from '../openapi/components.ts'

/** A piece of a type in one line: a word of ours, a value of the API, or the name of a schema. */
export type TypePart = { kind: 'word' | 'value' | 'schema'; text: string }

/** A field of a schema, with the fields of anonymous objects inside it: `path` is `parcels[].weight_kg`. */
export type Field = {
  path: string
  isRequired: boolean
  type: TypePart[]
  description: string | null
  limits: string[]
}

/** The fields of a schema in the order of the document, for every form of the reference. */
export function listFields(schema: JsonSchema, prefix = ''): Field[] {
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>
  const required = new Set((schema.required ?? []) as string[])
  return Object.entries(properties).flatMap(([name, field]) => {
    const inner = findInner(field)
    const path = `${prefix}${name}`
    const own: Field = {
      path,
      isRequired: required.has(name),
      type: describeType(field),
      description: typeof field.description === 'string' ? field.description : null,
      limits: listLimits(field),
    }
    return [own, ...(inner ? listFields(inner.schema, `${path}${inner.mark}.`) : [])]
  })
}

/** A type in one line: `string`, `list of Parcel`, `fast flexible`. */
export function describeType(schema: JsonSchema): TypePart[] {
  const { $ref, type, items, enum: values, anyOf, oneOf } = schema
  if (typeof $ref === 'string') return [{ kind: 'schema', text: toSchemaName($ref) }]
  if ('const' in schema) return [value(JSON.stringify(schema.const))]
  if (Array.isArray(values))
    return separated(
      ' ',
      values.map((one) => [value(String(one ?? 'null'))]),
    )
  const choices = (anyOf ?? oneOf) as JsonSchema[] | undefined
  if (choices) return separated(' or ', choices.map(describeType))
  if (type === 'array') return [word('list of '), ...describeType((items ?? {}) as JsonSchema)]
  if (type === 'integer') return [word('whole number')]
  if (type === undefined) return [word('anything')]
  return [word(Array.isArray(type) ? type.join(' or ') : String(type))]
}

export function toSchemaName(ref: string): string {
  return ref.split('/').at(-1) as string
}

function listLimits(schema: JsonSchema): string[] {
  const { minimum, maximum, exclusiveMinimum, minLength, maxLength, minItems, maxItems } = schema
  return [
    typeof exclusiveMinimum === 'number' && `over ${exclusiveMinimum}`,
    typeof minimum === 'number' && `from ${minimum}`,
    typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER && `at most ${maximum}`,
    typeof minLength === 'number' && minLength > 1 && `at least ${minLength} characters`,
    typeof maxLength === 'number' && `at most ${maxLength} characters`,
    typeof minItems === 'number' && `at least ${minItems}`,
    typeof maxItems === 'number' && `at most ${maxItems}`,
    typeof schema['x-rule'] === 'string' && schema['x-rule'],
  ].filter((limit): limit is string => typeof limit === 'string')
}

/** Anonymous objects are shown inline. */
function findInner(field: JsonSchema): { schema: JsonSchema; mark: string } | null {
  if (field.properties) return { schema: field, mark: '' }
  const items = field.items as JsonSchema | undefined
  return items?.properties ? { schema: items, mark: '[]' } : null
}

function separated(separator: string, lists: readonly TypePart[][]): TypePart[] {
  return lists.flatMap((parts, i) => (i === 0 ? parts : [word(separator), ...parts]))
}

const word = (text: string): TypePart => ({ kind: 'word', text })
const value = (text: string): TypePart => ({ kind: 'value', text })
