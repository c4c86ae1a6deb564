import { z } from 'zod'

type Override = NonNullable<NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']>

/**
 * Where one field discriminates between shapes, validates against that shape only. With `oneOf`, a validator reports
 * the issues of every shape, and the caller would have to guess which one applied. The documentation shows the `oneOf`.
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
