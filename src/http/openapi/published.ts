import type { JsonSchema } from './components.ts'
import type { OpenApiDocument } from './document.ts'

/** The document as we send it: a webhook is a reference to its path item. */
export type PublishedDocument = Omit<OpenApiDocument, 'webhooks'> & {
  webhooks: Record<string, { $ref: string }>
}

/**
 * The same document in the words that client generators understand. Our own pages and tests use the stricter original.
 *
 * - A webhook is a reference into `components/pathItems`: openapi-generator (7.14 to 7.25) makes Python that does not
 *   compile from webhooks in place, and skips references.
 * - A boolean that has one possible value excludes the other one instead of having `const`: the Java of
 *   openapi-generator gives a `Boolean` a text, and its Python compares with `'true'`.
 */
export function publishedDocument(document: OpenApiDocument): PublishedDocument {
  const { webhooks, components, ...rest } = document
  return booleansByExclusion({
    ...rest,
    webhooks: Object.fromEntries(
      Object.keys(webhooks).map((name) => [name, { $ref: `#/components/pathItems/${name}` }]),
    ),
    components: { ...components, pathItems: webhooks },
  }) as PublishedDocument
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
