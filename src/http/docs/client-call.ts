import type { Endpoint } from '../contract/endpoint.ts'
import { findFileName, getPathValue } from '../examples/curl.ts'
import { toSource } from '../examples/typescript.ts'
import { listVariables } from '../examples/variables.ts'
import {
  type AnswerKind,
  isForClients,
  toAnswerKind,
  toClientName,
  toClientParameters,
} from '../openapi/client-method.ts'
import type { JsonSchema } from '../openapi/components.ts'
import type { OpenApiDocument } from '../openapi/document.ts'
import { type ListedOperation, listOperations } from './operation.ts'

/** An example as a call of `@drover/client`, and the variables that it uses as constants of the same names. */
export type ClientCall = { operationId: string; text: string; variables: string[] }

/** The statement around a call, by the kind of its answer. */
const STATEMENTS: Readonly<Record<AnswerKind, (call: string, file: string) => string>> = {
  pages: (call) => `for await (const entry of ${call}) console.log(entry)`,
  data: (call) => `console.log(await ${call})`,
  json: (call) => `console.log(await ${call})`,
  bytes: (call, file) => `await writeFile('${file}', await ${call})`,
  nothing: (call) => `await ${call}`,
}

/** The examples of all operations that the client has, by their operationId. */
export function listClientCalls(
  document: OpenApiDocument,
  endpoints: readonly Endpoint[],
): Map<string, ClientCall> {
  const endpointOf = new Map(endpoints.map((endpoint) => [endpoint.operationId, endpoint]))
  const schemas = document.components.schemas as Record<string, JsonSchema>
  const calls = listOperations(document)
    .filter(({ operation }) => isForClients(operation))
    .map((listed) => toClientCall(listed, endpointOf.get(listed.operation.operationId) as Endpoint, schemas))
  return new Map(calls.map((call) => [call.operationId, call]))
}

function toClientCall(
  { path, operation }: ListedOperation,
  endpoint: Endpoint,
  schemas: Readonly<Record<string, JsonSchema>>,
): ClientCall {
  const { operationId, requestBody } = operation
  const { example, exampleCall, bodyOptional } = endpoint
  const [resource, name] = toClientName(path, operationId)
  const { ids, query } = toClientParameters(operation)
  const values = new URLSearchParams(exampleCall?.query)
  const asked = query.flatMap(({ name, schema }) => {
    const value = values.get(name)
    return value === null ? [] : [[name, toTyped(value, schema)] as const]
  })
  const hasBody = requestBody !== undefined && example !== undefined && bodyOptional !== true
  const args = [
    ...ids.map(({ name }) => getPathValue(endpoint, name)),
    ...(hasBody ? [example] : []),
    // An empty body keeps the query's place.
    ...(requestBody && !hasBody && asked.length > 0 ? [{}] : []),
    ...(asked.length > 0 ? [Object.fromEntries(asked)] : []),
  ]
  const call = `drover.${resource}.${name}(${args.map((arg) => toSource(arg)).join(', ')})`
  const text = STATEMENTS[toAnswerKind(operation, schemas).kind](call, findFileName(endpoint) ?? 'answer')
  return { operationId, text, variables: listVariables(args) }
}

/** The lines that these calls need before them: the client of the demo account, and their variables. */
export function toClientSetUp(publicUrl: string, calls: readonly ClientCall[]): string {
  const variables = [...new Set(calls.flatMap((call) => call.variables))]
  return [
    ...(calls.some(({ text }) => text.includes('writeFile('))
      ? ["import { writeFile } from 'node:fs/promises'"]
      : []),
    ...(variables.length > 0 ? ["import { env } from 'node:process'"] : []),
    "import { Drover } from '@drover/client'",
    '',
    `const drover = new Drover(${toSource({ baseUrl: publicUrl, account: 'demo', clientId: 'demo-client', clientSecret: 'demo-secret' })})`,
    ...(variables.length > 0
      ? [`const { ${variables.map((name) => `${name} = ''`).join(', ')} } = env`]
      : []),
  ].join('\n')
}

/** A query's value as the type that the client wants. */
function toTyped(value: string, { type }: JsonSchema): unknown {
  if (type === 'boolean') return value === 'true'
  return type === 'integer' || type === 'number' ? Number(value) : value
}
