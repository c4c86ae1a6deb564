import type { Endpoint } from '../contract/endpoint.ts'
import { findFileName, getPathValue } from '../examples/curl.ts'
import { toPythonSource } from '../examples/python.ts'
import { toSource } from '../examples/typescript.ts'
import { listVariables } from '../examples/variables.ts'
import {
  type AnswerKind,
  isForClients,
  toAnswerKind,
  toClientName,
  toClientParameters,
  toPythonName,
} from '../openapi/client-method.ts'
import type { JsonSchema } from '../openapi/components.ts'
import type { OpenApiDocument } from '../openapi/document.ts'
import { type ListedOperation, listOperations } from './operation.ts'

/** An example as a call of each of our clients, and the variables that the calls use as constants of the same names. */
export type ClientCall = { operationId: string; typescript: string; python: string; variables: string[] }

type Statements = Readonly<Record<AnswerKind, (call: string, file: string) => string>>
/** The statement around a call, by the kind of its answer. */
const TYPESCRIPT: Statements = {
  pages: (call) => `for await (const entry of ${call}) console.log(entry)`,
  data: (call) => `console.log(await ${call})`,
  json: (call) => `console.log(await ${call})`,
  bytes: (call, file) => `await writeFile('${file}', await ${call})`,
  nothing: (call) => `await ${call}`,
}
const PYTHON: Statements = {
  pages: (call) => `for entry in ${call}:\n    print(entry)`,
  data: (call) => `print(${call})`,
  json: (call) => `print(${call})`,
  bytes: (call, file) => `Path("${file}").write_bytes(${call})`,
  nothing: (call) => call,
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
  const given = [...ids.map(({ name }) => getPathValue(endpoint, name)), ...(hasBody ? [example] : [])]
  // An empty body keeps the query's place.
  const emptyBody = requestBody && !hasBody && asked.length > 0 ? [{}] : []
  const args = [...given, ...emptyBody, ...(asked.length > 0 ? [Object.fromEntries(asked)] : [])]
  const keywords = asked.map(([name, value]) => `${toPythonName(name)}=${toPythonSource(value)}`)
  const { kind } = toAnswerKind(operation, schemas)
  const file = findFileName(endpoint) ?? 'answer'
  const ofTypeScript = `drover.${resource}.${name}(${args.map((arg) => toSource(arg)).join(', ')})`
  const ofPython = `drover.${toPythonName(resource)}.${toPythonName(name)}(${[
    ...given.map((arg) => toPythonSource(arg)),
    ...(requestBody?.required && !hasBody ? ['{}'] : []),
    ...keywords,
  ].join(', ')})`
  return {
    operationId,
    typescript: TYPESCRIPT[kind](ofTypeScript, file),
    python: PYTHON[kind](ofPython, file),
    variables: listVariables(args),
  }
}

/** The lines that these calls need before them: the client of the demo account, and their variables. */
export function toClientSetUp(publicUrl: string, calls: readonly ClientCall[]): string {
  const variables = [...new Set(calls.flatMap((call) => call.variables))]
  return [
    ...(calls.some(({ typescript }) => typescript.includes('writeFile('))
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

/** The same for Python. */
export function toPythonSetUp(publicUrl: string, calls: readonly ClientCall[]): string {
  const variables = [...new Set(calls.flatMap((call) => call.variables))]
  return [
    ...(variables.length > 0 ? ['import os'] : []),
    ...(calls.some(({ python }) => python.includes('Path(')) ? ['from pathlib import Path'] : []),
    ...(variables.length > 0 || calls.some(({ python }) => python.includes('Path(')) ? [''] : []),
    'from drover import Drover',
    '',
    'drover = Drover(',
    `    ${toPythonSource(publicUrl)}, "demo", client_id="demo-client", client_secret="demo-secret"`,
    ')',
    ...variables.map((name) => `${name} = os.environ.get("${name}", "")`),
  ].join('\n')
}

/** A query's value as the type that the client wants. */
function toTyped(value: string, { type }: JsonSchema): unknown {
  if (type === 'boolean') return value === 'true'
  return type === 'integer' || type === 'number' ? Number(value) : value
}
