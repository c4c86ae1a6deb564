import { z } from 'zod'

type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>

/**
 * Where one field says which of several shapes is meant, judges by that shape alone: of `oneOf` a validator tells what
 * is wrong with each, and the caller would have to guess which he was taken for. The documents show the `oneOf`.
 */
export const branchByDiscriminator: Override = ({ zodSchema, jsonSchema }) => {
  if (!(zodSchema instanceof z.core.$ZodDiscriminatedUnion)) return
  const { discriminator: field, options } = zodSchema._zod.def
  const valuesOf = options.map(({ _zod }) => [...(_zod.propValues?.[field] ?? [])])
  const saying = (values: unknown[]) => ({
    type: 'object',
    properties: { [field]: { type: [...new Set(values.map((value) => typeof value))], enum: values } },
    required: [field],
  })
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  const branches = jsonSchema.oneOf?.map((shape, n) => ({ if: saying(valuesOf[n] ?? []), then: shape }))
  delete jsonSchema.oneOf
  Object.assign(jsonSchema, saying(valuesOf.flat()), { allOf: branches })
}
