/**
 * Writes `clients/typescript/src/*.generated.ts` from the OpenAPI document: the types, and the operations that a
 * client's token may call.
 */
import { resolve } from 'node:path'
import { allEndpoints } from '../src/http/api/endpoints.ts'
import {
  type AnswerKind,
  isForClients,
  toAnswerKind,
  toClientName,
  toClientParameters,
} from '../src/http/openapi/client-method.ts'
import { type OpenApiDocument, openApiDocument } from '../src/http/openapi/document.ts'
import { type Operation, type Schema, typeOf, writeIfChanged } from './api-types.ts'
import { isMain } from './is-main.ts'

const FOLDER = resolve(import.meta.dirname, '../clients/typescript/src')
const MADE = '// Made by scripts/api-client.ts from the OpenAPI document; not kept in git.\n'

const TENANT = '/{tenant_id}/'
const OPTIONS = 'CallOptions'

export type Components = Record<string, Schema>
type ClientOperation = Operation & {
  operationId: string
  summary: string
  security?: Record<string, unknown>[]
}
/** What a client's method needs to know, in any language. */
export type ClientMethod = {
  resource: string
  name: string
  /** `METHOD path answer body`, as the clients read it. */
  row: string
  ids: readonly string[]
  query: Operation['parameters']
  body: { schema: Schema; required: boolean } | null
  kind: AnswerKind
  answers: readonly Schema[]
  summary: string
}
type Method = { resource: string; name: string; row: string; signature: string; summary: string }

/** Leaves files untouched when their contents are the same. */
export function writeApiClient(): void {
  const document = openApiDocument({ version: '0', publicUrl: 'http://x' }, allEndpoints())
  const { types, operations } = apiClient(document)
  writeIfChanged(`${FOLDER}/types.generated.ts`, types)
  writeIfChanged(`${FOLDER}/operations.generated.ts`, operations)
}

export function apiClient(document: OpenApiDocument): { types: string; operations: string } {
  const schemas = document.components.schemas as Components
  const methods = listClientMethods(document).map(toMethod)
  const resources = Map.groupBy(methods, ({ resource }) => resource)
  const used = reachable(schemas, [
    ...methods.map(({ signature }) => signature),
    'Problem TokenAnswer Event WebhookMessage',
  ])
  const types = used.map((name) => `export type ${name} = ${typeOf(schemas[name] as Schema)}\n`).join('')
  return { types: `${MADE}${types}`, operations: operationsFile(resources, used) }
}

/** The operations that a client's token may call. */
export function listClientMethods(document: OpenApiDocument): ClientMethod[] {
  const schemas = document.components.schemas as Components
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations as Record<string, ClientOperation>).flatMap(([method, operation]) =>
      isForClients(operation) ? [toClientMethod(method, path, operation, schemas)] : [],
    ),
  )
}

function toClientMethod(
  method: string,
  path: string,
  operation: ClientOperation,
  schemas: Components,
): ClientMethod {
  const { operationId, parameters, requestBody, summary } = operation
  const [resource, name] = toClientName(path, operationId)
  const isRepeatable =
    !/^(post|patch)$/.test(method) || parameters.some((parameter) => parameter.name === 'Idempotency-Key')
  if (!isRepeatable)
    throw new Error(`${operationId} takes no Idempotency-Key, so the client cannot repeat it.`)

  const { ids, query } = toClientParameters(operation)
  const [media, body] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const { kind, schemas: answers } = toAnswerKind(operation, schemas)
  const template = path.slice(TENANT.length).replaceAll(/\{\w+\}/g, '{}')
  const row = [
    method.toUpperCase(),
    template,
    kind,
    ...(media ? [media === 'text/csv' ? 'csv' : 'json'] : []),
  ]
  return {
    resource,
    name,
    row: row.join(' '),
    ids: ids.map((one) => one.name),
    query,
    body: body ? { schema: body.schema, required: requestBody?.required === true } : null,
    kind,
    answers: answers as Schema[],
    summary,
  }
}

function toMethod(method: ClientMethod): Method {
  const { resource, name, row, ids, query, body, kind, answers, summary } = method
  const members = query.map((one) => `${one.name}${one.required ? '' : '?'}: ${typeOf(one.schema)}`)
  const last = members.length === 0 ? OPTIONS : `{ ${members.join('; ')} } & ${OPTIONS}`
  const mustQuery = query.some(({ required }) => required)
  const args = [
    ...ids.map((id) => `${id}: string`),
    ...(body ? [`body${body.required ? '' : '?'}: ${typeOf(body.schema)}`] : []),
    `${members.length === 0 ? 'options' : 'query'}${mustQuery ? '' : '?'}: ${last}`,
  ]
  const type = RETURN_TYPES[kind]([...new Set(answers.map(typeOf))])
  return { resource, name, row, signature: `${name}(${args.join(', ')}): ${type}`, summary }
}

/** The type that a method returns, by the kind of its answer. */
const RETURN_TYPES: Readonly<Record<AnswerKind, (types: readonly string[]) => string>> = {
  nothing: () => 'Promise<void>',
  bytes: () => 'Promise<Uint8Array>',
  pages: (types) => `Pages<${types.map((type) => `${type}['data'][number]`).join(' | ')}>`,
  data: (types) => `Promise<${types.map((type) => `${type}['data']`).join(' | ')}>`,
  json: (types) => `Promise<${types.join(' | ')}>`,
}

export function resolveSchema(schema: Schema, components: Components): Schema {
  return schema.$ref ? (components[schema.$ref.split('/').at(-1) as string] as Schema) : schema
}

/** The schemas that these texts name, and those that these name, in order. */
function reachable(schemas: Components, texts: readonly string[]): string[] {
  const names = new Set<string>()
  const visit = (text: string): void => {
    // Property names are quoted; a schema's name is a bare word.
    for (const [word] of text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').matchAll(/\b[A-Z]\w*/g)) {
      const schema = schemas[word]
      if (!schema || names.has(word)) continue
      names.add(word)
      visit(typeOf(schema))
    }
  }
  texts.forEach(visit)
  return [...names].sort()
}

function operationsFile(resources: ReadonlyMap<string, readonly Method[]>, types: readonly string[]): string {
  const text = [...resources].map(([resource, methods]) => {
    const name = `${resource[0]?.toUpperCase()}${resource.slice(1)}Resource`
    const lines = methods.map(({ signature, summary }) => `  /** ${summary}. */\n  ${signature}\n`)
    return `export interface ${name} {\n${lines.join('')}}\n`
  })
  const all = text.join('\n')
  const used = types.filter((name) => new RegExp(`\\b${name}\\b`).test(all.replaceAll(/\/\*\*.*\*\//g, '')))
  const fields = [...resources.keys()].map((resource) => {
    const feed = resource === 'events' ? ' & EventFeed' : ''
    return `  declare readonly ${resource}: ${resource[0]?.toUpperCase()}${resource.slice(1)}Resource${feed}\n`
  })
  const rows = [...resources].map(
    ([resource, methods]) =>
      `  ${resource}: {\n${methods.map(({ name, row }) => `    ${name}: '${row}',\n`).join('')}  },\n`,
  )
  return `${MADE}import type { CallOptions } from './call.ts'
import type { EventFeed } from './event-feed.ts'
import type { Pages } from './pages.ts'
import type { ${used.join(', ')} } from './types.generated.ts'

${all}
export class Resources {
${fields.join('')}}

export const OPERATIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
${rows.join('')}}
`
}

if (isMain(import.meta.url)) writeApiClient()
