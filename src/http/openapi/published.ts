import type { JsonSchema } from './components.ts'
import type { OpenApiDocument } from './document.ts'

/** The document as we send it: a webhook is a reference to its path item. */
export type PublishedDocument = Omit<OpenApiDocument, 'webhooks'> & {
  webhooks: Record<string, { $ref: string }>
}

/**
 * The same document in keywords that client generators understand. Our own pages and tests use the stricter original.
 *
 * - A webhook is a reference into `components/pathItems`: openapi-generator (7.14 to 7.25) makes Python that does not
 *   compile from webhooks in place, and skips references.
 * - A boolean that has one possible value excludes the other one instead of having `const`: the Java of
 *   openapi-generator gives a `Boolean` a text, and its Python compares with `'true'`.
 * - The signature of a link is no security scheme: nobody but Drover can make one, and hey-api puts its token into `sig`.
 */
export function publishedDocument(document: OpenApiDocument): PublishedDocument {
  const { webhooks, components, paths, ...rest } = document
  const { signature: _signature, ...securitySchemes } = components.securitySchemes as JsonSchema
  return booleansByExclusion({
    ...rest,
    paths: withoutSignature(paths),
    webhooks: Object.fromEntries(
      Object.keys(webhooks).map((name) => [name, { $ref: `#/components/pathItems/${name}` }]),
    ),
    components: { ...components, securitySchemes, pathItems: webhooks },
  }) as PublishedDocument
}

function withoutSignature(paths: OpenApiDocument['paths']): OpenApiDocument['paths'] {
  const withoutIt = (operation: JsonSchema): JsonSchema => ({
    ...operation,
    security: (operation.security as JsonSchema[]).filter((one) => !('signature' in one)),
  })
  return Object.fromEntries(
    Object.entries(paths).map(([path, methods]) => [
      path,
      Object.fromEntries(Object.entries(methods).map(([method, one]) => [method, withoutIt(one)])),
    ]),
  )
}

function booleansByExclusion(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(booleansByExclusion)
  if (value === null || typeof value !== 'object') return value
  const { const: only, ...rest } = value as JsonSchema
  const walked = Object.fromEntries(
    Object.entries(typeof only === 'boolean' ? rest : value).map(([key, inner]) => [
      key,
      booleansByExclusion(inner),
    ]),
  )
  return typeof only === 'boolean' ? { ...walked, not: { const: !only } } : walked
}
