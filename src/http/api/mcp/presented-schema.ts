import { formOfText, IS_PLAIN, isFree, isHidden, MASKED, mayBeMasked, type Presentation } from './present.ts'

export type JsonSchema = Record<string, unknown>

/** How much of an answer its schema describes. */
export type Detail = {
  /** Levels of objects whose fields are listed. A deeper object is only `object`. */
  depth: number
  /** Lists only the fields that are always present, if an object has more than `MAX_FIELDS`. */
  isBrief: boolean
}

/** A delivery has more fields; its events and its manifest have fewer. */
const MAX_FIELDS = 30

/**
 * The JSON Schema of what `present` makes of an answer, from the schema of the answer: its fields, their types, and
 * which of them are wrapped or masked. It has no descriptions, formats and limits, because every conversation spends
 * tokens on the list of tools.
 */
export function toPresentedSchema(
  schema: JsonSchema,
  presentation: Omit<Presentation, 'includePersonalData'>,
  detail: Detail,
): JsonSchema {
  const named = (schema.$defs ?? {}) as Record<string, JsonSchema>
  return presentSchema(schema, '', { ...presentation, ...detail, named })
}

type Context = Omit<Presentation, 'includePersonalData'> &
  Detail & { named: Readonly<Record<string, JsonSchema>> }

function presentSchema(schema: JsonSchema, name: string, context: Context): JsonSchema {
  const { $ref, type, items } = schema
  if (typeof $ref === 'string') return presentSchema(getNamed($ref, context), name, context)
  const options = schema.anyOf ?? schema.oneOf
  if (Array.isArray(options)) return toAnyOf(options.map((one) => presentSchema(one, name, context)))
  if (Array.isArray(type))
    return toAnyOf(type.map((one) => presentSchema({ ...schema, type: one }, name, context)))
  if (type === 'object') return presentObject(schema, context)
  if (type === 'array') return { type, items: presentSchema(items as JsonSchema, name, context) }
  if (type === 'string') return presentString(schema, name, context)
  return type === undefined ? {} : { type }
}

/** An object without named fields is a map. `present` goes by names, so the entries of a map may be anything. */
function presentObject({ properties = {}, required = [] }: JsonSchema, context: Context): JsonSchema {
  const inner = { ...context, depth: context.depth - 1 }
  const names = Object.keys(properties as JsonSchema).filter((name) => !isHidden(name))
  const present = (required as string[]).filter((name) => !isHidden(name))
  const listed = context.isBrief && names.length > MAX_FIELDS ? present : names
  if (context.depth === 0 || listed.length === 0) return { type: 'object' }
  const fields = listed.map((name) => {
    const field = (properties as Record<string, JsonSchema>)[name] as JsonSchema
    return [name, presentField(field, name, inner)]
  })
  return {
    type: 'object',
    properties: Object.fromEntries(fields),
    ...(present.length > 0 ? { required: present } : {}),
  }
}

function presentField(schema: JsonSchema, name: string, context: Context): JsonSchema {
  const shown = isFree(name) ? WRAPPED : presentSchema(schema, name, context)
  const isAddress = name === 'address' && getType(schema, context) === 'object'
  return mayBeMasked(name, context) && !isAddress ? toAnyOf([shown, { const: MASKED }]) : shown
}

function getType({ $ref, type }: JsonSchema, context: Context): unknown {
  return typeof $ref === 'string' ? getType(getNamed($ref, context), context) : type
}

function presentString(
  { enum: values, const: only }: JsonSchema,
  name: string,
  { ours }: Context,
): JsonSchema {
  const form = formOfText(name, ours)
  const listed = (only === undefined ? values : [only]) as (string | null)[] | undefined
  const known = listed?.filter((one) => one !== null)
  if (known?.every(IS_PLAIN[form])) return { enum: known }
  if (form === 'plain') return PLAIN
  return form === 'wrapped' ? WRAPPED : toAnyOf([PLAIN, WRAPPED])
}

const PLAIN = { type: 'string' }
const WRAPPED = {
  type: 'object',
  properties: { untrusted_text: { type: 'string' } },
  required: ['untrusted_text'],
}

/** `anyOf` even for `oneOf`: two shapes of the API may look the same without their formats and limits. */
function toAnyOf(options: JsonSchema[]): JsonSchema {
  const flat = options.flatMap((one) => (Array.isArray(one.anyOf) ? (one.anyOf as JsonSchema[]) : [one]))
  const distinct = [...new Map(flat.map((one) => [JSON.stringify(one), one])).values()]
  return distinct.length === 1 ? (distinct[0] as JsonSchema) : { anyOf: distinct }
}

/** A named part of the schema, by its `$ref`, for example `#/$defs/Delivery`. */
function getNamed(ref: string, { named }: Context): JsonSchema {
  const part = named[ref.replace('#/$defs/', '')]
  if (!part) throw new Error(`The schema of an answer has no part ${ref}.`)
  return part
}

/** Moves each part that occurs more than once to `$defs`. */
export function shareParts(schema: JsonSchema): JsonSchema {
  const counts = new Map<string, number>()
  countParts(schema, counts)
  const ids = new Map<string, string>()
  const $defs: JsonSchema = {}
  const share = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(share)
    if (!isObject(value)) return value
    const text = JSON.stringify(value)
    const copy = () => Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, share(inner)]))
    if ((counts.get(text) ?? 0) < 2 || text.length < SHORTEST_SHARED) return copy()
    const id = ids.get(text) ?? `p${ids.size}`
    if (!ids.has(text)) {
      ids.set(text, id)
      $defs[id] = copy()
    }
    return { $ref: `#/$defs/${id}` }
  }
  const shared = share(schema) as JsonSchema
  return ids.size === 0 ? shared : { ...shared, $defs }
}

/** The length of `{"$ref":"#/$defs/p0"}`, which replaces the part, and a few characters for the part's name. */
const SHORTEST_SHARED = 24

/** Counts the parts inside a part only once, because they move together. */
function countParts(value: unknown, counts: Map<string, number>): void {
  if (Array.isArray(value)) for (const one of value) countParts(one, counts)
  if (!isObject(value)) return
  const text = JSON.stringify(value)
  const count = (counts.get(text) ?? 0) + 1
  counts.set(text, count)
  if (count === 1) for (const inner of Object.values(value)) countParts(inner, counts)
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
