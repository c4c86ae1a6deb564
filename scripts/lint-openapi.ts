import { Validator } from '@seriousme/openapi-schema-validator'
import { allEndpoints } from '../src/http/api/endpoints.ts'
import type { JsonSchema } from '../src/http/openapi/components.ts'
import { type OpenApiDocument, openApiDocument } from '../src/http/openapi/document.ts'
import { isMain } from './is-main.ts'

/** Mistakes in our own OpenAPI document: by the standard, and by the rules below. */
export async function openApiMistakes(
  document: OpenApiDocument = openApiDocument(
    { version: '0', publicUrl: 'http://localhost:8080' },
    allEndpoints(),
  ),
): Promise<string[]> {
  const plain = JSON.parse(JSON.stringify(document)) as OpenApiDocument
  const { valid, errors } = await new Validator().validate(plain)
  return [...(valid ? [] : [`not OpenAPI 3.1: ${JSON.stringify(errors)}`]), ...ownMistakes(plain)]
}

function ownMistakes({ paths, components, tags }: OpenApiDocument): string[] {
  const mistakes: string[] = []
  const ids = new Set<unknown>()
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const where = `${method.toUpperCase()} ${path}`
      const say = (what: string) => mistakes.push(`${where}: ${what}`)
      if (!operation.operationId) say('has no operationId')
      if (ids.has(operation.operationId)) say(`shares the operationId ${operation.operationId}`)
      ids.add(operation.operationId)
      if (!operation.summary) say('has no summary')
      if (!tags.some(({ name }) => (operation.tags as string[]).includes(name))) say('has an unknown tag')
      const responses = operation.responses as Record<string, JsonSchema>
      const statuses = Object.keys(responses)
      for (const needed of ['429', '500', '503']) if (!statuses.includes(needed)) say(`lacks ${needed}`)
      if ((operation.security as unknown[]).length > 0 && !statuses.includes('401')) say('lacks 401')
      if (path.includes('{') && !statuses.includes('404')) say('lacks 404')
      if (operation.requestBody && !statuses.includes('415')) say('lacks 415')
      for (const [status, answer] of Object.entries(responses)) {
        if (!answer.description) say(`${status} has no description`)
        // The specification of MCP wants an empty 202 for a notification.
        const isEmpty =
          ['204', '303', '304'].includes(status) || `${path} ${status}` === '/{tenant_id}/mcp 202'
        if (!isEmpty && !answer.content) say(`${status} has no content`)
      }
    }
  }
  for (const [name, schema] of Object.entries(components.schemas as Record<string, JsonSchema>)) {
    mistakes.push(...openObjects(schema, name))
  }
  return mistakes
}

/** Objects without a rule for additional members: each must be closed, or open on purpose. */
function openObjects(schema: unknown, at: string): string[] {
  if (schema === null || typeof schema !== 'object') return []
  const own = schema as JsonSchema
  const open =
    own.type === 'object' && own.additionalProperties === undefined
      ? [`${at}: additionalProperties is missing: set it to true or false`]
      : []
  return [...open, ...Object.entries(own).flatMap(([key, inner]) => openObjects(inner, `${at}.${key}`))]
}

if (isMain(import.meta.url)) {
  const mistakes = await openApiMistakes()
  for (const mistake of mistakes) console.error(mistake)
  console.log(
    mistakes.length === 0 ? 'The OpenAPI document has no mistakes.' : `${mistakes.length} mistakes.`,
  )
  process.exitCode = mistakes.length === 0 ? 0 : 1
}
