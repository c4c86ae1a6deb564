export type SchemaHelp = {
  description: string | null
  values: readonly string[] | null
  fields: readonly { name: string; description: string }[]
}

type Schema = {
  $ref?: string
  description?: string
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  definitions?: Record<string, Schema>
}

/** The schema of a field of the account; the schema is fetched at the first use. */
export async function helpFor(fields: readonly string[]): Promise<SchemaHelp | null> {
  const { default: root } = (await import('../../../../examples/account.schema.json')) as unknown as {
    default: Schema
  }
  let at: Schema[] = [root]
  let message: string | undefined
  for (const field of fields) {
    const held = at.flatMap((schema) => membersOf(schema, field, root))
    if (held.length === 0) return null
    message = held.find(({ description }) => description)?.description
    at = held
  }
  const open = at.flatMap((schema) => unfold(schema, root))
  const values = open.flatMap(({ enum: all, const: one }) => all ?? (one === undefined ? [] : [one]))
  return {
    description: message ?? open.find(({ description }) => description)?.description ?? null,
    values: values.length > 0 ? values.map(String) : null,
    fields: open.flatMap(({ properties = {} }) =>
      Object.entries(properties).flatMap(([name, { description }]) =>
        description ? [{ name, description }] : [],
      ),
    ),
  }
}

function membersOf(schema: Schema, field: string, root: Schema): Schema[] {
  return unfold(schema, root).flatMap(({ properties, additionalProperties }) => {
    const own = properties?.[field]
    if (own) return [own]
    return typeof additionalProperties === 'object' ? [additionalProperties] : []
  })
}

/** A schema with its references, alternatives and list items resolved. */
function unfold(schema: Schema, root: Schema): Schema[] {
  const named = schema.$ref?.split('/').at(-1)
  const referred = named === undefined ? undefined : root.definitions?.[named]
  const inner = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  if (schema.items) inner.push(schema.items)
  if (referred) inner.push(referred)
  return [schema, ...inner.flatMap((one) => unfold(one, root))]
}
