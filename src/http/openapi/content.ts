import { getBodyLimit } from '../admission/cost-of-request.ts'
import { sizeWords } from '../contract/body-limit.ts'
import type { AnswerDoc, Endpoint } from '../contract/endpoint.ts'
import { isFile, mediaOfFile } from '../contract/octet-stream.ts'
import { sampled } from '../examples/variables.ts'
import type { Components, JsonSchema } from './components.ts'
import { takesBody } from './refusals.ts'

/** An endpoint's request body by media type; null if it has none. */
export function toBody(endpoint: Endpoint, components: Components): JsonSchema | null {
  if (!takesBody(endpoint)) return null
  const { bodyForm, bodyOptional, rawMedia } = endpoint
  const content = rawMedia
    ? { [rawMedia]: { schema: RAW_SCHEMAS[rawMedia], ...toExample(endpoint) } }
    : schemaContent(endpoint, components)
  if (!content) return null
  const says = [
    maxBytes(endpoint),
    // Not as a second media type: openapi-python-client generates a module with two bodies that cannot be imported.
    bodyForm === 'form' && 'The same fields are accepted as `application/x-www-form-urlencoded`.',
  ].filter(Boolean)
  return {
    description: says.join(' '),
    required: bodyOptional !== true,
    content,
  }
}

export function maxBytes({ bodyLimit }: Endpoint): string {
  return `At most ${sizeWords(getBodyLimit(bodyLimit).bytes)}.`
}

/** Bodies that the handler parses itself: a carrier's JSON has the carrier's own members. */
const RAW_SCHEMAS = {
  'application/json': { description: 'The carrier’s own format, as its reference describes it.' },
  'application/x-www-form-urlencoded': {
    type: 'object',
    additionalProperties: { type: 'string' },
  },
  'text/csv': { type: 'string' },
  'image/svg+xml': { type: 'string' },
} as const satisfies Record<NonNullable<Endpoint['rawMedia']>, JsonSchema>

function schemaContent(endpoint: Endpoint, components: Components): JsonSchema | null {
  const shown = endpoint.documentedBody ?? endpoint.body
  if (!shown) return null
  return { 'application/json': { schema: components.use(shown), ...toExample(endpoint) } }
}

function toExample({ example }: Endpoint): { example?: unknown } {
  return example === undefined ? {} : { example: sampled(example) }
}

/** A success response, by media type, with an example of its JSON if there is one. */
export function toAnswer(
  { description, schema, media }: AnswerDoc,
  components: Components,
  example: unknown,
): JsonSchema {
  if (media) {
    const names = isFile({ description, media }) ? mediaOfFile(media) : media
    const content = names.map((name) => [name, { schema: TEXTUAL.test(name) ? TEXT : BYTES }])
    return { description, content: Object.fromEntries(content) }
  }
  if (!schema) return { description }
  const shown = example === undefined ? {} : { example }
  return { description, content: { 'application/json': { schema: components.use(schema), ...shown } } }
}

const TEXTUAL = /^text\//
const TEXT = { type: 'string' }
const BYTES = { type: 'string', format: 'binary' }

/**
 * Adds the page that browsers get, with the same status as the data; while the app is not built, a text that says so.
 */
export function withPage(answer: JsonSchema, { page }: Endpoint, status: number): JsonSchema {
  if (!page) return answer
  const text = { schema: { type: 'string' } }
  const pages = { 'text/html': text, ...(status === 503 && { 'text/plain': text }) }
  return { ...answer, content: { ...(answer.content as JsonSchema), ...pages } }
}
